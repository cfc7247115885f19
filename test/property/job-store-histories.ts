/** Any history of a job store is the history of its transitions in one map, whatever the clocks of its owners do. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { JobIdentity } from '../../src/jobs/record/job-record.js';
import type { NewJob } from '../../src/jobs/record/job-store.js';
import { createMemoryJobStore, type EnqueuingStore } from '../unit/jobs/memory-job-store.js';

/*
 * Every clock stands at a full minute, and every lease and retention, also both together, ends between two, so
 * that the moment that passes while a step is taken decides nothing.
 */
const MINUTE_MS = 60_000;
const LEASE_FRACTION_MS = MINUTE_MS / 2;
export const START = Date.UTC(2030, 0, 1);
/** Processes that use the store. */
export const OWNERS = 3;
const DESCRIBED: NewJob = {
  total: 5,
  fingerprint: 'kid.print',
  retentionMs: 20 * MINUTE_MS + MINUTE_MS / 4,
  orderedBy: { BackendUser: '利用者 1' },
};

/** A store as one owner reaches it, by a clock that may be wrong. */
export type OpenFor = (clock: () => number) => EnqueuingStore;

/** The store under test beside the map, and who uses both. */
interface World {
  readonly stores: readonly EnqueuingStore[];
  readonly inMemory: readonly EnqueuingStore[];
  readonly clocks: number[];
  readonly job: (index: number) => JobIdentity;
  /** Tokens of claims, by owner and job; a crash forgets them, and being overtaken does not. */
  readonly tokens: Map<string, string>;
  /** The newest claim of each job: the only one whose writes may count. */
  readonly newestClaim: Map<number, string>;
  /** Steps so far: claims and outcomes of items have numbers of their own. */
  steps: number;
}

/** Asks a store as an owner. @param step its number */
type Ask = (store: EnqueuingStore, job: JobIdentity, token: string, step: number) => Promise<unknown>;
type Command = fc.AsyncCommand<object, World>;

function createWorld(openFor: OpenFor, run: number): World {
  const clocks = Array.from({ length: OWNERS }, () => START);
  const clockOf = (owner: number) => () => clocks[owner] ?? START;
  const memory = createMemoryJobStore();
  return {
    stores: clocks.map((_, owner) => openFor(clockOf(owner))),
    inMemory: clocks.map((_, owner) => memory.seenBy(clockOf(owner))),
    clocks,
    job: (index) => ({ kind: 'user-accounts', org: `run-${run}`, jobId: `job-${index}` }),
    tokens: new Map(),
    newestClaim: new Map(),
    steps: 0,
  };
}

/** Milliseconds as the minute they lie in; all other numbers are smaller. */
function inMinutes(value: unknown): unknown {
  const whole = (_name: string, member: unknown): unknown =>
    typeof member === 'number' && member >= 1_000 ? Math.floor(member / MINUTE_MS) : member;
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value, whole)) as unknown);
}

function command(name: string, run: (world: World) => Promise<void> | void): Command {
  return { check: () => true, run: async (_model, world) => run(world), toString: () => name };
}

/** A step whose answer, and what everybody can see after it, is that of the map. */
function asking(name: string, owner: number, job: number, ask: Ask): Command {
  return command(`${name} (owner ${owner}, job ${job})`, async (world) => {
    const [store, memory] = [world.stores[owner], world.inMemory[owner]];
    if (store === undefined || memory === undefined) throw new Error('There is no such owner.');
    world.steps += 1;
    const held = `${owner} ${job}`;
    const token = world.tokens.get(held) ?? 'never-issued';
    const identity = world.job(job);
    const expected = await ask(memory, identity, token, world.steps);
    const answer = await ask(store, identity, token, world.steps);
    expect(inMinutes(answer)).toEqual(inMinutes(expected));
    expect(inMinutes(await store.read(identity))).toEqual(inMinutes(await memory.read(identity)));
    expect(await store.readItems(identity)).toEqual(await memory.readItems(identity));
    expect(inMinutes(await store.look(identity))).toEqual(inMinutes(await memory.look(identity)));
    const isWrite = ['renew', 'checkpoint', 'finish', 'release'].includes(name);
    if (isWrite && answer !== false && answer !== 'lost') expect(token).toBe(world.newestClaim.get(job));
    if (name !== 'claim') return;
    const { fencingToken } = answer as { readonly fencingToken?: string }; // of a claim
    if (fencingToken === undefined) return;
    world.tokens.set(held, fencingToken);
    world.newestClaim.set(job, fencingToken);
  });
}

