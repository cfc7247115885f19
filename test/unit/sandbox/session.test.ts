import { beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { createLogger } from '../../../src/logging/logger.js';
import { SANDBOX_ISSUER } from '../../../src/sandbox/sandbox.js';
import { asUser, clientsOf, startQuietSandbox, useSandbox } from './sandbox-client.js';

const START = Date.parse('2026-11-20T03:00:00Z');
let time = START;
const log: string[] = [];
const own = useSandbox({
  now: () => new Date(time),
  logger: createLogger({ level: 'info', pretty: false, destination: { write: (line) => void log.push(line) } }),
});
beforeEach(() => {
  time = START;
  log.length = 0;
});

const publicKeys = async () => Array.from((await own.backend.GET('/v1/public-keys')).data?.keys ?? []);
const login = (loginId: string, password: string) => own.backend.POST('/v1/login', { body: { loginId, password } });

describe('Login', () => {
  it('issues RS256 tokens with the claims of the specification that a published key verifies', async () => {
    const { data } = await login('demo', 'demo-password');
    const token = data?.session?.accessToken ?? '';
    const keys = await publicKeys();
    const key = keys.find(({ kid }) => kid === decodeProtectedHeader(token).kid);
    const publicKey = createPublicKey(key?.pem ?? '');
    const rules = { algorithms: ['RS256'], currentDate: new Date(time) };
    const { payload } = await jwtVerify(token, publicKey, rules);
    expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(payload).toEqual({
      iss: SANDBOX_ISSUER,
      preferred_username: 'demo',
      'org:id': 'acme',
      region: 'jp-east',
      is_admin: true,
      chat_id: 'chat-demo',
      iat: START / 1000,
      exp: START / 1000 + 900,
    });
    expect(data?.session?.expiresIn).toBe(900);
  });

  it('refuses a wrong password and an unknown login id alike', async () => {
    const wrong = await login('demo', 'driver-password');
    const unknown = await login('nobody', 'demo-password');
    expect(wrong.response.status).toBe(401);
    expect(wrong.error).toEqual({ message: 'The login id or the password is wrong.' });
    expect([unknown.response.status, unknown.error]).toEqual([401, wrong.error]);
  });
});

describe('Refresh tokens', () => {
  const refresh = (refreshToken: string) => own.backend.POST('/v1/token/refresh', { body: { refreshToken } });

  it('open a new session once', async () => {
    const first = (await login('driver', 'driver-password')).data?.session;
    const second = await refresh(first?.refreshToken ?? '');
    expect(decodeJwt(second.data?.accessToken ?? '')).toMatchObject({ preferred_username: 'driver' });
    expect(second.data?.refreshToken).not.toBe(first?.refreshToken);
    expect((await refresh(first?.refreshToken ?? '')).response.status).toBe(401);
    expect((await refresh(second.data?.refreshToken ?? '')).response.status).toBe(200);
  });

  it('end with their account', async () => {
    const session = (await login('staff-01', 'staff-password')).data?.session;
    await own.backend.DELETE('/v1/user-accounts/{loginId}', {
      ...(await asUser(own.sandbox)),
      params: { path: { loginId: 'staff-01' } },
    });
    expect((await refresh(session?.refreshToken ?? '')).response.status).toBe(401);
  });
});

describe('One-time passwords', () => {
  const sendTestOtp = (loginId: string) => own.backend.POST('/v1/otp/send-test', { body: { loginId } });
  const verify = (code: string, challenge?: string) =>
    own.backend.POST('/v1/otp/verify', {
      body: { loginId: 'otp', code, ...(challenge !== undefined && { challenge }) },
    });
  const begin = async (): Promise<{ challenge: string; code: string }> => {
    const { data } = await login('otp', 'otp-password');
    await sendTestOtp('otp');
    return { challenge: data?.challenge ?? '', code: own.sandbox.otps.last('otp') ?? '' };
  };

  it('are six digits, readable in the log, and open a session once, with the challenge', async () => {
    const { challenge, code } = await begin();
    expect(code).toMatch(/^\d{6}$/);
    expect(log.filter((line) => line.includes(`"code":"${code}"`))).toHaveLength(1);
    const { data } = await verify(code, challenge);
    expect(decodeJwt(data?.accessToken ?? '')).toMatchObject({ preferred_username: 'otp' });
    expect((await verify(code, challenge)).response.status).toBe(401);
    expect(own.sandbox.otps.last('otp')).toBeUndefined();
  });

  it('are the same in every run', async () => {
    const other = await startQuietSandbox();
    try {
      await clientsOf(other).backend.POST('/v1/otp/send', { body: { loginId: 'staff-02' } });
      await sendTestOtp('staff-02');
      expect(own.sandbox.otps.last('staff-02')).toMatch(/^\d{6}$/);
      expect(other.otps.last('staff-02')).toBe(own.sandbox.otps.last('staff-02'));
    } finally {
      await other.close();
    }
  });

  type Spoilt = [code: string, challenge?: string];
  it.each<[string, (given: { challenge: string; code: string }) => Spoilt | Promise<Spoilt>]>([
    ['with a wrong code', ({ challenge, code }) => [code === '000000' ? '000001' : '000000', challenge]],
    ['without the challenge', ({ code }) => [code]],
    [
      'with the challenge of an earlier login',
      async ({ challenge, code }) => {
        await login('otp', 'otp-password');
        return [code, challenge];
      },
    ],
    [
      'after 300 seconds',
      ({ challenge, code }) => {
        time += 300_000;
        return [code, challenge];
      },
    ],
    [
      'after a newer one was sent',
      async ({ challenge, code }) => {
        await sendTestOtp('otp');
        return [code, challenge];
      },
    ],
  ])('are refused %s', async (_name, spoilt) => {
    const { response, error } = await verify(...(await spoilt(await begin())));
    expect(response.status).toBe(401);
    expect(error).toEqual({ message: 'The one-time password is wrong or has expired.' });
  });

  it('are refused after five wrong attempts', async () => {
    const { challenge, code } = await begin();
    for (let attempt = 0; attempt < 5; attempt += 1) await verify('wrong', challenge);
    expect((await verify(code, challenge)).response.status).toBe(401);
  });

  it('are announced with a masked address, for unknown accounts too', async () => {
    expect((await sendTestOtp('otp')).data).toEqual({ sentTo: 'o***@sandbox.test', expiresIn: 300 });
    expect((await sendTestOtp('nobody')).data).toEqual({ sentTo: 'n***@sandbox.test', expiresIn: 300 });
    expect(own.sandbox.otps.last('nobody')).toBeUndefined();
  });
});

it('Public keys carry an ETag that answers If-None-Match with 304 until the keys change', async () => {
  const etag = (await own.backend.GET('/v1/public-keys')).response.headers.get('etag') ?? '';
  const conditional = { headers: { 'if-none-match': `"other", ${etag}` } };
  expect(etag).toMatch(/^".+"$/);
  expect((await own.backend.GET('/v1/public-keys', conditional)).response.status).toBe(304);
  await own.sandbox.rotateKeys();
  expect((await own.backend.GET('/v1/public-keys', conditional)).response.status).toBe(200);
});

it('Tokens are made for no account that does not exist', async () => {
  const minting = own.sandbox.mintToken({ loginId: 'nobody' });
  await expect(minting).rejects.toThrow('The sandbox has no account nobody.');
});
