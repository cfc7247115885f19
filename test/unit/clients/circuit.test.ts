import { beforeEach, describe, expect, it } from '@jest/globals';
import { contractBreach, endedBy } from '../../../src/clients/call-error.js';
import type { Caller } from '../../../src/clients/caller.js';
import { Circuit } from '../../../src/clients/circuit.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { cutOffError, foreignError, heldBackError, outageError, refusalError } from '../../support/failed-calls.js';
import { deferred } from '../../support/wait-for.js';

const OPEN_MS = 5_000;

let log: CapturedLog;
let now: number;
let circuit: Circuit;
beforeEach(() => {
  log = captureLog();
  now = 0;
  circuit = new Circuit({ backend: 'backend-api', caller: 'user', mode: 'read', logger: log.logger, now: () => now });
});

const of = (org: string): Caller => ({ kind: 'user', org });
const outage = (): Promise<never> => Promise.reject(outageError({ httpStatus: 500 }));
const FOREIGN = foreignError();
const answer = (): Promise<string> => Promise.resolve('answer');

async function repeat(times: number, org: string, call: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < times; count += 1) await circuit.run(of(org), call).catch(() => undefined);
}

async function passes(caller: Caller | string, call: () => Promise<unknown> = answer): Promise<boolean> {
  let asked = false;
  const counted = (): Promise<unknown> => {
    asked = true;
    return call();
  };
  const error: unknown = await circuit.run(typeof caller === 'string' ? of(caller) : caller, counted).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(endedBy(error, 'held back')).toBe(!asked);
  return asked;
}

function events(): object[] {
  return log
    .entries()
    .filter(({ event }) => event.startsWith('circuit.'))
    .map(({ event, backend, caller, mode, scope, org }) => {
      const said = { event, backend, caller, mode, scope };
      return org === undefined ? said : { ...said, org };
    });
}

describe('for one party the circuit', () => {
  it('opens after 20 failed calls, and then nothing is asked', async () => {
    await repeat(19, 'acme', outage);
    expect(await passes('acme', outage)).toBe(true);
    expect(await passes('acme')).toBe(false);
    await expect(circuit.run(of('acme'), answer)).rejects.toThrow(
      'Vehicles and accounts cannot be reached at the moment. Try again later.',
    );
  });

  it('stays closed for everybody else, and for those who have not logged in', async () => {
    await repeat(40, 'acme', outage);
    expect(await passes('acme')).toBe(false);
    expect(await passes('globex')).toBe(true);
    expect(await passes({ kind: 'user', address: '192.0.2.1' })).toBe(true);
    const circuits = { backend: 'backend-api', caller: 'user', mode: 'read' };
    expect(events()).toEqual([{ event: 'circuit.opened', ...circuits, scope: 'one party', org: 'acme' }]);
  });

  it('counts callers who have not logged in by the /64 of an IPv6 address', async () => {
    const at = (address: string): Caller => ({ kind: 'user', address });
    for (let host = 0; host < 20; host += 1) await passes(at(`2001:db8:1:2::${host.toString(16)}`), outage);
    expect(await passes(at('2001:db8:1:2:ffff::1'))).toBe(false);
    expect(await passes(at('2001:db8:1:3::1'))).toBe(true);
  });

  it('opens at half of the calls, and not below', async () => {
    for (let count = 0; count < 40; count += 1) {
      await repeat(2, 'acme', answer);
      await repeat(1, 'acme', outage);
    }
    expect(await passes('acme')).toBe(true);
    await repeat(41, 'acme', outage);
    expect(await passes('acme')).toBe(false);
  });

  it('counts calls of the last 10 s only', async () => {
    await repeat(19, 'acme', outage);
    now = 10_000;
    await repeat(10, 'acme', outage);
    expect(await passes('acme')).toBe(true);
  });

  it.each([
    ['refusals', refusalError(422, 'no')],
    ['busy answers', refusalError(429, 'busy')],
    ['foreign answers', FOREIGN],
    ['breaches of the contract', contractBreach('backend-api', 'no JSON')],
    ['calls that we cut off', cutOffError()],
    ['calls that we did not send', heldBackError()],
    ['mistakes of ours', new TypeError('mistake')],
  ])('never opens for %s', async (_what, error) => {
    await repeat(60, 'acme', () => Promise.reject(error));
    expect(await passes('acme')).toBe(true);
    expect(events()).toEqual([]);
  });

  it('lets one call through after 5 s, and closes when that is answered', async () => {
    await repeat(20, 'acme', outage);
    now = OPEN_MS - 1;
    expect(await passes('acme')).toBe(false);
    now = OPEN_MS;
    const held = deferred<string>();
    const waiting = circuit.run(of('acme'), () => held.promise);
    expect(await passes('acme')).toBe(false);
    held.resolve('answer');
    await waiting;
    expect(await passes('acme')).toBe(true);
    expect(events()).toMatchObject([{ event: 'circuit.opened' }, { event: 'circuit.closed', org: 'acme' }]);
  });

  it('stays open for another 5 s when that call fails, and says so once', async () => {
    await repeat(20, 'acme', outage);
    now = OPEN_MS;
    expect(await passes('acme', outage)).toBe(true);
    now = 2 * OPEN_MS - 1;
    expect(await passes('acme')).toBe(false);
    now = 2 * OPEN_MS;
    expect(await passes('acme')).toBe(true);
    expect(events()).toHaveLength(2);
  });

  it.each([
    ['lets the next call through when that call says nothing', cutOffError()],
    ['lets the next call through when something in front of the backend answers that call', FOREIGN],
    ['takes a refusal of the backend for an answer', refusalError(404, 'no')],
  ])('%s', async (_what, error) => {
    await repeat(20, 'acme', outage);
    now = OPEN_MS;
    expect(await passes('acme', () => Promise.reject(error))).toBe(true);
    expect([await passes('acme'), await passes('acme')]).toEqual([true, true]);
  });
});