/** Few enough for histories to reach them. */
const MAX_LOST_LEASES = 2;

const OK = { status: 200, body: '{}' };

const owners = fc.nat(OWNERS - 1);
const jobs = fc.nat(1);
const leases = fc.nat(6).map((minutes) => minutes * MINUTE_MS + LEASE_FRACTION_MS);
/** Fingerprints of the same body under its key, under a newer one as well, of an earlier build, and of another body. */
const prints = fc.constantFrom<readonly [string, ...string[]]>(
  ['kid.print'],
  ['kid.print', 'print'],
  ['new.mark', 'kid.print', 'mark', 'print'],
  ['new.mark', 'mark'],
  ['kid.other', 'other'],
  ['print'],
);

/** When a message was queued: it is not known, before the job ended, or after, as of a replay. */
const queued = fc.constantFrom({}, { queuedAt: START }, { queuedAt: START + 1_000 * MINUTE_MS });

/** Steps of one kind, by any owner on any job. */
function steps<T>(name: string, given: fc.Arbitrary<T>, ask: (given: T) => Ask): fc.Arbitrary<Command> {
  return fc.tuple(owners, jobs, given).map(([owner, job, value]) => asking(name, owner, job, ask(value)));
}
const nothing = fc.constant(undefined);

const COMMANDS: readonly fc.Arbitrary<Command>[] = [
  steps('enqueue', nothing, () => (store, job) => store.enqueue(job, DESCRIBED)),
  steps('claim', fc.tuple(leases, prints, queued), ([leaseMs, fingerprints, times]) => (store, job, _token, step) => {
    const { total, retentionMs } = DESCRIBED;
    const request = { total, retentionMs, leaseMs, fingerprints, nonce: `claim-${step}` };
    return store.claim(job, { ...request, maxLostLeases: MAX_LOST_LEASES, ...times });
  }),
  steps('renew', leases, (leaseMs) => (store, job, token) => store.renew(job, token, leaseMs)),
  steps('checkpoint', fc.nat(5), (done) => (store, job, token, step) => {
    const items = [{ index: step, createdId: step }];
    return store.checkpoint(job, token, { done, checkpoint: JSON.stringify({ next: done, step }), items });
  }),
  steps(
    'finish',
    fc.nat(),
    (by) => (store, job, token) => store.finish(job, token, { ...OK, failures: [{ from: by % 3, code: 'NotFound' }] }),
  ),
  steps('release', nothing, () => (store, job, token) => store.release(job, token)),
  steps('fail', fc.nat(), (by) => (store, job) => store.fail(job, DESCRIBED, { status: 503, body: `${by}` })),
  steps('cancel', fc.option(fc.nat(3), { nil: undefined }), (attempt) => async (store, job) => {
    const cancelled = await store.cancel(
      job,
      attempt === undefined ? undefined : { attempt, done: attempt, result: OK },
    );
    return [cancelled, cancelled && (await store.isCancelled(job))];
  }),
  steps('wait', fc.constantFrom('not_reached', 'wrong_address'), (reason) => (store, job) => store.wait(job, reason)),
  fc
    .tuple(owners, jobs)
    .map(([owner, job]) =>
      command(`crash (owner ${owner}, job ${job})`, ({ tokens }) => void tokens.delete(`${owner} ${job}`)),
    ),
  fc.integer({ min: 1, max: 10 }).map((minutes) =>
    command(`${minutes} minutes pass`, ({ clocks }) => {
      for (const [owner, time] of clocks.entries()) clocks[owner] = time + minutes * MINUTE_MS;
    }),
  ),
  fc.tuple(owners, fc.integer({ min: -30, max: 30 })).map(([owner, minutes]) =>
    command(`a clock jumps by ${minutes} minutes (owner ${owner})`, ({ clocks }) => {
      clocks[owner] = (clocks[owner] ?? START) + minutes * MINUTE_MS;
    }),
  ),
];

/** Tries random histories, until one of them is another one in memory. */
export async function holdAgainstMemory(
  openFor: OpenFor,
  options: { readonly numRuns: number; readonly seed: number },
): Promise<void> {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands([...COMMANDS], { size: 'max', maxCommands: 60 }), async (commands) => {
      await fc.asyncModelRun(() => ({ model: {}, real: createWorld(openFor, (run += 1)) }), commands);
    }),
    options,
  );
}

/** Histories that are tried on Redis, and half as many on SQLite; `npm run test:soak` sets more. */
export const HISTORIES = Number(process.env['JOB_STORE_HISTORIES'] ?? 40);
