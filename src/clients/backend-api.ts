import createClient from 'openapi-fetch';
import type { components, paths } from '../../generated/backend-api.js';
import * as replies from '../../generated/validators/backend-api.js';
import { GatewayError, ServiceUnavailableError, unauthenticated } from '../errors.js';
import type { Logger } from '../logger.js';
import { encodeOrgHeader, ORG_HEADER } from '../organisation.js';
import { BackendRefusal } from './call-errors.js';
import { exchange } from './exchange.js';
import { requirePathId } from './path-id.js';
import { createResilience } from './resilience.js';
import type { Transport } from './transport.js';

type Schemas = components['schemas'];
export type Mobile = Schemas['Mobile'];
export type Position = Schemas['Position'];
export type MobilePage = Schemas['MobilePage'];
export type MobilePatch = Schemas['MobilePatch'];
export type DrivingRecord = Schemas['DrivingRecord'];
export type Tag = Schemas['Tag'];
export type UserAccount = Schemas['UserAccount'];
export type UserAccountPage = Schemas['UserAccountPage'];
export type UserAccountInput = Schemas['UserAccountInput'];
export type PublicKeys = Schemas['PublicKeys'];
export type Session = Schemas['Session'];
export type LoginReply = Schemas['LoginReply'];
export type OtpDelivery = Schemas['OtpDelivery'];

