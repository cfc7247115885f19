/** However many visitors hang at a slow backend, those who have logged in are answered as ever. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

const VISITORS = 1_000;
/** Far more than an answer takes on a busy machine; whoever waits for a visitor waits until its call ends. */
const SOON_MS = 10_000;

describe('a thousand visitors whose calls hang at backend-api', () => {
  let gateway: TestGateway;
  let bearer: string;
  beforeAll(async () => {
    gateway = await startTestGateway({
      TRUSTED_PROXIES: '1',
      BACKEND_TIMEOUT_SECONDS: '60',
      // On a busy machine the last of the crowd is heard late.
      REQUEST_TIMEOUT_SECONDS: '300',
    });
    bearer = await gateway.bearer();
  });
  afterAll(() => gateway.close());

  /** One of many clients, each with an address of its own. */
  async function visit(index: number): Promise<void> {
    const query =
      index % 2 === 0
        ? 'mutation { userLogin(loginId: "demo", password: "wrong") { otpRequired } }'
        : 'mutation { sendOtp(loginId: "otp") { sentTo } }';
    const reply = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `198.51.${Math.floor(index / 250)}.${index % 250}`,
      },
      body: JSON.stringify({ query }),
    });
    await reply.text();
  }

  it('keep nobody waiting who asks for mobiles, and are no more than so many at once', async () => {
    const { journal, faults } = gateway.sandbox;
    const hanging = faults.hold({ match: ({ operation }) => operation === 'login' || operation === 'sendOtp' });
    const crowd = Promise.all(Array.from({ length: VISITORS }, (_, index) => visit(index)));
    await hanging.held(32);
    try {
      for (let time = 1; time <= 20; time += 1) {
        const startedAt = performance.now();
        const { data, errors } = await gateway.graphql('{ mobiles(first: 1) { edges { node { id } } } }', {}, bearer);
        expect([data, errors]).toEqual([{ mobiles: { edges: [{ node: { id: 1 } }] } }, undefined]);
        expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
      }
      expect(journal.requests({ operation: 'login' }).length + journal.requests({ operation: 'sendOtp' }).length).toBe(
        32,
      );
    } finally {
      hanging.release();
      await crowd;
    }
  });
});
