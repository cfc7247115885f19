import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { JobIdentity, JobRecord, JobResult } from '../../src/job-record/job-record.js';
import type { ItemOutcome } from '../../src/job-record/item-outcome.js';
import type { Cancelled, Hold, JobStore, NewJob } from '../../src/job-record/job-store.js';
import { finish, lease, release, type ReferenceJob, type ReferenceJobStore } from './reference-job-store.js';

/*
 * Every clock stands at a full minute, and every lease and retention, also both together, ends between two, so
 * that the moment that passes while a command is on its way decides nothing.
 */
const MINUTE_MS = 60_000;
const HALF_MS = MINUTE_MS / 2;
const QUARTER_MS = MINUTE_MS / 4;
const START = Date.UTC(2030, 0, 1);

const JOBS = 2;
export const OWNERS = 3;

/** A store as one owner reaches it, by a clock that may be wrong. */
export interface OwnersStore extends JobStore {
  /** Writes the pending record, as the queue of this engine does it. */
  enqueue(job: JobIdentity, described: NewJob): Promise<boolean>;
}

/** Opens the store under test for one owner. */
export type OpenFor = (clock: () => number) => OwnersStore;

interface Owner {
  readonly store: OwnersStore;
  /** Tokens of claims, by job; a crash forgets them, and being overtaken does not. */
  readonly tokens: Map<number, string>;
}

/** The store under test, and who uses it. */
export interface World {
  readonly owners: readonly Owner[];
  readonly job: (index: number) => JobIdentity;
  /** The newest claim of each job: the only one whose writes may count. */
  readonly newestClaim: Map<number, string>;
  claims: number;
  /** Outcomes of items that were noted; each has an index of its own, as within a real job. */
  items: number;
}

/** The reference, and the clock of each owner. */
export interface Reference {
  readonly store: ReferenceJobStore;
  readonly clocks: number[];
}

/** A world in which nothing has happened yet. @param run tells its jobs from those of other runs */
export function createWorld(openFor: OpenFor, run: number, { clocks }: Reference): World {
  return {
    owners: clocks.map((_, owner) => ({ store: openFor(() => clocks[owner] ?? START), tokens: new Map() })),
    job: (index) => ({ kind: 'user-accounts', org: `run-${run}`, jobId: `job-${index}` }),
    newestClaim: new Map(),
    claims: 0,
    items: 0,
  };
}

/** The clocks of a new world. */
export function synchronousClocks(): number[] {
  return Array.from({ length: OWNERS }, () => START);
}

type Step = (world: World, reference: Reference, now: number) => Promise<void>;

class StoreCommand implements fc.AsyncCommand<Reference, World> {
  readonly #name: string;
  readonly #owner: number;
  readonly #job: number;
  readonly #step: Step;

