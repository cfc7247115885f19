/** Texts of a backend never reach a visitor who has not logged in. */
import { describe, expect, it } from '@jest/globals';
import { gatewayForAllTests } from '../support/resources.js';

const INSIDE = 'db-7.internal: no row in table accounts for demo';

const gateway = gatewayForAllTests({
  LOGIN_RATE_PER_MINUTE: '1000',
  OTP_SEND_RATE_PER_MINUTE: '1000',
  LOG_LEVEL: 'trace',
});

const ANONYMOUS: Readonly<Record<string, string>> = {
  login: 'mutation { userLogin(loginId: "demo", password: "x") { otpRequired } }',
  refreshToken: 'mutation { refreshUserToken(refreshToken: "x") { accessToken } }',
  sendOtp: 'mutation { sendOtp(loginId: "demo") { sentTo } }',
  sendTestOtp: 'mutation { sendTestOtp(loginId: "demo") { sentTo } }',
  verifyOtp: 'mutation { verifyOtp(loginId: "demo", code: "1") { accessToken } }',
};

/** Refusals and failures of a backend, and the code that each becomes for a caller with credentials. */
const STATUSES = [400, 401, 402, 403, 404, 409, 410, 418, 422, 429, 500, 503];

describe.each(Object.entries(ANONYMOUS))('an anonymous %s', (_operation, query) => {
  it.each(STATUSES)('is refused in words of our own when backend-api answers %d', async (status) => {
    for (const body of [{ message: INSIDE }, { message: INSIDE, detail: INSIDE }, INSIDE, [INSIDE]]) {
      gateway.sandbox.faults.set({ backend: 'backend-api', fault: { kind: 'status', status, body } });
      const { errors, text } = await gateway.graphql(query);
      expect(errors).toHaveLength(1);
      expect(text).not.toMatch(/internal:|accounts for|status \d/);
      expect(errors?.[0]?.extensions.code).not.toBe('InternalError');
    }
    expect(gateway.logged()).not.toContain(INSIDE);
  });
});
