import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RefusalThrottle } from '../../../src/gateway/graphql/limits/refusal-throttle.js';

/** Number of refusals in the 50 ms between two ticks. */
const AT_ONCE = 150;
const TICK_MS = 50;

const crowd = (): string => '192.0.2.1';
const anotherClient = (): string => '192.0.2.2';
let net = 0;
const nextOfHome = (): string => `2001:db8:1:2a${((net = (net + 1) % 0xf0) + 16).toString(16)}::1`;

/** Refuses something of a client so many times. @returns how often it was said so far */
function refuse(throttle: RefusalThrottle, client: () => string, times: number): () => number {
  let said = 0;
  for (let time = 0; time < times; time += 1) {
    const held = throttle.turn(client);
    if (held === undefined) said += 1;
    else void held.then(() => (said += 1));
  }
  return () => said;
}

/** Waits for microtasks, in which decisions become known. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the throttle of refusals', () => {
  let now = 0;
  beforeEach(() => {
    now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Ticks after so long, and waits for the decisions. */
  async function tickAfter(throttle: RefusalThrottle, ms: number): Promise<void> {
    now += ms;
    throttle.tick(now);
    await settled();
  }

  it('refuses at once until there are many, and the others as many at a time', async () => {
    const throttle = new RefusalThrottle();
    const said = refuse(throttle, crowd, 2.5 * AT_ONCE);
    const seen = [said()];
    for (let tick = 0; tick < 3; tick += 1) {
      await tickAfter(throttle, TICK_MS);
      seen.push(said());
    }
    expect(seen).toEqual([AT_ONCE, 2 * AT_ONCE, 2.5 * AT_ONCE, 2.5 * AT_ONCE]);
    // Those that were held back count in the time in which they are refused.
    refuse(throttle, crowd, AT_ONCE + 60);
    await tickAfter(throttle, TICK_MS);
    expect(refuse(throttle, crowd, AT_ONCE)()).toBe(AT_ONCE - 60);
    throttle.close();
  });

  it('refuses as many in the time of a late tick as in that of many', async () => {
    const throttle = new RefusalThrottle();
    const said = refuse(throttle, crowd, 5 * AT_ONCE);
    await tickAfter(throttle, 3 * TICK_MS);
    expect(said()).toBe(4 * AT_ONCE);
    throttle.close();
  });

  it.each([
    ['another', crowd],
    ['a home that varies its /64', nextOfHome],
  ])('holds a client back behind one refusal of %s, however many are held of that', async (_what, client) => {
    const throttle = new RefusalThrottle();
    refuse(throttle, client, 3 * AT_ONCE);
    const said = refuse(throttle, anotherClient, 1);
    expect(said()).toBe(0);
    await tickAfter(throttle, TICK_MS);
    expect(said()).toBe(1);
  });

  it('holds nothing back for more than a second, however many there are', async () => {
    const throttle = new RefusalThrottle();
    const said = refuse(throttle, crowd, 50 * AT_ONCE);
    await tickAfter(throttle, 999);
    expect(said()).toBeLessThan(50 * AT_ONCE);
    await tickAfter(throttle, 1);
    expect(said()).toBe(50 * AT_ONCE);
  });

  it('says everything when it is closed, and at once from then on', async () => {
    const throttle = new RefusalThrottle();
    const said = refuse(throttle, crowd, 3 * AT_ONCE);
    throttle.close();
    await settled();
    expect(said()).toBe(3 * AT_ONCE);
    expect(refuse(throttle, crowd, 3 * AT_ONCE)()).toBe(3 * AT_ONCE);
  });
});
