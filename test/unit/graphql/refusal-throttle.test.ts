import { describe, expect, it } from '@jest/globals';
import { RefusalThrottle } from '../../../src/gateway/graphql/limits/refusal-throttle.js';

const AT_ONCE = 100;

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
  it('refuses at once until there are many, and the others as many at a time', async () => {
    const throttle = new RefusalThrottle();
    const said = refuse(throttle, crowd, 2.5 * AT_ONCE);
    const seen = [said()];
    for (let tick = 0; tick < 3; tick += 1) {
      throttle.tick(performance.now());
      await settled();
      seen.push(said());
    }
    expect(seen).toEqual([AT_ONCE, 2 * AT_ONCE, 2.5 * AT_ONCE, 2.5 * AT_ONCE]);
    // Those that were held back count in the time in which they are refused.
    refuse(throttle, crowd, AT_ONCE + 60);
    throttle.tick(performance.now());
    expect(refuse(throttle, crowd, AT_ONCE)()).toBe(40);
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
    throttle.tick(performance.now());
    await settled();
    expect(said()).toBe(1);
  });

  it('holds nothing back for more than a second, however many there are', async () => {
    const throttle = new RefusalThrottle();
    const before = performance.now();
    const said = refuse(throttle, crowd, 10 * AT_ONCE);
    throttle.tick(before + 900);
    await settled();
    expect(said()).toBe(2 * AT_ONCE);
    throttle.tick(performance.now() + 1_000);
    await settled();
    expect(said()).toBe(10 * AT_ONCE);
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
