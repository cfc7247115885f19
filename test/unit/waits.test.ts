import { expect, it } from '@jest/globals';
import { yieldToEventLoop } from '../../src/waits.js';

it('is a whole round of the event loop, in which what has arrived is read', async () => {
  const rounds: string[] = [];
  setImmediate(() => {
    rounds.push('this one');
    setImmediate(() => rounds.push('the next one'));
  });
  await yieldToEventLoop();
  expect(rounds).toEqual(['this one', 'the next one']);
});
