import type { Resolvers } from '../../../../generated/graphql.js';
import type { Visitor } from '../../../clients/backend-api.js';
import { endedBy, meaningOf } from '../../../clients/call-error.js';
import { causeOf, GatewayError } from '../../../base/errors.js';
import type { GatewayContext, Services } from '../context.js';

export function sessionResolvers({ backendApi, attemptLimits, keptSessions, allowTestOtp }: Services) {
  return {
    Query: { me: (_root, _args, { auth_user }) => auth_user },
    Mutation: {
      async userLogin(_root, { loginId, password }, context) {
        const visitor = toItsEnd(context);
        const { otpRequired, session, challenge } = await attemptLimits.credentials({ loginId, ...visitor }, () =>
          backendApi.asVisitor(visitor).login({ loginId, password }),
        );
        return { session: otpRequired ? null : session, otpRequired, challenge };
      },
      refreshUserToken(_root, { refreshToken }, context) {
        const visitor = toItsEnd(context);
        keptSessions.requireUnrefused(refreshToken);
        return attemptLimits
          .refresh(visitor.address, () =>
            keptSessions.refresh(refreshToken, () => backendApi.asVisitor(visitor).refreshToken(refreshToken)),
          )
          .catch(toKnownEnd);
      },
      sendOtp(_root, { loginId }, context) {
        const visitor = toItsEnd(context);
        return attemptLimits.otpSend({ loginId, ...visitor }, 'otp', () =>
          backendApi.asVisitor(visitor).sendOtp(loginId),
        );
      },
      verifyOtp(_root, { loginId, code, challenge }, context) {
        const visitor = toItsEnd(context);
        const otp = { loginId, code, ...(typeof challenge === 'string' && { challenge }) };
        return attemptLimits
          .credentials({ loginId, ...visitor }, () =>
            keptSessions.verify({ ...otp, ...visitor }, () => backendApi.asVisitor(visitor).verifyOtp(otp)),
          )
          .catch(toKnownEnd);
      },
      sendTestOtp(_root, { loginId }, context) {
        const visitor = toItsEnd(context);
        if (!allowTestOtp) throw new GatewayError('TestOtpOff');
        return attemptLimits.otpSend({ loginId, ...visitor }, 'test-otp', () =>
          backendApi.asVisitor(visitor).sendTestOtp(loginId),
        );
      },
    },
  } satisfies Resolvers;
}

/**
 * Returns a client whose calls end by themselves, also when it has disconnected: a token or a code that is used up with
 * no answer kept would log its user out, and a code that was sent would be sent again.
 */
function toItsEnd({ address }: GatewayContext): Visitor {
  return { address: address() };
}

/** Throws an error that asks for no second use of a token or a code that may be used up (RFC 9700, section 4.14.2). */
function toKnownEnd(error: unknown): never {
  const mayBeUsedUp = meaningOf(error).isInDoubt === true || endedBy(error, 'unreadable');
  throw mayBeUsedUp ? new GatewayError('SessionUnknown', {}, { cause: causeOf(error) }) : error;
}