/** How backend-api is reached. */
export interface BackendApiOptions {
  readonly baseUrl: string;
  readonly transport: Transport;
  /** Sent on service calls only. */
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** Longest wait for the public keys (a slow key source must not hold up every request). */
const KEY_FETCH_TIMEOUT_MS = 2_000;

/** Calls that carry no credentials. */
export interface PublicCalls {
  getPublicKeys(): Promise<PublicKeys>;
  /** @throws {GatewayError} `InvalidCredentials` */
  login(credentials: { loginId: string; password: string }): Promise<LoginReply>;
  /** @throws {GatewayError} `InvalidCredentials` */
  refreshToken(refreshToken: string): Promise<Session>;
  sendOtp(loginId: string): Promise<OtpDelivery>;
  sendTestOtp(loginId: string): Promise<OtpDelivery>;
  /** @throws {GatewayError} `InvalidCredentials` */
  verifyOtp(verification: { loginId: string; code: string; challenge?: string }): Promise<Session>;
  /** @param timeoutMs longest wait */
  getHealth(timeoutMs: number): Promise<void>;
}

/** Calls made for a user, with that user's own token: backend-api decides what the user may see. */
export interface UserCalls {
  listMobiles(query: {
    search?: string;
    tagIds?: readonly number[];
    limit: number;
    cursor?: string;
  }): Promise<MobilePage>;
  getMobile(id: number): Promise<Mobile>;
  /** @returns those of the ids that the user may see */
  lookupMobiles(ids: readonly string[]): Promise<readonly string[]>;
  listTags(): Promise<readonly Tag[]>;
  listUserAccounts(query: { limit: number; cursor?: string }): Promise<UserAccountPage>;
}

/** Calls made for a job, with the service key and the job's organisation. */
export interface ServiceCalls {
  updateMobile(id: number, patch: MobilePatch): Promise<Mobile>;
  /** @param span RFC 3339, `from` inclusive, `to` exclusive */
  getDrivingRecord(mobileId: string, span: { from: string; to: string }): Promise<DrivingRecord>;
  /** @returns the id of the account; the same for the same idempotency key */
  createUserAccount(input: UserAccountInput, idempotencyKey: string): Promise<number>;
  updateUserAccount(input: UserAccountInput): Promise<UserAccount>;
  deleteUserAccount(loginId: string): Promise<void>;
}

/** The vehicle-location backend. Every method throws what {@link exchange} throws. */
export interface BackendApi {
  readonly public: PublicCalls;
  /** @param authorization the user's own `Authorization` header */
  asUser(authorization: string, signal?: AbortSignal): UserCalls;
  /** @param org organisation of the job, if it has one */
  asService(org: string | undefined, signal?: AbortSignal): ServiceCalls;
}

/** Client of backend-api, typed by `openapi/backend-api.yaml`. */
export function createBackendApi(options: BackendApiOptions): BackendApi {
  const { baseUrl, transport, apiKey, timeoutMs, logger } = options;
  const client = createClient<paths>({
    baseUrl,
    fetch: transport.fetch,
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const backend = 'backend-api';
  const call = { backend, timeoutMs, resilience: createResilience({ backend, logger }) } as const;
  const read = { ...call, mode: 'read' } as const;
  const write = { ...call, mode: 'write' } as const;
  const probe = { ...call, mode: 'probe' } as const;

  return {
    public: {
      getPublicKeys: () =>
        exchange({
          ...probe,
          timeoutMs: Math.min(timeoutMs, KEY_FETCH_TIMEOUT_MS),
          reply: replies.PublicKeys,
          send: (signal) => client.GET('/v1/public-keys', { signal }),
        }),
      login: (body) =>
        credentials(
          'The login id or the password is wrong.',
          exchange({
            ...write,
            reply: replies.LoginReply,
            send: (signal) => client.POST('/v1/login', { body, signal }),
          }),
        ),
      refreshToken: (refreshToken) =>
        credentials(
          'The refresh token is not valid. Log in again.',
          exchange({
            ...write,
            reply: replies.Session,
            send: (signal) => client.POST('/v1/token/refresh', { body: { refreshToken }, signal }),
          }),
        ),
      sendOtp: (loginId) =>
        exchange({
          ...write,
          reply: replies.OtpDelivery,
          send: (signal) => client.POST('/v1/otp/send', { body: { loginId }, signal }),
        }),
      sendTestOtp: (loginId) =>
        exchange({
          ...write,
          reply: replies.OtpDelivery,
          send: (signal) => client.POST('/v1/otp/send-test', { body: { loginId }, signal }),
        }),
      verifyOtp: (body) =>
        credentials(
          'The one-time password is wrong or has expired.',
          exchange({
            ...write,
            reply: replies.Session,
            send: (signal) => client.POST('/v1/otp/verify', { body, signal }),
          }),
        ),
      getHealth: (limit) =>
        exchange({
          ...probe,
          timeoutMs: limit,
          send: (signal) => client.GET('/health', { signal, parseAs: 'text' }),
        }).then(() => undefined),
    },

    asUser(authorization, abort) {
      const headers = { authorization };
      const user = { ...read, signal: abort };
      return {
        listMobiles: ({ tagIds, ...rest }) =>
          ownToken(
            exchange({
              ...user,
              reply: replies.MobilePage,
              send: (signal) =>
                client.GET('/v1/mobiles', {
                  headers,
                  signal,
                  params: { query: { ...rest, ...(tagIds && { tagIds: [...tagIds] }) } },
                }),
            }),
          ),
        getMobile: (id) =>
          ownToken(
            exchange({
              ...user,
              reply: replies.Mobile,
              send: (signal) =>
                client.GET('/v1/mobiles/{id}', { headers, signal, params: { path: { id: String(id) } } }),
            }),
          ),
        lookupMobiles: (ids) =>
          ownToken(
            exchange({
              ...user,
              reply: replies.MobileIds,
              send: (signal) => client.POST('/v1/mobiles/lookup', { headers, signal, body: { ids: [...ids] } }),
            }),
          ).then((reply) => reply.ids),
        listTags: () =>
          ownToken(
            exchange({ ...user, reply: replies.Tags, send: (signal) => client.GET('/v1/tags', { headers, signal }) }),
          ).then((reply) => reply.items),
        listUserAccounts: (query) =>
          ownToken(
            exchange({
              ...user,
              reply: replies.UserAccountPage,
              send: (signal) => client.GET('/v1/user-accounts', { headers, signal, params: { query } }),
            }),
          ),
      };
    },

    asService(org, abort) {
      const headers = { 'x-api-key': apiKey, ...(org !== undefined && { [ORG_HEADER]: encodeOrgHeader(org) }) };
      const reading = { ...read, signal: abort };
      const writing = { ...write, signal: abort };
      return {
        updateMobile: (id, body) =>
          ownKey(
            exchange({
              ...writing,
              reply: replies.Mobile,
              send: (signal) =>
                client.PATCH('/v1/mobiles/{id}', { headers, signal, body, params: { path: { id: String(id) } } }),
            }),
          ),
        getDrivingRecord: async (mobileId, { from, to }) => {
          requirePathId('mobileId', mobileId);
          return ownKey(
            exchange({
              ...reading,
              reply: replies.DrivingRecord,
              send: (signal) =>
                client.GET('/v1/mobiles/{id}/driving-record', {
                  headers,
                  signal,
                  params: { path: { id: mobileId }, query: { from, to } },
                }),
            }),
          );
        },
        createUserAccount: (body, idempotencyKey) =>
          ownKey(
            exchange({
              ...writing,
              reply: replies.CreatedUserAccount,
              send: (signal) =>
                client.POST('/v1/user-accounts', {
                  headers,
                  signal,
                  body,
                  params: { header: { 'Idempotency-Key': idempotencyKey } },
                }),
            }),
          ).then((reply) => reply.id),
        updateUserAccount: async (body) => {
          requirePathId('loginId', body.loginId);
          return ownKey(
            exchange({
              ...writing,
              reply: replies.UserAccount,
              send: (signal) =>
                client.PUT('/v1/user-accounts/{loginId}', {
                  headers,
                  signal,
                  body,
                  params: { path: { loginId: body.loginId } },
                }),
            }),
          );
        },
        deleteUserAccount: async (loginId) => {
          requirePathId('loginId', loginId);
          await ownKey(
            exchange({
              ...writing,
              send: (signal) =>
                client.DELETE('/v1/user-accounts/{loginId}', { headers, signal, params: { path: { loginId } } }),
            }),
          );
        },
      };
    },
  };
}

/** A 401 to somebody who shows credentials means that these are wrong. */
function credentials<T>(message: string, reply: Promise<T>): Promise<T> {
  return onUnauthorized(reply, () => new GatewayError('InvalidCredentials', message));
}

/** A 401 to a user's token means that backend-api no longer accepts a token whose signature is right. */
function ownToken<T>(reply: Promise<T>): Promise<T> {
  return onUnauthorized(reply, () => unauthenticated('token is invalid'));
}

/** A 401 to the service key is a fault of the configuration, never the caller's. */
function ownKey<T>(reply: Promise<T>): Promise<T> {
  return onUnauthorized(
    reply,
    () => new ServiceUnavailableError('backend-api', { cause: new Error('backend-api refused BACKEND_API_KEY') }),
  );
}

async function onUnauthorized<T>(reply: Promise<T>, replacement: () => Error): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw error instanceof BackendRefusal && error.httpStatus === 401 ? replacement() : error;
  }
}
