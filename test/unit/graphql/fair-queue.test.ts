import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue } from '../../../src/gateway/graphql/limits/fair-queue.js';
import { memoryInUse } from '../../support/memory.js';

type Arrival = { readonly client: string; readonly number: number };

const client = fc.constantFrom('a', 'b', 'c 1', 'c 2', 'd 1 x', 'd 1 y', 'd 2 x');
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ comes: client }) },
    { weight: 1, arbitrary: fc.constantFrom('next', 'oldest') },
  ),
  { maxLength: 80 },
);

/** Takes what is next until nothing waits. */
function takeAll<T>(queue: FairQueue<T>): readonly T[] {
  const taken: T[] = [];
  for (let next = queue.takeNext(); next !== undefined; next = queue.takeNext()) taken.push(next);
  return taken;
}

describe('a fair queue', () => {
  it('has clients take turns, and keeps the order of each', () => {
    const queue = new FairQueue<string>();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add([name.slice(0, 1)], name);
    const taken = [queue.takeNext(), queue.takeNext()];
    // Who has had no turn yet is before those who have.
    queue.add(['d'], 'd1');
    expect([...taken, ...takeAll(queue)]).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3']);
    expect([queue.takeNext(), queue.takeOldest()]).toEqual([undefined, undefined]);
  });

  it('has those within a party take turns as well', () => {
    const queue = new FairQueue<string>();
    const names = ['home.a', 'home.a', 'home.b', 'home.c', 'home.c', 'office', 'office', 'office'];
    for (const name of names) queue.add(name.split('.'), name);
    expect([queue.aheadOf(['office']), queue.aheadOf(['home', 'b']), queue.aheadOf(['home', 'd'])]).toEqual([7, 8, 7]);
    expect([queue.aheadOf(['new']), queue.aheadOf([])]).toEqual([2, 8]);
    expect(takeAll(queue)).toEqual([
      ...['home.a', 'office', 'home.b', 'office', 'home.c', 'office', 'home.a', 'home.c'],
    ]);
  });

  it('gives out what came first of each client, all of it once, and tells how many precede a newcomer at most', () => {
    fc.assert(
      fc.property(steps, client, (all, newcomer) => {
        const queue = new FairQueue<Arrival>();
        let waiting: readonly Arrival[] = [];
        for (const [number, step] of all.entries()) {
          if (typeof step === 'object') {
            const arrival = { client: step.comes, number };
            queue.add(step.comes.split(' '), arrival);
            waiting = [...waiting, arrival];
          } else {
            expect(queue.takeOldest((oldest) => oldest !== waiting[0])).toBeUndefined();
            const taken = step === 'next' ? queue.takeNext() : queue.takeOldest();
            const first = waiting.find((one) => step === 'oldest' || one.client === taken?.client);
            expect(taken).toBe(first);
            waiting = waiting.filter((one) => one !== taken);
          }
          expect(queue.size).toBe(waiting.length);
        }
        const ahead = queue.aheadOf(newcomer.split(' '));
        const last = { client: newcomer, number: all.length };
        queue.add(newcomer.split(' '), last);
        const rest = takeAll(queue);
        expect(new Set(rest)).toEqual(new Set([...waiting, last]));
        expect(rest.indexOf(last)).toBeLessThanOrEqual(ahead);
      }),
    );
  });

  it.each([
    ['turn by turn', 1],
    ['in crowds of 50,000', 50_000],
  ])('keeps nothing of a million values that had their turn %s', (_how, crowd) => {
    const queue = new FairQueue<object>();
    const bytesBefore = memoryInUse().heapUsed;
    for (let turn = 0; turn < 1_000_000; turn += crowd) {
      for (let one = 0; one < crowd; one += 1) queue.add(['network', `client ${one % 1_000}`], {});
      while (queue.takeNext() !== undefined);
    }
    expect(memoryInUse().heapUsed - bytesBefore).toBeLessThan(1_000_000);
  });

  it('takes the same time for each value, however many wait', () => {
    const queue = new FairQueue<number>();
    for (let number = 0; number < 300_000; number += 1) queue.add(['network', `client ${number % 1_000}`], number);
    const { user } = process.cpuUsage();
    for (let turn = 0; turn < 10_000; turn += 1) {
      queue.takeOldest();
      queue.takeNext();
    }
    // A microsecond is enough for each; removing from the front of such a list takes fifty.
    expect(process.cpuUsage({ user, system: 0 }).user).toBeLessThan(200_000);
    expect(queue.size).toBe(280_000);
  });
});
