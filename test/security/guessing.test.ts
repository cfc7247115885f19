/** Guesses of passwords and codes, and floods of codes, are stopped, whatever is varied; other callers are not. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CounterFactory } from '../../src/jobs/record/attempt-counter.js';
import { MemoryCounter, memoryTexts } from '../../src/jobs/engines/memory-counter.js';
import { GatewayError, ServiceUnavailableError } from '../../src/base/errors.js';
import { AttemptLimits } from '../../src/gateway/graphql/limits/attempt-limits.js';
import { postJson, type ShownError } from '../support/gateway.js';
import { gatewayForAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

const login = (loginId: string): string =>
  `mutation { userLogin(loginId: ${JSON.stringify(loginId)}, password: "wrong") { otpRequired } }`;
const verify = (loginId: string): string => `mutation { verifyOtp(loginId: "${loginId}", code: "0") { expiresIn } }`;
const sendOtp = (loginId: string): string => `mutation { sendOtp(loginId: ${JSON.stringify(loginId)}) { sentTo } }`;
const sendTestOtp = (loginId: string): string =>
  `mutation { sendTestOtp(loginId: ${JSON.stringify(loginId)}) { sentTo } }`;

const times = <T>(count: number, one: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

describe('through a proxy that is believed', () => {
  const gateway = gatewayForAllTests({ TRUSTED_PROXIES: '1' });

  /** The error of a mutation that comes from this address. */
  async function errorOf(query: string, forwarded: string): Promise<ShownError | undefined> {
    const reply = await postJson(`${gateway.url}/graphql`, { query }, { 'x-forwarded-for': forwarded });
    const { errors } = (await reply.json()) as { errors?: ShownError[] }; // a test's view
    return errors?.[0];
  }

  /** How many of these calls backend-api was asked for, and how the last one ended. */
  async function asked(calls: readonly (readonly [query: string, forwarded: string])[]): Promise<[number, string]> {
    gateway.sandbox.journal.clear();
    let last: ShownError | undefined;
    for (const [query, forwarded] of calls) last = await errorOf(query, forwarded);
    return [gateway.sandbox.journal.requests().length, last?.extensions.code ?? 'ok'];
  }

  const SPELLINGS = ['demo', 'DEMO', ' Demo', 'dEmO\u3000', '\uff44\uff45\uff4d\uff4f', '\ufeffdemo', 'demo\t', 'deMO'];

  it.each([
    ['the spelling of a login id', times(8, (i) => [login(SPELLINGS[i] ?? ''), '203.0.113.1'] as const), 5],
    ['the port of a forwarded address', times(8, (i) => [login('demo'), `203.0.113.2:${5_000 + i}`] as const), 5],
    ['the port behind brackets', times(8, (i) => [login('demo'), `[2001:db8:0:3::1]:${5_000 + i}`] as const), 5],
    ['the host within a /64', times(8, (i) => [login('demo'), `2001:db8:0:4::${i}`] as const), 5],
    ['what is no address at all', times(8, (i) => [login('demo'), `somebody-${i}`] as const), 5],
    ['the account, and guesses', times(24, (i) => [login(`account-${i}`), '203.0.113.6'] as const), 20],
    ['the account, and asks for codes', times(24, (i) => [sendOtp(`account-${i}`), '203.0.113.7'] as const), 20],
    [
      'the account, and asks for codes both ways',
      times(24, (i) => [i % 2 === 0 ? sendOtp(`x-${i}`) : sendTestOtp(`x-${i}`), '203.0.113.8'] as const),
      20,
    ],
  ])('a caller that varies %s gets no further', async (_what, calls, limit) => {
    expect(await asked(calls)).toEqual([limit, 'TooManyRequests']);
  });

  it.each([
    ['guesses for one account', times(8, () => [login('demo'), '203.0.113.20'] as const), 5],
    ['passwords and codes', times(8, (i) => [i < 3 ? verify('otp') : login('otp'), '203.0.113.21'] as const), 5],
    [
      'codes of one account',
      times(2, (i) => [i === 0 ? sendOtp('otp') : sendTestOtp('otp'), '203.0.113.22'] as const),
      1,
    ],
  ])('a caller that repeats %s gets no further, and backend-api is not asked any more', async (_what, calls, limit) => {
    expect(await asked(calls)).toEqual([limit, 'TooManyRequests']);
  });

  const RIGHT = 'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }';

  it('guesses at the same time are no more than one after another, and aliases count each', async () => {
    gateway.sandbox.journal.clear();
    await Promise.all(times(12, () => errorOf(login('demo'), '203.0.113.23')));
    expect(gateway.sandbox.journal.requests({ operation: 'login' })).toHaveLength(5);
    const aliases = times(3, (i) => `a${i}: ${i === 1 ? 'sendTestOtp' : 'sendOtp'}(loginId: "otp") { sentTo }`).join(
      ' ',
    );
    expect((await errorOf(`mutation { ${aliases} }`, '203.0.113.24'))?.extensions.code).toBe('TooManyRequests');
    expect(gateway.sandbox.journal.requests({ operation: 'sendOtp' })).toHaveLength(1);
  });

  it('neither another address nor another account is locked out, nor does a right password help', async () => {
    for (let i = 0; i < 5; i += 1) await errorOf(login('demo'), '203.0.113.25');
    expect((await errorOf(RIGHT, '203.0.113.25'))?.extensions.code).toBe('TooManyRequests');
    expect(await errorOf(RIGHT, '203.0.113.26')).toBeUndefined();
    const other = 'mutation { userLogin(loginId: "driver", password: "driver-password") { otpRequired } }';
    expect(await errorOf(other, '203.0.113.25')).toBeUndefined();
    for (const address of ['203.0.113.27', '203.0.113.28'])
      expect(await errorOf(sendOtp('otp'), address)).toBeUndefined();
  });

  it('successes are not counted, one after another or at the same time', async () => {
    for (let i = 0; i < 12; i += 1) expect(await errorOf(RIGHT, '203.0.113.29')).toBeUndefined();
    await Promise.all(times(12, () => errorOf(RIGHT, '203.0.113.29')));
    expect(await asked(times(8, () => [login('demo'), '203.0.113.29'] as const))).toEqual([5, 'TooManyRequests']);
  });

  it('passwords that a backend that is down or busy does not judge are not counted, and codes hardly', async () => {
    const busy = [408, 425, 429, 500, 503].map((status) => ({ kind: 'status', status }) as const);
    for (const fault of [{ kind: 'down' } as const, ...busy, { kind: 'status', status: 429, body: 'slow' } as const]) {
      const off = gateway.sandbox.faults.set({ match: ({ operation }) => operation !== 'sendOtp', fault });
      for (const query of times(30, (i) => (i % 2 === 0 ? RIGHT : verify('demo')))) {
        expect((await errorOf(query, '203.0.113.30'))?.extensions.code).toMatch(/ServiceUnavailable|TooManyRequests/);
      }
      off();
      // An open circuit lets a call through again after 5 s.
      const answer = await waitFor('an answer', async () => {
        const code = (await errorOf(RIGHT, '203.0.113.30'))?.extensions.code ?? 'ok';
        return code !== 'ServiceUnavailable' && code;
      });
      expect([fault, answer]).toEqual([fault, 'ok']);
    }
    const off = gateway.sandbox.faults.set({ fault: { kind: 'down' } });
    expect((await errorOf(sendOtp('otp'), '203.0.113.30'))?.extensions.code).toBe('ServiceUnavailable');
    off();
    expect(await errorOf(sendOtp('otp'), '203.0.113.30')).toBeUndefined();
  });

  it.each([
    [401, 5, '203.0.113.31'],
    [403, 5 * 5, '203.0.113.32'],
  ])('passwords that something in front of the backend answers with %d are counted', async (status, limit, address) => {
    gateway.sandbox.faults.set({ operation: 'login', fault: { kind: 'status', status, body: 'no' } });
    const calls = times(limit + 2, () => [login('demo'), address] as const);
    expect(await asked(calls)).toEqual([limit, 'TooManyRequests']);
  });

  it('backend-api gets the login id as it was typed', async () => {
    const seen: (string | undefined)[] = [];
    gateway.sandbox.faults.set({ match: ({ loginId }) => seen.push(loginId) < 0, fault: { kind: 'down' } });
    await errorOf(login(' D\uff45mo '), '203.0.113.10');
    expect(seen).toEqual([' D\uff45mo ']);
  });

  it.each([
    ['userLogin', 'again and again', times(27, () => [login('demo'), '203.0.113.11'] as const), 5 * 5],
    ['sendOtp', 'again and again', times(7, () => [sendOtp('demo'), '203.0.113.11'] as const), 5],
    ['userLogin', 'for many accounts', times(102, (i) => [login(`any-${i}`), '203.0.113.12'] as const), 20 * 5],
    ['sendOtp', 'for many accounts', times(22, (i) => [sendOtp(`any-${i}`), '203.0.113.12'] as const), 20],
  ])('a failing %s cannot be asked for %s', async (_name, _how, calls, limit) => {
    gateway.sandbox.faults.set({ fault: { kind: 'status', status: 422 } });
    expect(await asked(calls)).toEqual([limit, 'TooManyRequests']);
  });

  it('an address over its limit is refused for every account, and nobody else is', async () => {
    for (let i = 0; i < 20; i += 1) await errorOf(login(`guessed-${i}`), '203.0.113.13');
    expect((await errorOf(RIGHT, '203.0.113.13'))?.extensions.code).toBe('TooManyRequests');
    expect(await errorOf(RIGHT, '203.0.113.14')).toBeUndefined();
  });

  it('a code that is asked for again within a minute, or at the same time, is sent once', async () => {
    const query = 'mutation { sendOtp(loginId: "otp") { sentTo expiresIn isRepeated } }';
    const ask = async (forwarded: string): Promise<unknown> => {
      const reply = await postJson(`${gateway.url}/graphql`, { query }, { 'x-forwarded-for': forwarded });
      return ((await reply.json()) as { data: { sendOtp: unknown } }).data.sendOtp; // as asked
    };
    gateway.sandbox.journal.clear();
    const together = await Promise.all(times(3, () => ask('203.0.113.40')));
    const sent = { sentTo: 'o***@sandbox.test', expiresIn: expect.any(Number) };
    expect(together).toHaveLength(3);
    expect(together).toEqual(
      expect.arrayContaining([
        { ...sent, isRepeated: false },
        { ...sent, isRepeated: true },
      ]),
    );
    expect(await ask('203.0.113.40')).toEqual({ ...sent, isRepeated: true });
    expect(gateway.sandbox.journal.requests({ operation: 'sendOtp' })).toHaveLength(1);
    expect(await ask('203.0.113.41')).toEqual({ ...sent, isRepeated: false });
  });

  it.each([
    ['userLogin', login, login, 'to this account', 5],
    ['sendOtp', sendTestOtp, sendOtp, 'for this account', 1],
  ])('a refused %s says in words and in seconds when to try again', async (_name, before, query, whose, limit) => {
    for (let i = 0; i < limit; i += 1) await errorOf(before('demo'), '203.0.113.15');
    const { message, extensions } = (await errorOf(query('demo'), '203.0.113.15')) ?? {};
    expect(message).toMatch(/^[A-Z][a-z][^_]+ Try again in \d+ seconds\.$/);
    expect(message).toContain(whose);
    expect(message).not.toMatch(/[A-Z]{2}/);
    const seconds = /(\d+) seconds/.exec(message ?? '')?.[1];
    expect(extensions).toMatchObject({ code: 'TooManyRequests', status: 429, retryAfterSeconds: Number(seconds) });
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
  });

  it('a backend that is busy itself is passed on with its pause, or with one of ours', async () => {
    const bearer = await gateway.bearer();
    for (const [retryAfter, seconds] of [
      [7, 7],
      [undefined, 5],
    ] as const) {
      gateway.sandbox.faults.set({
        operation: 'getMobile',
        fault: { kind: 'status', status: 429, ...(retryAfter !== undefined && { retryAfter }) },
      });
      const { errors } = await gateway.graphql('{ mobile(id: 1) { id } }', {}, bearer);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'TooManyRequests', retryAfterSeconds: seconds });
    }
  });
});

