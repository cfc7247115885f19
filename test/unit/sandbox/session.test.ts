import { beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { createLogger } from '../../../src/base/logging/logger.js';
import { useSandbox } from './sandbox-client.js';

const START = Date.parse('2026-11-20T03:00:00Z');
let time = START;
const log: string[] = [];
const own = useSandbox({
  now: () => new Date(time),
  logger: createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } }),
});
beforeEach(() => {
  time = START;
  log.length = 0;
});

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}
interface LoggedIn {
  readonly session: Session;
  readonly challenge: string;
}

const post = <T>(path: string, body: object) => own.ask<T>(`POST /v1/${path}`, body, { headers: {} });
const login = (loginId: string, password: string) => post<LoggedIn>('login', { loginId, password });

describe('Refresh tokens', () => {
  const refresh = (refreshToken: string) => post<Session>('token/refresh', { refreshToken });

  it('end with their account', async () => {
    const { session } = (await login('staff-01', 'staff-password')).body;
    const { iat = 0, exp = 0 } = decodeJwt(session.accessToken);
    expect([exp - iat, session.expiresIn]).toEqual([900, 900]);
    await own.ask('DELETE /v1/user-accounts/staff-01');
    expect((await refresh(session.refreshToken)).status).toBe(401);
  });
});

describe('One-time passwords', () => {
  const sendTestOtp = (loginId: string) => post('otp/send-test', { loginId });
  const verify = (code: string, challenge?: string) =>
    post<Session>('otp/verify', { loginId: 'otp', code, ...(challenge !== undefined && { challenge }) });
  const begin = async (): Promise<{ challenge: string; code: string }> => {
    const { challenge } = (await login('otp', 'otp-password')).body;
    await sendTestOtp('otp');
    return { challenge, code: own.sandbox.otps.last('otp') ?? '' };
  };

  it('are six digits, readable in the log, and open a session once, with the challenge', async () => {
    const { challenge, code } = await begin();
    expect(code).toMatch(/^\d{6}$/);
    expect(log.filter((line) => line.includes(`"code":"${code}"`))).toHaveLength(1);
    expect(decodeJwt((await verify(code, challenge)).body.accessToken)).toMatchObject({ preferred_username: 'otp' });
    expect((await verify(code, challenge)).status).toBe(401);
    expect(own.sandbox.otps.last('otp')).toBeUndefined();
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
    const message = 'The one-time password is wrong or has expired.';
    expect(await verify(...(await spoilt(await begin())))).toMatchObject({ status: 401, body: { message } });
  });

  it('are refused after five wrong attempts', async () => {
    const { challenge, code } = await begin();
    for (let attempt = 0; attempt < 5; attempt += 1) await verify('wrong', challenge);
    expect((await verify(code, challenge)).status).toBe(401);
  });

  it('are announced with a masked address, for unknown accounts too', async () => {
    expect((await sendTestOtp('otp')).body).toEqual({ sentTo: 'o***@sandbox.test', expiresIn: 300 });
    expect((await sendTestOtp('nobody')).body).toEqual({ sentTo: 'n***@sandbox.test', expiresIn: 300 });
    expect(own.sandbox.otps.last('nobody')).toBeUndefined();
  });
});

it('Public keys carry an ETag that answers If-None-Match with 304 until the keys change', async () => {
  const etag = (await own.ask('GET /v1/public-keys')).headers.get('etag') ?? '';
  expect(etag).toMatch(/^".+"$/);
  const conditional = { headers: { 'if-none-match': `"other", ${etag}` } };
  expect((await own.ask('GET /v1/public-keys', undefined, conditional)).status).toBe(304);
  await own.sandbox.rotateKeys();
  expect((await own.ask('GET /v1/public-keys', undefined, conditional)).status).toBe(200);
});
