import * as contract from '../../../generated/validators/backend-api.js';
import type { GraphQLReason } from '../../base/error-table.js';
import { GatewayError } from '../../base/errors.js';
import { isUnauthorized, mapRefusal, reasonOfRefusal, type CallName, type Refusal } from '../call-error.js';
import type { Caller } from '../caller.js';
import { whole, type ReplyReader } from '../read-reply.js';
import type { Send } from '../exchange.js';
import type { BackendApiParts, LoginReply, OtpDelivery, Session } from './backend-api-parts.js';

export interface Visitor {
  /** Client address; calls from one address count as one party. */
  readonly address: string;
  /** Aborts the calls; absent if they run to their end. */
  readonly signal?: AbortSignal;
}

export type VisitorCalls = ReturnType<typeof visitorCalls>;

/** Creates the calls of one client. Wrong credentials are an error with the code `InvalidCredentials`. */
export function visitorCalls({ backend, client }: BackendApiParts, visitor: Visitor) {
  const caller: Caller = { kind: 'user', ...visitor };
  /** Sends credentials. A 401 means that they are wrong. */
  const check = <T>(call: CallName, wrong: GraphQLReason & `Wrong${string}`, reply: ReplyReader<T>, send: Send) =>
    mapRefusal(backend.write(caller, { call, reply, send }), (refusal) =>
      isUnauthorized(refusal) ? new GatewayError(wrong) : toStranger(refusal),
    );
  /** Requests a one-time password, without credentials that could be wrong. */
  const deliver = (call: CallName, send: Send): Promise<OtpDelivery> =>
    mapRefusal(
      backend.write({ ...caller, sendsCode: true }, { call, reply: whole(contract.OtpDelivery), send }),
      (refusal) => (isUnauthorized(refusal) ? refusal : toStranger(refusal)),
    );
  return {
    login: (body: { loginId: string; password: string }): Promise<LoginReply> =>
      check('login', 'WrongPassword', whole(contract.LoginReply), (via) => client.POST('/v1/login', { ...via, body })),
    refreshToken: (refreshToken: string): Promise<Session> =>
      check('refreshToken', 'WrongRefreshToken', whole(contract.Session), (via) =>
        client.POST('/v1/token/refresh', { ...via, body: { refreshToken } }),
      ),
    sendOtp: (loginId: string): Promise<OtpDelivery> =>
      deliver('sendOtp', (via) => client.POST('/v1/otp/send', { ...via, body: { loginId } })),
    sendTestOtp: (loginId: string): Promise<OtpDelivery> =>
      deliver('sendTestOtp', (via) => client.POST('/v1/otp/send-test', { ...via, body: { loginId } })),
    verifyOtp: (body: { loginId: string; code: string; challenge?: string }): Promise<Session> =>
      check('verifyOtp', 'WrongOtp', whole(contract.Session), (via) => client.POST('/v1/otp/verify', { ...via, body })),
  };
}

const REASONS = {
  ForbiddenByBackend: 'AccountForbidden',
  UnknownToBackend: 'UnknownAccount',
  TooManyForBackend: 'TooManyAttempts',
  RefusedByBackend: 'RequestRefused',
} as const satisfies Record<ReturnType<typeof reasonOfRefusal>, GraphQLReason>;

/** Replaces the backend's own words, which could expose internals or quote a secret to a stranger. */
function toStranger(refusal: Refusal): GatewayError {
  return new GatewayError(REASONS[reasonOfRefusal(refusal)]);
}
