import { expect, it } from '@jest/globals';
import type { ReplayMemory } from '../../src/jobs/record/callback-signature.js';

/** Longer than any test takes. */
export const LONG_MS = 60_000;

/** Registers the tests that every memory must pass, within the `describe` of the caller. */
export function replayMemoryContract(memory: () => ReplayMemory): void {
  it('remembers each id once, and others not at all', async () => {
    expect(await memory().remember('first', LONG_MS)).toBe(true);
    expect(await memory().remember('first', LONG_MS)).toBe(false);
    expect(await memory().remember('First', LONG_MS)).toBe(true);
  });

  it('lets one of many at the same time through', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => memory().remember('crowd', LONG_MS)));
    expect(all.filter((first) => first)).toHaveLength(1);
  });
}