describe('a caller that bypasses the circuit', () => {
  const bypassing = (org: string): Caller => ({ kind: 'user', org, bypassesCircuit: () => true });
  /** Calls that the test ends. */
  function held(): { call: () => Promise<string>; asked: () => number; end: (how: 'answer' | 'outage') => void } {
    const ends: ((how: 'answer' | 'outage') => void)[] = [];
    let asked = 0;
    return {
      call: () => {
        asked += 1;
        return new Promise((resolve, reject) => {
          ends.push((how) => (how === 'answer' ? resolve(how) : reject(outageError())));
        });
      },
      asked: () => asked,
      end: (how) => ends.shift()?.(how),
    };
  }
  const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is let through an open circuit, one call of the party at a time', async () => {
    await repeat(20, 'acme', outage);
    const { call, asked, end } = held();
    const calls = Array.from({ length: 3 }, () => circuit.run(bypassing('acme'), call));
    const outcomes = Promise.allSettled(calls);
    for (let sent = 1; sent <= 3; sent += 1) {
      await turns();
      expect(asked()).toBe(sent);
      end('outage');
    }
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await passes('acme')).toBe(false);
    expect(events()).toHaveLength(1);
  });

  it('closes it with the first answer, and no other call waits any longer', async () => {
    await repeat(20, 'acme', outage);
    const { call, asked, end } = held();
    const calls = Array.from({ length: 5 }, () => circuit.run(bypassing('acme'), call));
    await turns();
    end('answer');
    await turns();
    expect(asked()).toBe(5);
    for (const _each of calls) end('answer');
    await Promise.all(calls);
    expect(await passes('acme')).toBe(true);
  });

  it('is let through when it is open for everybody, and keeps no other caller out for longer', async () => {
    await repeat(1, 'acme', outage);
    for (let each = 0; each < 10; each += 1) await repeat(3, `org-${each}`, outage);
    expect(await passes('acme')).toBe(false);
    expect(await passes(bypassing('acme'), outage)).toBe(true);
    now = OPEN_MS;
    expect(await passes('globex')).toBe(true);
  });
});

