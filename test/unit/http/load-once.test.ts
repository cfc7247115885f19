import { expect, it } from '@jest/globals';
import { loadOnce } from '../../../src/base/waits.js';

it('What is loaded once is loaded again after it has failed, and then no more', async () => {
  const outcomes = [Promise.reject(new Error('no file handle is left')), Promise.resolve('page')];
  let loads = 0;
  const load = loadOnce(() => outcomes[loads++] ?? Promise.reject(new Error('It was loaded before.')));
  await expect(Promise.all([load(), load()])).rejects.toThrow('no file handle is left');
  expect([await load(), await load(), loads]).toEqual(['page', 'page', 2]);
});
