/** What anybody may ask for without logging in costs the backends one call a second, whoever asks and how often. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { waitFor } from '../support/wait-for.js';

const JWKS = '/.well-known/jwks.json';
const READY = '/health/ready';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({}, { sharesAnswers: true });
});
afterEach(() => gateway.sandbox.faults.clear());
afterAll(() => gateway.close());

const FLOOD_REPLIES = 50;

/**
 * Asks again and again, often enough and for longer than an answer is shared; says how often the operation was asked
 * for, and in how many seconds.
 */
async function flood(path: string, operation: string): Promise<{ asked: number; seconds: number }> {
  gateway.sandbox.journal.clear();
  const startedAt = performance.now();
  let replies = 0;
  while (performance.now() - startedAt < 2_500 || replies < FLOOD_REPLIES) {
    const some = await Promise.all(Array.from({ length: 20 }, () => fetch(`${gateway.url}${path}`)));
    for (const reply of some) await reply.text();
    expect(new Set(some.map(({ status }) => status))).toEqual(new Set([200]));
    replies += some.length;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { asked: gateway.sandbox.journal.requests({ operation }).length, seconds };
}

describe('a flood of requests', () => {
  it.each([
    ['the public keys', JWKS, 'getPublicKeys', 1],
    ['readiness', READY, 'getHealth', 3],
  ])('for %s asks each backend once a second', async (_what, path, operation, backends) => {
    await fetch(`${gateway.url}${path}`);
    const { asked, seconds } = await flood(path, operation);
    expect(asked / backends).toBeLessThanOrEqual(Math.ceil(seconds));
    expect(asked / backends).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['the public keys', JWKS, 'getPublicKeys', 1],
    ['readiness', READY, 'getHealth', 3],
  ])('for %s that hang at the backends waits for one call to each', async (_what, path, operation, backends) => {
    await waitFor('a second', async () => {
      gateway.sandbox.journal.clear();
      await (await fetch(`${gateway.url}${path}`)).text();
      return gateway.sandbox.journal.requests({ operation }).length === 0;
    });
    const startedAt = performance.now();
    const hanging = gateway.sandbox.faults.hold({ operation });
    const crowd: Promise<Response>[] = [];
    await waitFor('calls that hang', () => {
      crowd.push(fetch(`${gateway.url}${path}`));
      return gateway.sandbox.journal.requests({ operation }).length > 0 || crowd.length > 400;
    });
    for (let more = 0; more < 100; more += 1) crowd.push(fetch(`${gateway.url}${path}`));
    await hanging.held(backends);
    hanging.release();
    for (const reply of await Promise.all(crowd)) expect(reply.status).toBe(200);
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    const asked = gateway.sandbox.journal.requests({ operation }).length / backends;
    expect(asked).toBeLessThanOrEqual(1 + seconds);
    expect(crowd.length / asked).toBeGreaterThan(10);
  });

  it('for the public keys while backend-api is down gets the last good set, and asks no more often', async () => {
    const good = await (await fetch(`${gateway.url}${JWKS}`)).text();
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'down' } });
    const { asked, seconds } = await flood(JWKS, 'getPublicKeys');
    expect(asked).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    expect(await (await fetch(`${gateway.url}${JWKS}`)).text()).toBe(good);
    expect(gateway.logged().split('jwks.last_good_served').length - 1).toBeLessThanOrEqual(asked + 2);
  });
});

it('whoever logs in is not served a shared key set: each request fetches its own', async () => {
  const bearer = await gateway.bearer();
  gateway.sandbox.journal.clear();
  for (let time = 1; time <= 3; time += 1) await gateway.graphql('{ me { Org } }', {}, bearer);
  expect(gateway.sandbox.journal.requests({ operation: 'getPublicKeys' })).toHaveLength(3);
});