describe('the counters', () => {
  const attempt = { loginId: 'demo', address: '192.0.2.1' };
  const sent = (): Promise<{ sentTo: string; expiresIn: number }> =>
    Promise.resolve({ sentTo: 'd***', expiresIn: 300 });
  const wrong = (): Promise<never> => Promise.reject(new GatewayError('WrongPassword'));
  const down = (): Promise<never> => Promise.reject(new ServiceUnavailableError('backend-api'));
  const right = (): Promise<string> => Promise.resolve('right');

  /** Every key that was ever counted under. */
  const keys = new Set<string>();
  const watched: CounterFactory = (prefix, points, seconds) => {
    const counter = new MemoryCounter(points, seconds);
    return {
      take(key, wanted) {
        keys.add(`${prefix}:${key}`);
        return counter.take(key, wanted);
      },
    };
  };

  let limits: AttemptLimits;
  beforeEach(() => {
    keys.clear();
    jest.useFakeTimers();
    limits = new AttemptLimits({
      limits: { loginRatePerMinute: 5, otpSendRatePerMinute: 1 },
      counters: watched,
      texts: memoryTexts(),
      callMs: 1_000,
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** How many of some attempts are let through; each fails with an error, or as a guess does. */
  async function letThrough(
    count: number,
    make: (check: () => Promise<never>, index: number) => Promise<unknown>,
    fail = wrong,
  ): Promise<number> {
    let made = 0;
    const check = (): Promise<never> => {
      made += 1;
      return fail();
    };
    for (let i = 0; i < count; i += 1) await make(check, i).catch(() => undefined);
    return made;
  }

  /** How many guesses are let through now. */
  const guesses = (): Promise<number> => letThrough(30, (check) => limits.credentials(attempt, check));

  it('forget guesses after a minute, however often it was tried in between', async () => {
    expect(await guesses()).toBe(5);
    await expect(limits.credentials(attempt, right)).rejects.toThrow('There were too many attempts');
    jest.advanceTimersByTime(60_001);
    await expect(limits.credentials(attempt, right)).resolves.toBe('right');
  });

  it('allow 5 one-time passwords an hour, and the next one an hour later', async () => {
    for (let i = 0; i < 5; i += 1) {
      await expect(limits.otpSend(attempt, 'otp', sent)).resolves.toMatchObject({ isRepeated: false });
      jest.advanceTimersByTime(20_000);
      const again = { sentTo: 'd***', expiresIn: 280, isRepeated: true };
      await expect(limits.otpSend(attempt, 'otp', sent)).resolves.toEqual(again);
      jest.advanceTimersByTime(40_001);
    }
    await expect(limits.otpSend(attempt, 'otp', sent)).rejects.toThrow(
      /^One-time passwords were requested too often for this account\. Try again in \d+ minutes\.$/,
    );
    jest.advanceTimersByTime(3_600_000);
    await expect(limits.otpSend(attempt, 'otp', sent)).resolves.toMatchObject({ isRepeated: false });
  });

  it('let nobody wait for a one-time password of another for longer than a call lasts', async () => {
    const send = jest.fn(async (): Promise<never> => {
      await new Promise((resolve) => setTimeout(resolve, 900));
      throw new ServiceUnavailableError('backend-api');
    });
    let ended = 0;
    const allButOne = new Promise<void>((resolve) => {
      const end = (): void => {
        ended += 1;
        if (ended === 5) resolve();
      };
      for (let at = 0; at < 6; at += 1) void limits.otpSend(attempt, 'otp', send).catch(end);
    });
    await jest.advanceTimersByTimeAsync(1_000);
    await allButOne;
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('take spellings that nobody can tell apart for one account', async () => {
    const unseen = [
      '\u00ad',
      '\u200b',
      '\u2060',
      '\ufeff',
      '\ufe0f',
      '\u0000',
      '\u001f',
      '\u007f',
      '\u{e0061}',
      '\u3164',
    ];
    const made = await letThrough(unseen.length, (check, index) =>
      limits.credentials({ ...attempt, loginId: `de${unseen[index]}mo` }, check),
    );
    expect(made).toBe(5);
  });

  it('count another /64 as another caller', async () => {
    for (let net = 16; net < 36; net += 1) {
      const address = `2001:db8:1:${net.toString(16)}::1`;
      await expect(limits.credentials({ ...attempt, address }, wrong)).rejects.toThrow('wrong');
    }
  });

  const inSite = (net: number): string => `2001:db8:2:${(0x4400 + net).toString(16)}::1`;
  const inThreeSites = (net: number): string => `2001:db8:2:${((net % 3) * 0x100 + net).toString(16)}::1`;

  it.each([
    ['guesses', '/56', 60, inSite, 'credentials'],
    // The first one of each /56 is of a network that had not failed yet.
    ['guesses', '/48', 100 + 3, inThreeSites, 'credentials'],
    ['refreshes', '/56', 900, inSite, 'refresh'],
    ['refreshes', '/48', 1_500 + 3, inThreeSites, 'refresh'],
    ['one-time passwords', '/56', 60, inSite, 'otpSend'],
    ['one-time passwords', '/48', 100 + 3, inThreeSites, 'otpSend'],
  ] as const)(
    'count %s of a %s as of one caller as well: %i a minute',
    async (_what, _size, limit, addressIn, method) => {
      const asked = (check: () => Promise<never>, net: number): Promise<unknown> => {
        const one = { loginId: `account-${net}`, address: addressIn(net % 0x100) };
        if (method === 'refresh') return limits.refresh(one.address, check);
        return method === 'otpSend' ? limits.otpSend(one, 'otp', check) : limits.credentials(one, check);
      };
      expect(await letThrough(1_600, asked)).toBe(limit);
      await expect(asked(wrong, 0xff)).rejects.toThrow('your network');
      for (const address of ['2001:db8:4::1', '192.0.2.9', '::1'])
        await expect(limits.credentials({ ...attempt, address }, right)).resolves.toBe('right');
    },
  );

  it('refuse nobody whose network has not failed because of others in its /48, up to ten times as many', async () => {
    const from = (net: number, check: () => Promise<unknown>): Promise<unknown> =>
      limits.credentials({ loginId: `account-${net}`, address: inThreeSites(net) }, check);
    for (let net = 0; net < 200; net += 1) await from(net, wrong).catch(() => undefined);
    const elsewhere = (net: number): string => `2001:db8:2:${(0x400 + net * 5).toString(16)}::1`;
    const finish: (() => void)[] = [];
    const pending = times(1_000 - 3, (net) =>
      limits.credentials(
        { loginId: `account-${net}`, address: elsewhere(net) },
        () => new Promise<void>((resolve) => finish.push(resolve)),
      ),
    );
    await jest.advanceTimersByTimeAsync(0);
    const next = (): Promise<unknown> => limits.credentials({ ...attempt, address: '2001:db8:2:ff00::1' }, right);
    await expect(next()).rejects.toThrow('your network');
    for (const each of finish) each();
    await Promise.all(pending);
    await expect(next()).resolves.toBe('right');
    await expect(from(0xff, right)).rejects.toThrow('your network');
  });

  it('leave successes of a /48 uncounted', async () => {
    for (let net = 0; net < 250; net += 1) {
      const address = `2001:db8:5:${net.toString(16)}::1`;
      await expect(limits.credentials({ ...attempt, address }, right)).resolves.toBe('right');
    }
  });

  it('allow 300 wrong refresh tokens of an address in a minute', async () => {
    const fail = (): Promise<never> => Promise.reject(new GatewayError('WrongRefreshToken'));
    expect(await letThrough(310, (exchange) => limits.refresh('192.0.2.1', exchange), fail)).toBe(300);
    const session = { accessToken: 'none' };
    await expect(limits.refresh('192.0.2.2', () => Promise.resolve(session))).resolves.toBe(session);
  });

  it('give nothing back into a later window: successes that were kept waiting buy no guesses', async () => {
    const finish: (() => void)[] = [];
    const slow = times(5, () =>
      limits.credentials(attempt, () => new Promise<void>((resolve) => finish.push(resolve))),
    );
    await jest.advanceTimersByTimeAsync(60_001);
    await limits.credentials(attempt, wrong).catch(() => undefined);
    for (const each of finish) each();
    await Promise.all(slow);
    expect(await guesses()).toBe(4);
  });

  /** A refresh or log-in of the account that succeeds, each in its own way. */
  const SUCCESSES: readonly (readonly [string, (address: string) => Promise<unknown>])[] = [
    ['a right password or code', (address) => limits.credentials({ loginId: 'Demo', address }, right)],
    [
      'a refresh',
      (address) => {
        const claims = Buffer.from(JSON.stringify({ preferred_username: 'demo' })).toString('base64url');
        return limits.refresh(address, () => Promise.resolve({ accessToken: `e30.${claims}.` }));
      },
    ],
  ];

  it.each(SUCCESSES)('send an account more than ten codes an hour only to networks of %s', async (_what, succeed) => {
    const send = (net: number, host = 1) => {
      const address = `2001:db8:${net.toString(16)}:100::${host}`;
      return limits.otpSend({ loginId: 'demo', address }, 'otp', sent);
    };
    await succeed('2001:db8:fff:1ff::7');
    for (let net = 1; net <= 10; net += 1) await expect(send(net)).resolves.toMatchObject({ isRepeated: false });
    await expect(send(11)).rejects.toThrow('too often for this account');
    // The owner has five of his own, and whoever has none of the account changes nothing.
    for (let hour = 0; hour < 5; hour += 1) {
      await expect(send(0xfff)).resolves.toMatchObject({ isRepeated: false });
      await expect(send(12 + hour)).rejects.toThrow('too often for this account');
      jest.advanceTimersByTime(60_001);
    }
    await expect(send(0xfff)).rejects.toThrow('too often for this account');
    await expect(limits.otpSend({ loginId: 'other', address: '192.0.2.1' }, 'otp', sent)).resolves.toBeDefined();
    jest.advanceTimersByTime(24 * 3_600_000);
    for (let net = 1; net <= 10; net += 1) await expect(send(net)).resolves.toMatchObject({ isRepeated: false });
    await expect(send(0xfff)).rejects.toThrow('too often for this account');
  });

  it('are so many for one address and no more, whatever it sends and whatever comes of it', async () => {
    for (let i = 0; i < 600; i += 1) {
      const one = { loginId: `account-${i}`, address: '192.0.2.7' };
      await limits.credentials(one, i % 3 === 0 ? wrong : down).catch(() => undefined);
      await limits.otpSend(one, 'otp', i % 2 === 0 ? sent : down).catch(() => undefined);
    }
    // Two of the address itself; up to 100 accounts that were logged in to, and 20 with three counters each.
    expect(keys.size).toBeLessThanOrEqual(2 + 100 + 3 * 20);
  });
});