describe('for everybody the circuit', () => {
  /** Ten parties whose calls fail, none of them often. */
  async function outageForAll(): Promise<void> {
    for (let each = 0; each < 10; each += 1) await repeat(3, `org-${each}`, outage);
  }

  it('opens when the calls of most parties fail', async () => {
    await outageForAll();
    expect(await passes('org-3')).toBe(false);
    expect(events()).toEqual([
      { event: 'circuit.opened', backend: 'backend-api', caller: 'user', mode: 'read', scope: 'everybody' },
    ]);
  });

  it('is closed by the first answer to anybody', async () => {
    await outageForAll();
    now = OPEN_MS;
    expect(await passes('org-1', outage)).toBe(true);
    expect(await passes('org-2')).toBe(true);
    expect(await passes('org-3')).toBe(true);
    // The one that tried too early waits its own 5 s.
    expect(await passes('org-1')).toBe(false);
    now = 2 * OPEN_MS;
    expect(await passes('org-1')).toBe(true);
    expect(events()).toMatchObject([
      { event: 'circuit.opened', scope: 'everybody' },
      { event: 'circuit.opened', org: 'org-1' },
      { event: 'circuit.closed', scope: 'everybody' },
      { event: 'circuit.closed', org: 'org-1' },
    ]);
  });

  it('forgets the outage when it is over, so that a single failure does not open it again', async () => {
    await outageForAll();
    now = OPEN_MS;
    expect(await passes('org-1')).toBe(true);
    await repeat(1, 'org-2', outage);
    expect(await passes('newcomer')).toBe(true);
  });

  it('is not kept open by one whose calls hang', async () => {
    await outageForAll();
    now = OPEN_MS;
    const hanging = circuit.run(of('org-0'), () => new Promise<string>(() => undefined));
    expect(await passes('org-1')).toBe(true);
    expect(await passes('newcomer')).toBe(true);
    void hanging;
  });

  it('does not open because of one, however much fails, even when others fail once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await repeat(200, 'acme', outage);
      await repeat(1, 'globex', outage);
      await repeat(2, 'initech', answer);
      expect(await passes('globex', answer)).toBe(true);
      expect(await passes('initech')).toBe(true);
      now += 2_000;
    }
    expect(events()).not.toContainEqual(expect.objectContaining({ scope: 'everybody' }));
  });

  it.each([2, 20])(
    'does not open because of %d that fail, as long as another party is answered now and then',
    async (poisoned) => {
      await repeat(1, 'globex', answer);
      for (let round = 0; round < 20; round += 1) {
        for (let each = 0; each < poisoned; each += 1) await repeat(3, `poisoned-${each}`, outage);
        expect(await passes('globex')).toBe(true);
        now += 1_900;
      }
      expect(events()).not.toContainEqual(expect.objectContaining({ scope: 'everybody' }));
    },
  );

  it.each([0, 2])('lets through whose own %d calls were answered, and is closed by the answer', async (calls) => {
    await repeat(calls, 'globex', answer);
    now = 2_000;
    await outageForAll();
    expect(await passes('org-3')).toBe(false);
    expect(await passes('globex')).toBe(true);
    expect(await passes('org-3')).toBe(true);
  });

  it('refuses a newcomer once a single call of it has failed', async () => {
    await outageForAll();
    expect(await passes('newcomer', outage)).toBe(true);
    expect(await passes('newcomer')).toBe(false);
  });
});

describe('a circuit', () => {
  it('tells the error of a call when a call was last answered with less than 500', async () => {
    const error = outageError();
    const fail = (): Promise<never> => Promise.reject(error);
    await repeat(2, 'acme', fail);
    expect(error.servedAt).toBeUndefined();
    now = 7_000;
    await repeat(1, 'acme', () => Promise.reject(refusalError(404, 'no')));
    now = 9_000;
    await repeat(1, 'acme', fail);
    expect(error.servedAt).toBe(7_000);
  });

  it('forgets who has not called for longest, when there are very many', async () => {
    await repeat(20, 'acme', outage);
    expect(await passes('acme')).toBe(false);
    for (let each = 0; each < 1_000; each += 1) await repeat(1, `org-${each}`, answer);
    expect(await passes('acme')).toBe(true);
  });
});