  constructor(name: string, owner: number, job: number, step: Step) {
    this.#name = name;
    this.#owner = owner;
    this.#job = job;
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  /** Takes the step, then holds what everybody can see against the reference. */
  async run(reference: Reference, world: World): Promise<void> {
    await this.#step(world, reference, clockOf(reference, this.#owner));
    const record = await ownerOf(world, this.#owner).store.read(world.job(this.#job));
    const expected = reference.store.at(String(this.#job), clockOf(reference, this.#owner));
    const items = (await ownerOf(world, this.#owner).store.readItems(world.job(this.#job))).map(({ index }) => index);
    expect(record && inMinutes(asReference(record, items))).toEqual(expected && inMinutes(expected));
  }

  toString(): string {
    return this.#name;
  }
}

const owners = fc.nat(OWNERS - 1);
const jobs = fc.nat(JOBS - 1);
const minutes = fc.integer({ min: 0, max: 6 });
const prints = fc.constantFrom<readonly [string, ...string[]]>(['print'], ['print'], ['new', 'print'], ['other']);
const described: NewJob = { total: 5, fingerprint: 'print', retentionMs: 20 * MINUTE_MS + QUARTER_MS };
const leaseOf = (length: number): number => length * MINUTE_MS + HALF_MS;

/** Every command, with owners, jobs, leases and jumps of the clocks at random. */
export function storeCommands(size: {
  readonly maxCommands: number;
}): fc.Arbitrary<Iterable<fc.AsyncCommand<Reference, World>>> {
  return fc.commands(
    [
      fc.tuple(owners, jobs).map(([owner, job]) => enqueueBy(owner, job)),
      fc.tuple(owners, jobs, minutes, prints).map(([owner, job, length, print]) => claimBy(owner, job, length, print)),
      fc.tuple(owners, jobs, minutes).map(([owner, job, length]) => renewBy(owner, job, length)),
      fc.tuple(owners, jobs, fc.nat(5)).map(([owner, job, done]) => checkpointBy(owner, job, done)),
      fc.tuple(owners, jobs).map(([owner, job]) => finishBy(owner, job)),
      fc.tuple(owners, jobs).map(([owner, job]) => releaseBy(owner, job)),
      fc.tuple(owners, jobs).map(([owner, job]) => failBy(owner, job)),
      fc.tuple(owners, jobs).map(([owner, job]) => cancelBy(owner, job)),
      fc.tuple(owners, jobs).map(([owner, job]) => crash(owner, job)),
      fc.tuple(jobs, fc.integer({ min: 1, max: 10 })).map(([job, length]) => timePasses(job, length)),
      fc
        .tuple(owners, jobs, fc.integer({ min: -30, max: 30 }))
        .map(([owner, job, jump]) => clockJumps(owner, job, jump)),
    ],
    { size: 'max', ...size },
  );
}

function enqueueBy(owner: number, job: number): StoreCommand {
  return new StoreCommand(`enqueue(owner ${owner}, job ${job})`, owner, job, async (world, reference, now) => {
    const accepted = await ownerOf(world, owner).store.enqueue(world.job(job), described);
    expect(accepted).toBe(reference.store.enqueue(String(job), now, described));
  });
}

function claimBy(
  owner: number,
  job: number,
  length: number,
  fingerprints: readonly [string, ...string[]],
): StoreCommand {
  const name = `claim(owner ${owner}, job ${job}, ${length}.5 min, ${fingerprints.join('+')})`;
  return new StoreCommand(name, owner, job, async (world, reference, now) => {
    world.claims += 1;
    const claim = `claim-${world.claims}`;
    const request = {
      total: described.total,
      retentionMs: described.retentionMs,
      leaseMs: leaseOf(length),
      fingerprints,
    };
    const outcome = await ownerOf(world, owner).store.claim(world.job(job), { ...request, nonce: claim });
    expect(outcome.outcome).toBe(reference.store.claim(String(job), now, { ...request, claim }));
    if (outcome.outcome !== 'claimed') return;
    ownerOf(world, owner).tokens.set(job, outcome.fencingToken);
    world.newestClaim.set(job, outcome.fencingToken);
  });
}

function renewBy(owner: number, job: number, length: number): StoreCommand {
  return writeBy(`renew(owner ${owner}, job ${job}, ${length}.5 min)`, owner, job, {
    write: (store, identity, token) => store.renew(identity, token, leaseOf(length)),
    tellsOfCancelling: true,
    change: (expected, now) => lease(expected, now, leaseOf(length)),
  });
}

function checkpointBy(owner: number, job: number, done: number): StoreCommand {
  const progress = { done, checkpoint: `${done} by ${owner}` };
  return writeBy(`checkpoint(owner ${owner}, job ${job}, ${done})`, owner, job, {
    write: (store, identity, token, items) => store.checkpoint(identity, token, { ...progress, items }),
    tellsOfCancelling: true,
    change: (expected, _now, items) =>
      void Object.assign(expected, progress, { items: [...expected.items, ...items.map(({ index }) => index)] }),
  });
}

function finishBy(owner: number, job: number): StoreCommand {
  const result: JobResult = { status: 200, body: `{"by":${owner}}` };
  return writeBy(`finish(owner ${owner}, job ${job})`, owner, job, {
    write: (store, identity, token) => store.finish(identity, token, result),
    change: (expected, now) => finish(expected, now, result),
  });
}

function releaseBy(owner: number, job: number): StoreCommand {
  return writeBy(`release(owner ${owner}, job ${job})`, owner, job, {
    write: (store, identity, token) => store.release(identity, token),
    change: (expected, now) => release(expected, now),
  });
}

interface Write {
  readonly write: (
    store: JobStore,
    job: JobIdentity,
    token: string,
    items: readonly ItemOutcome[],
  ) => Promise<boolean | Hold>;
  readonly tellsOfCancelling?: boolean;
  readonly change: (expected: ReferenceJob, now: number, items: readonly ItemOutcome[]) => void;
}

/** A write with the token of the owner's last claim, overtaken or not. */
function writeBy(name: string, owner: number, job: number, { write, change, tellsOfCancelling }: Write): StoreCommand {
  return new StoreCommand(name, owner, job, async (world, reference, now) => {
    const { store, tokens } = ownerOf(world, owner);
    const token = tokens.get(job) ?? 'never-issued';
    world.items += 1;
    const items = [{ index: world.items, createdId: world.items }];
    const answer = await write(store, world.job(job), token, items);
    const accepted = answer !== false && answer !== 'lost';
    // Whatever the clocks say: a write that counts is one of the newest claim.
    if (accepted) expect(token).toBe(world.newestClaim.get(job));
    expect(accepted).toBe(
      reference.store.write(String(job), now, claimOf(token), (expected) => change(expected, now, items)),
    );
    if (!accepted || !tellsOfCancelling) return;
    const isCancelled = reference.store.at(String(job), now)?.cancelledAt !== undefined;
    expect(answer).toBe(isCancelled ? 'cancelled' : 'held');
  });
}

function failBy(owner: number, job: number): StoreCommand {
  const result: JobResult = { status: 503, body: `{"message":"failed by ${owner}"}` };
  return new StoreCommand(`fail(owner ${owner}, job ${job})`, owner, job, async (world, reference, now) => {
    const accepted = await ownerOf(world, owner).store.fail(world.job(job), described, result);
    expect(accepted).toBe(reference.store.fail(String(job), now, described, result));
  });
}

function cancelBy(owner: number, job: number): StoreCommand {
  return new StoreCommand(`cancel(owner ${owner}, job ${job})`, owner, job, async (world, reference, now) => {
    const { store } = ownerOf(world, owner);
    const [cancelled, expected] = [await store.cancel(world.job(job)), reference.store.cancel(String(job), now)];
    const minute = (found: Cancelled | undefined): unknown =>
      found && { ...found, createdAt: Math.floor(found.createdAt / MINUTE_MS) };
    expect(minute(cancelled)).toEqual(minute(expected));
    const isCancelled = reference.store.at(String(job), now)?.cancelledAt !== undefined;
    if (expected !== undefined) expect(await store.isCancelled(world.job(job))).toBe(isCancelled);
  });
}

function crash(owner: number, job: number): StoreCommand {
  return new StoreCommand(`crash(owner ${owner})`, owner, job, (world) => {
    ownerOf(world, owner).tokens.clear();
    return Promise.resolve();
  });
}

function timePasses(job: number, length: number): StoreCommand {
  return new StoreCommand(`timePasses(${length} min)`, 0, job, (_world, { clocks }) => {
    for (const owner of clocks.keys()) move(clocks, owner, length);
    return Promise.resolve();
  });
}

function clockJumps(owner: number, job: number, jump: number): StoreCommand {
  return new StoreCommand(`clockJumps(owner ${owner}, ${jump} min)`, owner, job, (_world, { clocks }) => {
    move(clocks, owner, jump);
    return Promise.resolve();
  });
}

function move(clocks: number[], owner: number, byMinutes: number): void {
  clocks[owner] = (clocks[owner] ?? START) + byMinutes * MINUTE_MS;
}

function clockOf({ clocks }: Reference, owner: number): number {
  return clocks[owner] ?? START;
}

function ownerOf({ owners: all }: World, index: number): Owner {
  const owner = all[index];
  if (owner === undefined) throw new Error('There is no such owner.');
  return owner;
}

/** A fencing token is the number of the attempt and what the claim was called. */
function claimOf(token: string): string {
  return token.slice(token.indexOf('.') + 1);
}

function asReference({ lease: held, expiresAt, ...record }: JobRecord, items: readonly number[]): ReferenceJob {
  return {
    ...record,
    items,
    goneAt: expiresAt,
    owner: held && claimOf(held.fencingToken),
    leasedUntil: held?.expiresAt,
  };
}

/** With every point in time as the minute it lies in. */
function inMinutes(job: ReferenceJob): Record<string, unknown> {
  const minute = (time: number | undefined): number | undefined => time && Math.floor(time / MINUTE_MS);
  const { createdAt, startedAt, finishedAt, cancelledAt, goneAt, leasedUntil, ...rest } = job;
  return {
    ...rest,
    createdAt: minute(createdAt),
    startedAt: minute(startedAt),
    finishedAt: minute(finishedAt),
    cancelledAt: minute(cancelledAt),
    goneAt: minute(goneAt),
    leasedUntil: minute(leasedUntil),
  };
}
