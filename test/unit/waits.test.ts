import { expect, it } from '@jest/globals';
import { repeat, yieldToEventLoop } from '../../src/base/waits.js';
import { waitFor } from '../support/wait-for.js';

it('is a whole round of the event loop, in which what has arrived is read', async () => {
  const rounds: string[] = [];
  setImmediate(() => {
    rounds.push('this one');
    setImmediate(() => rounds.push('the next one'));
  });
  await yieldToEventLoop();
  expect(rounds).toEqual(['this one', 'the next one']);
});

it('repeats work until it is closed, which waits for work that does not stop no longer than it is told', async () => {
  let times = 0;
  let asked: AbortSignal | undefined;
  const repetition = repeat(
    (stopping) => {
      asked = stopping;
      return (times += 1) < 3 ? Promise.resolve() : new Promise(() => undefined);
    },
    { everyMs: 1, maxMs: 20 },
  );
  await waitFor('the work that hangs', () => times === 3);
  await repetition.close();
  expect(asked?.aborted).toBe(true);
});
