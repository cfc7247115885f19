/** Keys that are reused: when they are fetched again, and when they are not. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { COOL_DOWN_MS, FAILURE_MS, PublicKeys, type KeySource } from '../../../src/gateway/auth/public-keys.js';
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
    now += MAX_AGE_MS - 1;
    expect([await ask('old'), fetches]).toEqual([['old'], 1]);
    now += 1;
    expect(await Promise.all([ask('old'), ask('old')])).toEqual([['old'], ['old']]);
    expect(fetches).toBe(2);
  });

  it('are asked for once in a cool-down, however many names are made up', async () => {
    await ask('old');
    for (let minute = 0; minute < 60_000; minute += 500) {
      now += 500;
      expect(await Promise.all([ask(`a-${minute}`), ask(`b-${minute}`), ask('old')])).toEqual([[], [], ['old']]);
    }
    expect(fetches).toBe(1 + 60_000 / COOL_DOWN_MS);
  });

  it('have a new one at once, or at the latest after the cool-down that another request began', async () => {
    await ask('old');
    answer = () => Promise.resolve([NEW, OLD]);
    expect([await ask('new'), fetches]).toEqual([['new'], 2]);

    const other = rsaPair('third').published;
    answer = () => Promise.resolve([other, NEW]);
    now += COOL_DOWN_MS - 1;
    expect([await ask('third'), fetches]).toEqual([[], 2]);
    now += 1;
    expect([await ask('third'), fetches]).toEqual([['third'], 3]);
  });

  it('have a new one when the public key set was asked for, in the cool-down too', async () => {
    await ask('old');
    await ask('made up');
    answer = () => Promise.resolve([NEW, OLD]);
    expect(await ask('new')).toEqual([]);
    await source.fetchKeys();
    expect([await ask('new'), fetches]).toEqual([['new'], 3]);
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
  it('for a name begins the cool-down as well, in which no token is called wrong', async () => {
    await ask('old');
    answer = down;
    expect(await Promise.all([ask('new'), ask('made up')])).toEqual(['down', 'down']);
    now += COOL_DOWN_MS - 1;
    expect([await ask('new'), await ask('old'), fetches]).toEqual(['down', ['old'], 2]);
    answer = () => Promise.resolve([NEW]);
    now += 1;
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
