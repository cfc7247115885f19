import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { LoadShedding } from '../../../src/gateway/graphql/limits/load-shedding.js';
import { block, WHOLE_SLICE_MS } from '../../support/blocking.js';
import { captureLog } from '../../support/captured-log.js';
import { closeAfterTest } from '../../support/resources.js';
import { waitFor } from '../../support/wait-for.js';

const oneClient = (): string => '192.0.2.1';
const anotherClient = (): string => '192.0.2.2';

/** Allows long waits, or refuses what waits too long once operations have had to wait for so many milliseconds. */
function sheddingOf({ maxDelayMs = 60_000, burstMs, progressedAt, log = captureLog() }: Settings = {}): LoadShedding {
  return closeAfterTest(new LoadShedding(maxDelayMs, log.logger, progressedAt, burstMs));
}

interface Settings {
  readonly maxDelayMs?: number;
  readonly burstMs?: number;
  readonly progressedAt?: () => number;
  readonly log?: ReturnType<typeof captureLog>;
}

afterEach(() => void jest.restoreAllMocks());

/** Has the clock go on by 0.02 ms when it is read, so that as many turns fit into a yield on each machine. */
function clockOfReads(): void {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 0.02));
}

/** Has operations wait for the next turn of the event loop. */
function useUpSlice(current: LoadShedding): void {
  void current.turn(oneClient);
  block(WHOLE_SLICE_MS);
}

/** How often the event loop turns at most between two operations that wait, and take longer than a slice. */
async function turnsBetweenOperations(current: LoadShedding): Promise<number> {
  useUpSlice(current);
  let turns = 0;
  let isOver = false;
  const turned = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turned);
  };
  const begunAt: number[] = [];
  const operations = Array.from({ length: 3 }, async () => {
    expect(await current.turn(oneClient)).toBe(true);
    begunAt.push(turns);
    block(WHOLE_SLICE_MS);
  });
  turned();
  await Promise.all(operations);
  isOver = true;
  return Math.max(...begunAt.slice(1).map((at, index) => at - (begunAt[index] ?? at)));
}

