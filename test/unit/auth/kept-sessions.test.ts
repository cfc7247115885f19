/** A second use of a refresh token or of a code gets the first answer, within its time and for nobody else. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { GatewayError, ServiceUnavailableError } from '../../../src/base/errors.js';
import type { Session } from '../../../src/clients/backend-api.js';
import { KeptSessions } from '../../../src/gateway/auth/kept-sessions.js';
import { memoryTexts } from '../../../src/jobs/engines/memory-counter.js';

const CODE = { loginId: 'demo', code: '123456', challenge: 'challenge', address: '192.0.2.1' };
const OLD = randomBytes(32);
const NEW = randomBytes(32);

let asked: number;
let texts: ReturnType<typeof memoryTexts>;
let kept: KeptSessions;
const keptWith = (...keys: readonly [Uint8Array, ...Uint8Array[]]): KeptSessions =>
  new KeptSessions({ texts, keyRing: new KeyRing(keys), callMs: 10_000 });

beforeEach(() => {
  jest.useFakeTimers();
  asked = 0;
  texts = memoryTexts();
  kept = keptWith(OLD);
});
afterEach(() => {
  jest.useRealTimers();
});

/** The backend, which makes a new session each time. */
function exchange(): Promise<Session> {
  asked += 1;
  return Promise.resolve({ accessToken: `access ${asked}`, refreshToken: `refresh ${asked}`, expiresIn: 900 });
}

const refuse = (): Promise<never> => {
  asked += 1;
  return Promise.reject(new GatewayError('WrongRefreshToken'));
};

describe('a session that a refresh gave', () => {
  it('is given again for a minute, by every gateway with the same keys', async () => {
    const first = await kept.refresh('token', exchange);
    jest.advanceTimersByTime(59_000);
    for (const gateway of [kept, keptWith(OLD), keptWith(NEW, OLD)]) {
      expect(await gateway.refresh('token', exchange)).toEqual(first);
    }
    jest.advanceTimersByTime(1_001);
    expect(await kept.refresh('token', exchange)).toMatchObject({ accessToken: 'access 2' });
  });

  it('is given no more once its refresh token was used', async () => {
    const { refreshToken } = await kept.refresh('token', exchange);
    await keptWith(NEW, OLD).refresh(refreshToken, exchange);
    expect(await kept.refresh('token', exchange)).toMatchObject({ accessToken: 'access 3' });
  });

  it('is asked for once, however many ask at the same time', async () => {
    let answer: (session: Session) => void = () => undefined;
    const slow = jest.fn(() => new Promise<Session>((resolve) => (answer = resolve)));
    const asking = [kept, keptWith(OLD), kept].map((gateway) => gateway.refresh('token', slow));
    await jest.advanceTimersByTimeAsync(1_000);
    answer({ accessToken: 'one', refreshToken: 'two', expiresIn: 900 });
    await jest.advanceTimersByTimeAsync(100);
    expect(new Set((await Promise.all(asking)).map(({ accessToken }) => accessToken))).toEqual(new Set(['one']));
    expect(slow).toHaveBeenCalledTimes(1);
  });

  it('is asked for again after a failure, also of a gateway that was killed', async () => {
    const down = (): Promise<never> => Promise.reject(new ServiceUnavailableError('backend-api'));
    await expect(kept.refresh('token', down)).rejects.toThrow(ServiceUnavailableError);
    expect(await kept.refresh('token', exchange)).toMatchObject({ accessToken: 'access 1' });
    void kept.refresh('killed', () => new Promise(() => undefined));
    const waiting = keptWith(OLD).refresh('killed', exchange);
    await jest.advanceTimersByTimeAsync(11_000);
    expect(await waiting).toMatchObject({ accessToken: 'access 2' });
  });

  it('is waited for no longer than a call for it lasts, however many wait', async () => {
    const hanging = jest.fn(() => new Promise<Session>(() => undefined));
    const ended: unknown[] = [];
    const allButTwo = new Promise<void>((resolve) => {
      for (let at = 0; at < 5; at += 1) {
        void kept.refresh('token', hanging).catch((error: unknown) => ended.push(error) === 3 && resolve());
      }
    });
    await jest.advanceTimersByTimeAsync(11_000);
    await allButTwo;
    for (const end of ended) expect(end).toMatchObject({ reason: 'SessionUnknown' });
    expect(hanging).toHaveBeenCalledTimes(2);
  });

  it('is not asked for beside a call that ends a little late', async () => {
    const late = kept.refresh('token', async () => {
      await new Promise((resolve) => setTimeout(resolve, 10_500));
      throw new ServiceUnavailableError('backend-api');
    });
    late.catch(() => undefined);
    await jest.advanceTimersByTimeAsync(10_200);
    const next = kept.refresh('token', exchange);
    await jest.advanceTimersByTimeAsync(100);
    expect(asked).toBe(0);
    await jest.advanceTimersByTimeAsync(300);
    expect(await next).toMatchObject({ accessToken: 'access 1' });
  });

  it('cannot be read without the token, or without the key', async () => {
    const put = jest.spyOn(texts, 'put');
    const { accessToken, refreshToken } = await kept.refresh('token', exchange);
    const stored = JSON.stringify(put.mock.calls);
    for (const secret of ['token', accessToken, refreshToken]) expect(stored).not.toContain(`"${secret}`);
    expect(await kept.refresh('other', exchange)).toMatchObject({ accessToken: 'access 2' });
    expect(await keptWith(NEW).refresh('token', exchange)).toMatchObject({ accessToken: 'access 3' });
  });
});

describe('a session that a code gave', () => {
  it('is given again for ten seconds, to the same client with the same challenge', async () => {
    const first = await kept.verify(CODE, exchange);
    expect(await kept.verify({ ...CODE }, exchange)).toEqual(first);
    const others = [
      { address: '192.0.2.2' },
      { challenge: 'other' },
      { challenge: null },
      { code: '1' },
      { loginId: 'd' },
    ];
    for (const other of others) expect(await kept.verify({ ...CODE, ...other }, exchange)).not.toEqual(first);
    jest.advanceTimersByTime(10_001);
    expect(await kept.verify(CODE, exchange)).not.toEqual(first);
  });

  it('is given no more once its refresh token was used', async () => {
    const first = await kept.verify(CODE, exchange);
    await kept.refresh(first.refreshToken, exchange);
    expect(await kept.verify(CODE, exchange)).not.toEqual(first);
  });
});

describe('a refresh token that was refused', () => {
  it('is refused from memory for a minute, and no other is', async () => {
    await expect(kept.refresh('token', refuse)).rejects.toMatchObject({ reason: 'WrongRefreshToken' });
    expect(() => kept.requireUnrefused('token')).toThrow('The refresh token is not valid. Log in again.');
    kept.requireUnrefused('other');
    jest.advanceTimersByTime(60_001);
    kept.requireUnrefused('token');
  });

  it('is not asked for again by those who waited for its answer', async () => {
    const ends = [1, 2, 3].map(() => kept.refresh('token', refuse).catch((error: unknown) => error));
    await jest.advanceTimersByTimeAsync(1_000);
    for (const end of ends) expect(await end).toMatchObject({ reason: 'WrongRefreshToken' });
    expect(asked).toBe(1);
  });

  it('is one of 10,000', async () => {
    for (let at = 0; at <= 10_000; at += 1) await kept.refresh(`token ${at}`, refuse).catch(() => undefined);
    kept.requireUnrefused('token 0');
    expect(() => kept.requireUnrefused('token 1')).toThrow();
  });
});
