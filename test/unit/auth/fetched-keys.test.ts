/** Keys that are reused: when they are fetched again, and when they are not. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { FAILURE_MS, FETCHES_PER_MINUTE, PublicKeys, type KeySource } from '../../../src/gateway/auth/public-keys.js';
import type { PublicKey } from '../../../src/clients/backend-api.js';
import { rsaPair } from '../../support/rsa-tokens.js';
import { deferred } from '../../support/wait-for.js';

const MAX_AGE_MS = 600_000;

const OLD = rsaPair('old').published;
const NEW = rsaPair('new').published;

let now: number;
let fetches: number;
let answer: () => Promise<readonly PublicKey[]>;
let source: KeySource;

beforeEach(() => {
  now = 1_900_000_000_000;
  fetches = 0;
  answer = () => Promise.resolve([OLD]);
  const fetch = (): Promise<readonly PublicKey[]> => {
    fetches += 1;
    return answer();
  };
  source = new PublicKeys(fetch, { maxAgeMs: MAX_AGE_MS, now: () => now });
});

/** Names of the keys that may have signed, or the reason why they are unknown. */
async function ask(kid: string): Promise<unknown> {
  try {
    return (await source.candidates(kid)).map((key) => key.kid);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

const down = (): Promise<never> => Promise.reject(new Error('down'));

describe('kept keys', () => {
  it('are fetched once for all who wait, and once more when they are too old', async () => {
    expect(await Promise.all([ask('old'), ask('old'), ask('other')])).toEqual([['old'], ['old'], []]);
    now += MAX_AGE_MS * 0.9 - 1;
    expect([await ask('old'), fetches]).toEqual([['old'], 1]);
    now += MAX_AGE_MS * 0.1 + 1;
    expect(await Promise.all([ask('old'), ask('old')])).toEqual([['old'], ['old']]);
    expect(fetches).toBe(2);
  });

  it('are renewed shortly before they are too old, and serve meanwhile, but never beyond', async () => {
    await ask('old');
    const keys = deferred<readonly PublicKey[]>();
    answer = () => keys.promise;
    now += MAX_AGE_MS - 1;
    expect([await ask('old'), await ask('old'), fetches]).toEqual([['old'], ['old'], 2]);
    now += 1;
    const waiting = ask('old');
    keys.resolve([NEW]);
    expect([await waiting, await ask('new'), fetches]).toEqual([[], ['new'], 2]);
  });

  it('serve while their renewal fails, which is tried again each second, and no longer than their time', async () => {
    await ask('old');
    answer = down;
    now += MAX_AGE_MS * 0.95;
    for (let time = 0; time < 3; time += 1) {
      expect(await ask('old')).toEqual(['old']);
      await new Promise(setImmediate);
    }
    expect(fetches).toBe(2);
    now += FAILURE_MS;
    expect([await ask('old'), fetches]).toEqual([['old'], 3]);
    now += MAX_AGE_MS * 0.05;
    expect(await ask('old')).toBe('down');
  });

  it('are asked for five times a minute, however many names are made up, and no name is called wrong unasked', async () => {
    await ask('old');
    const outcomes: unknown[] = [];
    for (let second = 0; second < 60; second += 1) {
      now += 1_000;
      outcomes.push(await ask(`made up ${second}`));
      expect(await ask('old')).toEqual(['old']);
    }
    expect(fetches).toBe(1 + FETCHES_PER_MINUTE);
    expect(outcomes.filter(Array.isArray)).toHaveLength(FETCHES_PER_MINUTE);
    now += 1_000;
    answer = () => Promise.resolve([NEW, OLD]);
    expect([await ask('new'), fetches]).toEqual([['new'], 2 + FETCHES_PER_MINUTE]);
  });

  it('say when the next one can be asked for', async () => {
    await ask('old');
    for (let name = 0; name < FETCHES_PER_MINUTE; name += 1) await ask(`made up ${name}`);
    now += 20_000;
    await expect(source.candidates('new')).rejects.toMatchObject({ code: 'ServiceUnavailable', retryAfterSeconds: 40 });
    // Another caller asks for the key set.
    answer = () => Promise.resolve([NEW, OLD]);
    await source.fetchKeys();
    expect(await ask('new')).toEqual(['new']);
  });

  it('serve a known name at once, while requests with others wait', async () => {
    await ask('old');
    const keys = deferred<readonly PublicKey[]>();
    answer = () => keys.promise;
    const waiting = [ask('new'), ask('made up'), ask('new')];
    expect(await ask('old')).toEqual(['old']);
    keys.resolve([NEW]);
    expect(await Promise.all(waiting)).toEqual([['new'], [], ['new']]);
    expect(fetches).toBe(2);
  });
});

describe('a fetch that fails', () => {
  it('for a name calls no token wrong, and keeps none of a known name out', async () => {
    await ask('old');
    answer = down;
    expect(await Promise.all([ask('new'), ask('made up')])).toEqual(['down', 'down']);
    expect([await ask('old'), fetches]).toEqual([['old'], 2]);
    answer = () => Promise.resolve([NEW]);
    expect([await ask('new'), fetches]).toEqual([['new'], 3]);
  });

  it('when nothing is kept stands for a second, so that a backend that is down is not flooded', async () => {
    answer = down;
    for (let asked = 0; asked < 200; asked += 1) expect(await ask(`made up ${asked}`)).toBe('down');
    expect(fetches).toBe(1);
    now += FAILURE_MS;
    expect([await ask('old'), fetches]).toEqual(['down', 2]);
    answer = () => Promise.resolve([OLD]);
    now += FAILURE_MS;
    expect([await ask('old'), fetches]).toEqual([['old'], 3]);
  });
});

it('a clock that is put back makes nothing last longer', async () => {
  await ask('old');
  await ask('made up');
  expect(fetches).toBe(2);
  now -= 86_400_000;
  answer = () => Promise.resolve([NEW]);
  expect([await ask('new'), fetches]).toEqual([['new'], 3]);
});
