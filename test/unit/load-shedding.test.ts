import { afterEach, describe, expect, it } from '@jest/globals';
import { LoadShedding } from '../../src/graphql/load-shedding.js';
import { block, WHOLE_SLICE_MS } from '../support/blocking.js';
import { captureLog } from '../support/captured-log.js';
import { waitFor } from '../support/wait-for.js';

const MAX_DELAY_MS = 20;

let shedding: LoadShedding | undefined;
afterEach(() => shedding?.close());

describe('load shedding', () => {
  it('refuses while the event loop is late, and says once in a while how much', async () => {
    const log = captureLog();
    const current = (shedding = new LoadShedding(MAX_DELAY_MS, log.logger));
    expect(current.refuses()).toBe(false);
    block(200);
    expect([current.refuses(), current.turn()]).toEqual([true, false]);
    await waitFor('the event loop to be in time', () => !current.refuses());
    await waitFor('a log entry', () => log.text() !== '');
    const entry = JSON.parse(log.text()) as unknown;
    expect(entry).toMatchObject({ level: 'warn', event: 'graphql.load_shed', delayMs: expect.any(Number) });
  });

  it('lets operations begin in the order in which they came, and the event loop turn between slices of them', async () => {
    const current = (shedding = new LoadShedding(60_000, captureLog().logger));
    expect(current.turn()).toBe(true);
    block(WHOLE_SLICE_MS);
    const seen: string[] = [];
    const operations = [1, 2, 3].map(async (number) => {
      seen.push(`${number} comes`);
      expect(await current.turn()).toBe(true);
      seen.push(`${number} begins`);
      setImmediate(() => seen.push(`a turn after ${number}`));
      block(WHOLE_SLICE_MS);
    });
    await Promise.all(operations);
    const came = ['1 comes', '2 comes', '3 comes'];
    expect(seen).toEqual([...came, '1 begins', 'a turn after 1', '2 begins', 'a turn after 2', '3 begins']);
    await waitFor('a turn in which nothing waits', () => current.turn() === true);
  });

  it('refuses at once what would have to wait too long, as far as one can tell', async () => {
    const maxDelayMs = 4_000;
    const current = (shedding = new LoadShedding(maxDelayMs, captureLog().logger));
    const operation = async (milliseconds: number): Promise<void> => {
      expect(await current.turn()).toBe(true);
      block(milliseconds);
    };
    const useUpSlice = (): void => {
      void current.turn();
      block(WHOLE_SLICE_MS);
    };
    // From these it learns how long one takes.
    useUpSlice();
    await Promise.all(Array.from({ length: 30 }, () => operation(20)));
    useUpSlice();
    const waiting: Promise<void>[] = [];
    while (waiting.length < 1_000 && !current.refuses()) waiting.push(operation(0));
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThanOrEqual(maxDelayMs / 20);
    await Promise.all(waiting);
  });

  it('refuses what has waited too long behind others, and not what comes then', async () => {
    // Long enough for a busy machine to do nothing for us in a short while.
    const maxDelayMs = 300;
    const log = captureLog();
    const current = (shedding = new LoadShedding(maxDelayMs, log.logger));
    expect(current.turn()).toBe(true);
    block(WHOLE_SLICE_MS);
    const waits = current.turn();
    const waitsToo = current.turn();
    block(2 * maxDelayMs);
    expect(await Promise.all([waits, waitsToo])).toEqual([false, false]);
    await waitFor('a turn in which nothing waits', () => current.turn() === true);
    await waitFor('a log entry', () => log.text() !== '');
    const entry = JSON.parse(log.text()) as unknown;
    expect(entry).toMatchObject({ event: 'graphql.load_shed', delayMs: expect.any(Number) });
  });
});
