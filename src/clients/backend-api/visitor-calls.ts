import * as contract from '../../../generated/validators/backend-api.js';
import { GatewayError, type ErrorCode } from '../../errors.js';
import { type BackendRefusal, reworded, unavailable } from '../call-errors.js';
import type { Caller } from '../caller.js';
import { whole, type Reading } from '../read-reply.js';
import type { Send } from '../exchange.js';
import type { BackendApiParts, LoginReply, OtpDelivery, Session } from './backend-api-parts.js';

/** Client that has not logged in. */
export interface Visitor {
  /** Client address; calls from one address count as one party. */
  readonly address: string;
  /** Ends calls early. */
  readonly signal: AbortSignal;
}

/** Calls for a client that has not logged in. */
export type VisitorCalls = ReturnType<typeof visitorCalls>;

/** Creates the calls of one client. Wrong credentials are an error with the code `InvalidCredentials`. */
export function visitorCalls({ backend, client }: BackendApiParts, visitor: Visitor) {
  const caller: Caller = { kind: 'user', ...visitor };
  /** A 401 to a request with credentials means that these are wrong. */
  const check = <T>(call: string, wrong: string, reply: Reading<T>, send: Send): Promise<T> =>
    reworded(backend.write(caller, { call, reply, send }), (refusal) =>
      refusal.httpStatus === 401 ? new GatewayError('InvalidCredentials', wrong) : inOwnWords(refusal),
    );
  /** A request for a one-time password has no credentials that could be wrong. */
  const deliver = (call: string, send: Send): Promise<OtpDelivery> =>
    reworded(backend.write(caller, { call, reply: whole(contract.OtpDelivery), send }), (refusal) =>
      refusal.httpStatus === 401 ? unavailable(refusal) : inOwnWords(refusal),
    );
  return {
    login: (body: { loginId: string; password: string }): Promise<LoginReply> =>
      check('login', 'The login id or the password is wrong.', whole(contract.LoginReply), (via) =>
        client.POST('/v1/login', { ...via, body }),
      ),
    refreshToken: (refreshToken: string): Promise<Session> =>
      check('refreshToken', 'The refresh token is not valid. Log in again.', whole(contract.Session), (via) =>
        client.POST('/v1/token/refresh', { ...via, body: { refreshToken } }),
      ),
    sendOtp: (loginId: string): Promise<OtpDelivery> =>
      deliver('sendOtp', (via) => client.POST('/v1/otp/send', { ...via, body: { loginId } })),
    sendTestOtp: (loginId: string): Promise<OtpDelivery> =>
      deliver('sendTestOtp', (via) => client.POST('/v1/otp/send-test', { ...via, body: { loginId } })),
    verifyOtp: (body: { loginId: string; code: string; challenge?: string }): Promise<Session> =>
      check('verifyOtp', 'The one-time password is wrong or has expired.', whole(contract.Session), (via) =>
        client.POST('/v1/otp/verify', { ...via, body }),
      ),
  };
}

/** Messages for each kind of refusal. */
const OWN_WORDS: Partial<Record<ErrorCode, string>> = {
  Forbidden: 'This is not allowed for this account. Ask an administrator.',
  NotFound: 'There is no such account.',
  TooManyRequests: 'There were too many attempts. Try again later.',
};

/** Drops the backend's own words: they are for known users, and could expose internals or quote a secret. */
function inOwnWords({ code }: BackendRefusal): GatewayError {
  return new GatewayError(code, OWN_WORDS[code] ?? 'The request was refused. Check what was sent.');
}
