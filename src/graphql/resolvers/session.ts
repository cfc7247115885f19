import type { Resolvers } from '../../../generated/graphql.js';
import { forbidden } from '../../errors.js';
import type { Services } from '../services.js';

/** Login, one-time passwords, token refresh and the current user. */
export function sessionResolvers({ backendApi, attemptLimits, allowTestOtp }: Services): Resolvers {
  const backend = backendApi.public;
  return {
    Query: { me: (_root, _args, { auth_user }) => auth_user },
    Mutation: {
      async userLogin(_root, { loginId, password }, { address }) {
        const reply = await attemptLimits.credentials({ loginId, address }, () => backend.login({ loginId, password }));
        return {
          session: reply.otpRequired ? null : reply.session,
          otpRequired: reply.otpRequired,
          challenge: reply.challenge,
        };
      },
      refreshUserToken: (_root, { refreshToken }) => backend.refreshToken(refreshToken),
      sendOtp: (_root, { loginId }, { address }) =>
        attemptLimits.otpSend({ loginId, address }, () => backend.sendOtp(loginId)),
      verifyOtp: (_root, { loginId, code, challenge }, { address }) =>
        attemptLimits.credentials({ loginId, address }, () =>
          backend.verifyOtp({ loginId, code, ...(typeof challenge === 'string' && { challenge }) }),
        ),
      sendTestOtp(_root, { loginId }, { address }) {
        if (!allowTestOtp) throw forbidden('Test one-time passwords are not available here.');
        return attemptLimits.otpSend({ loginId, address }, () => backend.sendTestOtp(loginId));
      },
    },
  };
}
