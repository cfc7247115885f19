import { describe, expect, it } from '@jest/globals';
import { runShutdown } from '../../../src/process/shutdown.js';
import { captureLog } from '../../support/captured-log.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('a shutdown', () => {
  it('runs its steps one after another and has nothing to name when all end well', async () => {
    const order: string[] = [];
    const step = (name: string) => ({
      name,
      maxMs: 60_000,
      run: async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
      },
    });
    expect(await runShutdown([step('a'), step('b')], captureLog().logger)).toEqual([]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('names the steps that failed or took too long, in the log too, and runs the others', async () => {
    const log = captureLog();
    let isLastRun = false;
    const unfinished = await runShutdown(
      [
        { name: 'hangs', maxMs: 20, run: never },
        { name: 'fails', maxMs: 60_000, run: () => Promise.reject(new Error('no')) },
        {
          name: 'ends',
          maxMs: 60_000,
          run: () => {
            isLastRun = true;
            return Promise.resolve();
          },
        },
      ],
      log.logger,
    );
    expect([unfinished, isLastRun]).toEqual([['hangs', 'fails'], true]);
    expect(log.complaints()).toEqual(['shutdown.step_overdue', 'shutdown.step_failed']);
    expect(log.text()).toContain('"step":"hangs","limitMs":20');
  });
});
