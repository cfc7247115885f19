import type { Resolvers } from '../../../../generated/graphql.js';
import type { Visitor } from '../../../clients/backend-api.js';
import { GatewayError } from '../../../base/errors.js';
import type { GatewayContext, Services } from '../context.js';

/** Creates the resolvers of login, one-time passwords, token refresh and the current user. */
export function sessionResolvers({ backendApi, attemptLimits, allowTestOtp }: Services) {
  return {
    Query: { me: (_root, _args, { auth_user }) => auth_user },
    Mutation: {
      async userLogin(_root, { loginId, password }, context) {
        const visitor = visitorOf(context);
        const { otpRequired, session, challenge } = await attemptLimits.credentials({ loginId, ...visitor }, () =>
          backendApi.asVisitor(visitor).login({ loginId, password }),
        );
        return { session: otpRequired ? null : session, otpRequired, challenge };
      },
      refreshUserToken(_root, { refreshToken }, context) {
        const visitor = visitorOf(context);
        return attemptLimits.refresh(visitor, () => backendApi.asVisitor(visitor).refreshToken(refreshToken));
      },
      sendOtp(_root, { loginId }, context) {
        const visitor = visitorOf(context);
        return attemptLimits.otpSend({ loginId, ...visitor }, () => backendApi.asVisitor(visitor).sendOtp(loginId));
      },
      verifyOtp(_root, { loginId, code, challenge }, context) {
        const visitor = visitorOf(context);
        const otp = { loginId, code, ...(typeof challenge === 'string' && { challenge }) };
        return attemptLimits.credentials({ loginId, ...visitor }, () => backendApi.asVisitor(visitor).verifyOtp(otp));
      },
      sendTestOtp(_root, { loginId }, context) {
        const visitor = visitorOf(context);
        if (!allowTestOtp) throw new GatewayError('TestOtpOff');
        return attemptLimits.otpSend({ loginId, ...visitor }, () => backendApi.asVisitor(visitor).sendTestOtp(loginId));
      },
    },
  } satisfies Resolvers;
}

function visitorOf({ address, cutOff }: GatewayContext): Visitor {
  return { address: address(), signal: cutOff.signal };
}