describe('load shedding', () => {
  it('refuses while the event loop is late, and says once in a while how much', async () => {
    const log = captureLog();
    const current = sheddingOf({ maxDelayMs: 20, log });
    expect(current.refuses(oneClient)).toBe(false);
    block(200);
    expect([current.refuses(oneClient), current.turn(oneClient)]).toEqual([true, false]);
    await waitFor('the event loop to be in time', () => !current.refuses(oneClient));
    await waitFor('a log entry', () => log.text() !== '');
    expect(log.entries()).toMatchObject([{ level: 'warn', event: 'graphql.load_shed', delayMs: expect.any(Number) }]);
  });

  it('refuses clients that send more than others first, and all while the event loop is very late', () => {
    // Sums of fractions would not be exact.
    let now = Math.floor(performance.now());
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const current = sheddingOf({ maxDelayMs: 20 });
    const ask = (): unknown[] => [oneClient, anotherClient, () => '192.0.2.3'].map((client) => current.refuses(client));
    for (const client of [oneClient, oneClient, oneClient, anotherClient]) void current.turn(client);
    now += 50 + 20;
    expect(ask()).toEqual([false, false, false]);
    now += 1;
    expect(ask()).toEqual([true, false, false]);
    now += 20;
    expect(ask()).toEqual([true, true, true]);
  });

  it('takes those for more that are in progress, before those that are only sent', () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const current = sheddingOf({ maxDelayMs: 20 });
    for (const client of [oneClient, oneClient, oneClient, anotherClient]) void current.turn(client);
    const ends = [anotherClient, anotherClient, oneClient].map((client) => current.began(client));
    now += 50 + 21;
    expect([current.refuses(oneClient), current.refuses(anotherClient)]).toEqual([false, true]);
    for (const end of ends) end();
    expect([current.refuses(oneClient), current.refuses(anotherClient)]).toEqual([true, false]);
  });

  it('takes a line that varies its /64 for one client that sends more than others', () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const current = sheddingOf({ maxDelayMs: 20 });
    const home = (net: number) => (): string => `2001:db8:1:${(0x2a00 + net).toString(16)}::1`;
    for (let net = 0; net < 200; net += 1) void current.turn(home(net));
    for (let person = 0; person < 20; person += 1) void current.turn(oneClient);
    now += 50 + 21;
    expect([current.refuses(oneClient), current.refuses(home(7))]).toEqual([false, true]);
  });

  /** Has operations of clients in progress when a check was half its interval late, in a process that works so much. */
  async function inLongTurns(
    utilization: number,
    clients: readonly (() => string)[] = Array<() => string>(16).fill(oneClient),
  ) {
    const inTime = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => 1.5 * inTime());
    const elu = { idle: 1 - utilization, active: utilization, utilization };
    const checked = jest.spyOn(performance, 'eventLoopUtilization').mockReturnValue(elu);
    const current = sheddingOf();
    const ends = clients.map((client) => current.began(client));
    const before = checked.mock.calls.length;
    await waitFor('two checks', () => checked.mock.calls.length >= before + 4);
    return { current, ends, checked };
  }

  /** Lets the event loop turn, so that what may begin has begun. */
  async function turns(): Promise<void> {
    for (let turned = 0; turned < 10; turned += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  it('begins no more operations than are in progress while the turns of a busy event loop are long', async () => {
    const { current, ends } = await inLongTurns(1);
    let hasBegun = false;
    const turn = Promise.resolve(current.turn(oneClient)).then((mayRun) => (hasBegun = mayRun));
    await turns();
    expect(hasBegun).toBe(false);
    ends[0]?.();
    expect(await turn).toBe(true);
  });

  it('lets others begin while those in progress wait for backends, however late the machine makes its checks', async () => {
    const { current } = await inLongTurns(0.5);
    expect(await current.turn(oneClient)).toBe(true);
  });

  it('leaves the last places of those in progress to clients with fewer of them', async () => {
    const { current, ends } = await inLongTurns(1, [...Array<() => string>(10).fill(oneClient), anotherClient]);
    const begun: string[] = [];
    const operation = async (client: () => string): Promise<void> => {
      if (!(await current.turn(client))) return;
      begun.push(client());
      current.began(client);
    };
    await operation(oneClient);
    const second = operation(oneClient);
    await operation(anotherClient);
    await turns();
    expect(begun).toEqual([oneClient(), anotherClient()]);
    for (const end of ends.slice(0, 3)) end();
    await second;
    expect(begun).toHaveLength(3);
  });

  it('lets a client take an equal part of the places, however many operations of another one are in progress', async () => {
    const { current } = await inLongTurns(1, Array<() => string>(40).fill(oneClient));
    const begun: string[] = [];
    const operation = async (client: () => string): Promise<void> => {
      if (!(await current.turn(client))) return;
      begun.push(client());
      current.began(client);
    };
    for (let each = 0; each < 40; each += 1) for (const client of [oneClient, anotherClient]) void operation(client);
    await waitFor('an equal part', () => begun.length >= 8);
    await turns();
    // There are 16 places at least, and fewer than are taken.
    expect(begun.length).toBeLessThanOrEqual(20);
    expect(new Set(begun)).toEqual(new Set([anotherClient()]));
  });

  it('lets a client have more in progress only once turns have been short for a while', async () => {
    const { current, checked } = await inLongTurns(1);
    const twoChecks = async (): Promise<void> => {
      const before = checked.mock.calls.length;
      await waitFor('two checks', () => checked.mock.calls.length >= before + 4);
    };
    let now = performance.now();
    let stepMs = 60;
    // Checks are late by steps, so that the last one is a few of them ago on each machine.
    jest.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
    await twoChecks();
    stepMs = 0;
    checked.mockReturnValue({ idle: 0.5, active: 0.5, utilization: 0.5 });
    let hasBegun = false;
    const turn = Promise.resolve(current.turn(oneClient)).then((mayRun) => (hasBegun = mayRun));
    await twoChecks();
    expect(hasBegun).toBe(false);
    now += 501;
    expect(await turn).toBe(true);
  });

  it('begins a part of those that come at once after a rest, and more when they have left the event loop time', async () => {
    const now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 0.5, active: 0.5, utilization: 0.5 });
    const current = sheddingOf();
    let atOnce = 0;
    const begun = Array.from({ length: 40 }, async () => {
      const turn = current.turn(oneClient);
      if (turn === true) {
        atOnce += 1;
        current.began(oneClient);
      }
      return turn;
    });
    expect(atOnce).toBe(16);
    expect(await Promise.all(begun)).not.toContain(false);
  });

  it('lets operations begin in the order in which they came, and the event loop turn between slices of them', async () => {
    const current = sheddingOf();
    useUpSlice(current);
    const seen: string[] = [];
    const operations = [1, 2, 3].map(async (number) => {
      seen.push(`${number} comes`);
      expect(await current.turn(oneClient)).toBe(true);
      seen.push(`${number} begins`);
      setImmediate(() => seen.push(`a turn after ${number}`));
      block(WHOLE_SLICE_MS);
    });
    await Promise.all(operations);
    const came = ['1 comes', '2 comes', '3 comes'];
    expect(seen).toEqual([...came, '1 begins', 'a turn after 1', '2 begins', 'a turn after 2', '3 begins']);
    await waitFor('a turn in which nothing waits', () => current.turn(oneClient) === true);
  });

  it('begins none in the turn in which connections come, as its client may have gone already', async () => {
    const current = sheddingOf();
    current.connected();
    const turn = current.turn(oneClient);
    expect(turn).toBeInstanceOf(Promise);
    expect(await turn).toBe(true);
  });

  it('lets operations go on however many connections come', async () => {
    clockOfReads();
    const current = sheddingOf();
    let turns = 0;
    let isOver = false;
    const comes = (): void => {
      turns += 1;
      current.connected();
      if (!isOver) setImmediate(comes);
    };
    comes();
    const turnsBefore: number[] = [];
    for (let operation = 0; operation < 5; operation += 1) {
      useUpSlice(current);
      const before = turns;
      expect(await current.turn(oneClient)).toBe(true);
      turnsBefore.push(turns - before);
    }
    isOver = true;
    // And the event loop turned for them in between.
    expect(Math.max(...turnsBefore)).toBeGreaterThan(10);
  });

  it.each([
    ['often for jobs that get on', 0, 10],
    ['once when no job gets on', 1_000, 0],
  ])('has the event loop turn between operations that wait: %s', async (_what, pastMs, atLeast) => {
    clockOfReads();
    const turns = await turnsBetweenOperations(sheddingOf({ progressedAt: () => performance.now() - pastMs }));
    expect(atLeast === 0 ? turns === 1 : turns > atLeast).toBe(true);
  });

  it.each([
    ['an address', () => '192.0.2.1'],
    ['a home with a /56', (each: number) => `2001:db8:1:2f${(each + 16).toString(16)}::1`],
    ['a site with a /48', (each: number) => `2001:db8:1:${(each + 16).toString(16)}00::1`],
  ])('has a client wait for one operation of %s, however many that has sent', async (_what, addressOf) => {
    const current = sheddingOf();
    useUpSlice(current);
    const begun: string[] = [];
    const operation = async (address: string): Promise<void> => {
      expect(await current.turn(() => address)).toBe(true);
      begun.push(address);
    };
    const crowd = Array.from({ length: 50 }, (_, each) => operation(addressOf(each)));
    await Promise.all([...crowd, operation('192.0.2.2'), operation('192.0.2.2')]);
    expect(begun).toHaveLength(52);
    expect(begun.slice(0, 4)).toEqual([addressOf(0), '192.0.2.2', addressOf(1), '192.0.2.2']);
  });

  it('refuses at once what would have to wait too long, as far as one can tell', async () => {
    const maxDelayMs = 4_000;
    const current = sheddingOf({ burstMs: 0, maxDelayMs });
    const operation = async (milliseconds: number): Promise<void> => {
      expect(await current.turn(oneClient)).toBe(true);
      block(milliseconds);
    };
    // From these it learns how long one takes.
    useUpSlice(current);
    await Promise.all(Array.from({ length: 30 }, () => operation(20)));
    useUpSlice(current);
    const waiting: Promise<void>[] = [];
    while (waiting.length < 1_000 && !current.refuses(oneClient)) waiting.push(operation(0));
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThanOrEqual(maxDelayMs / 20);
    // Another client does not wait for all of these.
    expect([current.refuses(oneClient), current.refuses(anotherClient)]).toEqual([true, false]);
    await Promise.all(waiting);
  });

  it('refuses what has waited too long behind others, and not what comes then', async () => {
    // Long enough for a busy machine to do nothing for us in a short while.
    const maxDelayMs = 300;
    const log = captureLog();
    const current = sheddingOf({ burstMs: 0, maxDelayMs, log });
    useUpSlice(current);
    const waits = current.turn(oneClient);
    const waitsToo = current.turn(oneClient);
    block(2 * maxDelayMs);
    expect(await Promise.all([waits, waitsToo])).toEqual([false, false]);
    await waitFor('a turn in which nothing waits', () => current.turn(oneClient) === true);
    await waitFor('a log entry', () => log.text() !== '');
    expect(log.entries()).toMatchObject([{ event: 'graphql.load_shed', delayMs: expect.any(Number) }]);
  });

  it('lets a burst wait, however long that takes, and refuses nothing of it', async () => {
    const maxDelayMs = 1_000;
    const current = sheddingOf({ burstMs: 60_000, maxDelayMs });
    useUpSlice(current);
    const burst: (boolean | Promise<boolean>)[] = [];
    const comes = (): void => {
      expect(current.refuses(oneClient)).toBe(false);
      burst.push(current.turn(oneClient));
    };
    for (let operation = 0; operation < 20; operation += 1) comes();
    // The first ones take so long that the others would have to expect too much.
    const begun = burst.map(async (turn) => {
      const mayRun = await turn;
      block(maxDelayMs / 10);
      return mayRun;
    });
    await begun[3];
    await waitFor('the event loop to be in time', () => !current.refuses(oneClient));
    comes();
    expect(await Promise.all([...begun, burst.at(-1)])).toEqual(Array<boolean>(21).fill(true));
  });
});
