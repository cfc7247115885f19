/** Texts of a backend never reach a visitor who has not logged in, and no caller sees a password that it quotes. */
import { describe, expect, it } from '@jest/globals';
import { USER_ACCOUNTS } from '../support/job-requests.js';
import { gatewayForAllTests } from '../support/resources.js';

/** A password with letters that JSON and URLs escape. */
const PASSWORD = 'Pä"ss/w ö+rd?1~';

/** Ways in which a text may repeat it. */
const QUOTES: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'within a sentence': (secret) => `"${secret}" is too short`,
  'in JSON': (secret) => JSON.stringify({ password: secret }),
  'in a URL': (secret) => `/v1?password=${encodeURIComponent(secret)}&a=1`,
};

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

describe('a password that backend-api quotes', () => {
  it.each(Object.entries(QUOTES))('%s is in neither reply nor record nor log', async (_how, quote) => {
    const message = quote(PASSWORD);
    const stop = gateway.sandbox.faults.set({
      operation: 'createUserAccount',
      fault: { kind: 'status', status: 422, message },
    });
    const items = [{ type: 0, userAccountInput: { loginId: 'new', password: PASSWORD, name: 'N' } }];
    const { status, body, text } = await gateway.callback(USER_ACCOUNTS, items);
    stop();
    expect([status, body]).toMatchObject([
      200,
      { status: 'Failure', errors: [expect.stringMatching(/: the password was refused$/)] },
    ]);
    for (const seen of [text, gateway.logged()]) {
      expect(seen).not.toContain(JSON.stringify(message).slice(1, -1));
      expect(seen).not.toContain(PASSWORD);
    }
  });

  it.each(Object.entries(QUOTES))('%s while it is busy is not in the log', async (_how, quote) => {
    const message = quote(PASSWORD);
    gateway.sandbox.faults.set({
      operation: 'createUserAccount',
      times: 1,
      fault: { kind: 'status', status: 429, message },
    });
    const items = [
      { type: 0, userAccountInput: { loginId: `new-${_how.replaceAll(' ', '-')}`, password: PASSWORD, name: 'N' } },
    ];
    expect((await gateway.callback(USER_ACCOUNTS, items)).status).toBe(200);
    expect(gateway.logged()).toContain('job.waiting');
    expect(gateway.logged()).not.toContain(JSON.stringify(message).slice(1, -1));
  });
});
