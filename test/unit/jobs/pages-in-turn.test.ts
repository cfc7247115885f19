import { describe, expect, it } from '@jest/globals';
import { TooManyRequestsError } from '../../../src/errors.js';
import { PagesInTurn } from '../../../src/jobs/job-list.js';
import { deferred } from '../../support/wait-for.js';

describe('Pages of jobs', () => {
  it('are read one after another for an organisation, and beside those of others, also after one that failed', async () => {
    const pages = new PagesInTurn();
    const begun: string[] = [];
    const held = deferred();
    const first = pages.read('acme', async () => {
      begun.push('first');
      await held.promise;
      throw new Error('unreadable');
    });
    const second = pages.read('acme', () => Promise.resolve(begun.push('second')));
    await pages.read('globex', () => Promise.resolve(begun.push('other')));
    expect(begun).toEqual(['first', 'other']);
    held.resolve();
    await expect(first).rejects.toThrow('unreadable');
    await second;
    expect(begun).toEqual(['first', 'other', 'second']);
  });

  it('are still read one after another for an organisation that asks while others of its wait', async () => {
    const pages = new PagesInTurn();
    const ends: (() => void)[] = [];
    const page = (): Promise<void> => new Promise((resolve) => void ends.push(resolve));
    const [first, second] = [pages.read('acme', page), pages.read('acme', page)];
    await new Promise(setImmediate);
    ends[0]?.();
    await first;
    const third = pages.read('acme', page);
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await second;
    ends[2]?.();
    await third;
  });

  it('are refused to an organisation for which too many wait, and to no other', async () => {
    const pages = new PagesInTurn();
    const held = deferred();
    const waiting = Array.from({ length: 101 }, () => pages.read('acme', () => held.promise));
    await expect(pages.read('acme', () => held.promise)).rejects.toThrow(TooManyRequestsError);
    await expect(pages.read('globex', () => Promise.resolve('page'))).resolves.toBe('page');
    held.resolve();
    await Promise.all(waiting);
    await expect(pages.read('acme', () => Promise.resolve('page'))).resolves.toBe('page');
  });
});
