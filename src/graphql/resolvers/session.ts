import type { Resolvers } from '../../../generated/graphql.js';
import { forbidden } from '../../errors.js';
import type { Services } from '../context.js';

/** Login, one-time passwords, token refresh and the current user. */
export function sessionResolvers({ backendApi, attemptLimits, allowTestOtp }: Services): Resolvers {
  return {
    Query: { me: (_root, _args, { auth_user }) => auth_user },
    Mutation: {
      async userLogin(_root, { loginId, password }, context) {
        const address = context.address();
        const reply = await attemptLimits.credentials({ loginId, address }, () =>
          backendApi.asVisitor(address).login({ loginId, password }),
        );
        return {
          session: reply.otpRequired ? null : reply.session,
          otpRequired: reply.otpRequired,
          challenge: reply.challenge,
        };
      },
      refreshUserToken: (_root, { refreshToken }, context) =>
        backendApi.asVisitor(context.address()).refreshToken(refreshToken),
      sendOtp(_root, { loginId }, context) {
        const address = context.address();
        return attemptLimits.otpSend({ loginId, address }, () => backendApi.asVisitor(address).sendOtp(loginId));
      },
      verifyOtp(_root, { loginId, code, challenge }, context) {
        const address = context.address();
        return attemptLimits.credentials({ loginId, address }, () =>
          backendApi
            .asVisitor(address)
            .verifyOtp({ loginId, code, ...(typeof challenge === 'string' && { challenge }) }),
        );
      },
      sendTestOtp(_root, { loginId }, context) {
        const address = context.address();
        if (!allowTestOtp) throw forbidden('Test one-time passwords are not available here.');
        return attemptLimits.otpSend({ loginId, address }, () => backendApi.asVisitor(address).sendTestOtp(loginId));
      },
    },
  };
}
