/** With kept keys, tokens that name keys nobody has do not make the gateway ask backend-api for each of them. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { COOL_DOWN_MS } from '../../src/auth/fetched-keys.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

const TOKENS = 200;
const AT_ONCE = 20;

describe('a flood of tokens of made-up keys', () => {
  let gateway: TestGateway;
  let bearer: string;
  beforeEach(async () => {
    gateway = await startTestGateway({ PUBLIC_KEY_MAX_AGE_SECONDS: '600' });
    bearer = await gateway.bearer();
    expect(await outcomeOf(bearer)).toBe('accepted');
  });
  afterEach(() => gateway.close());

  async function outcomeOf(authorization: string): Promise<string> {
    const { errors } = await gateway.graphql('{ me { Org } }', {}, authorization);
    return errors?.[0]?.extensions.code ?? 'accepted';
  }

  /** How often the keys are fetched for so many tokens, and what becomes of them and of a right one beside them. */
  async function flood(): Promise<{ fetches: number; allowed: number; outcomes: Set<string>; beside: Set<string> }> {
    gateway.sandbox.journal.clear();
    const outcomes = new Set<string>();
    const beside = new Set<string>();
    const startedAt = performance.now();
    for (let sent = 0; sent < TOKENS; sent += AT_ONCE) {
      const tokens = await Promise.all(
        Array.from({ length: AT_ONCE }, () => gateway.bearer({ header: { kid: randomUUID() } })),
      );
      for (const outcome of await Promise.all(tokens.map(outcomeOf))) outcomes.add(outcome);
      beside.add(await outcomeOf(bearer));
    }
    const fetches = gateway.sandbox.journal.requests({ operation: 'getPublicKeys' }).length;
    const allowed = 1 + Math.floor((performance.now() - startedAt) / COOL_DOWN_MS);
    return { fetches, allowed, outcomes, beside };
  }

  it('costs backend-api a fetch for each cool-down, and keeps nobody out', async () => {
    const { fetches, allowed, outcomes, beside } = await flood();
    expect(fetches).toBeLessThanOrEqual(allowed);
    expect([...outcomes]).toEqual(['UnAuthenticated']);
    expect([...beside]).toEqual(['accepted']);
  });

  it('costs it no more while it is down, and blames nobody', async () => {
    const fault = { kind: 'status', status: 500 } as const;
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault });
    const { fetches, allowed, outcomes, beside } = await flood();
    expect(fetches).toBeLessThanOrEqual(allowed);
    expect([...outcomes]).toEqual(['ServiceUnavailable']);
    expect([...beside]).toEqual(['accepted']);
  });
});
