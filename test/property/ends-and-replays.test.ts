/**
 * A job ends as what it did, and is never lost, whatever two gateways, a consumer, a canceller, a replayer and a sweeper do
 * at the same time, each of which may be slow or die at any of its waits. The rules, the runner and the consumer are the
 * real ones; the store and the queue are maps that every actor asks in a turn of its own.
 */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { KeyRing } from '../../src/base/config/key-ring.js';
import type { Work } from '../../src/jobs/job.js';
import { cancelJob } from '../../src/jobs/job-cancel.js';
import { runBulk } from '../../src/jobs/kinds/run-bulk.js';
import { consumeJobs } from '../../src/jobs/queue-function/consume.js';
import type { DeliverMessage } from '../../src/jobs/queue-function/deliver.js';
import type { DeliveryOutcome } from '../../src/jobs/record/delivery-outcome.js';
import { fingerprintsOf } from '../../src/jobs/record/fingerprint.js';
import { BULK_ROWS, endOfBulk } from '../../src/jobs/record/job-ends.js';
import { failuresOfItems } from '../../src/jobs/record/job-failures.js';
import type { DeliveryHandler, JobMessage } from '../../src/jobs/record/job-queue.js';
import type { ItemOutcome, JobRecord } from '../../src/jobs/record/job-record.js';
import * as transitions from '../../src/jobs/record/transitions.js';
import { JobRunner } from '../../src/jobs/run/job-runner.js';
import type { JobReply } from '../../src/jobs/run/job-reply.js';
import { captureLog } from '../support/captured-log.js';
import { chooseSeed } from '../support/seed.js';
import { jobMessage } from '../support/stored-jobs.js';
import { Actor, StoreOfActor, type Turn } from './scheduled-actors.js';

/** Schedules that are tried; `npm run test:soak` sets more. */
const SCHEDULES = Number(process.env['JOB_SCHEDULES'] ?? 300);
const ITEMS = 4;
const LEASE_MS = 60_000;
/** Time for which a message, or a dead letter, is hidden from others. */
const HIDDEN_MS = 30_000;
const REPLAY_MS = 120_000;
const LOST = { status: 503, body: '{"message":"The job was lost."}' };
const NO_REPLY = { kind: 'delay', delayMs: 1_000, code: 'no_reply', status: 503, reason: 'cut off' } as const;
const REFUSED = { kind: 'final', code: 'message_refused', status: 413, reason: 'too large' } as const;

/** Message in the queue, or dead letter. */
interface Entry {
  isDead: boolean;
  since: number;
  hiddenUntil: number;
  received: number;
}

/** How a schedule differs from others besides its steps. */
interface Setting {
  readonly kind: 'user-accounts' | 'mobiles';
  /** True if the queue may hold copies of a message, like Amazon SQS; otherwise one entry for a job, like BullMQ. */
  readonly hasCopies: boolean;
  /** True if the job has ended as a dead letter before. */
  readonly startsDead: boolean;
}

interface Gateway {
  readonly actor: Actor;
  readonly runner: JobRunner;
}

const keyRing = new KeyRing([new Uint8Array(32)]);
const BODY = Array.from({ length: ITEMS }, (_, index) => index);

class World {
  readonly setting: Setting;
  readonly message: JobMessage;
  readonly waiting = new Set<Turn>();
  readonly entries: Entry[] = [];
  readonly effects = BODY.map(() => 0);
  readonly wrongs: string[] = [];
  readonly #log = captureLog().logger;
  readonly #gateways: Gateway[];
  consumer: Actor;
  others: Actor[] = [];
  record: JobRecord | undefined;
  outcomes: readonly ItemOutcome[] = [];
  refusesNext = false;
  ahead = 0;
  #deliveries = 0;
  /** Items of which the end says that they were not begun. */
  #notBegun: ReadonlySet<number> = new Set();

  constructor(setting: Setting, fingerprint: string) {
    this.setting = setting;
    const described = { total: ITEMS, fingerprint, retentionMs: 1e9 };
    this.message = jobMessage('job', { kind: setting.kind, described });
    this.write(transitions.enqueue(undefined, described, this.now()));
    this.#gateways = [this.#gateway(), this.#gateway()];
    this.consumer = this.#consume();
    this.send();
    if (!setting.startsDead) return;
    for (const entry of this.entries) entry.isDead = true;
    this.write(transitions.fail(this.record, described, LOST, this.now()));
  }

  now(): number {
    return Date.now() + this.ahead;
  }

  send(since = this.now()): void {
    this.entries.push({ isDead: false, since, hiddenUntil: 0, received: 0 });
  }

  write(next: transitions.Transition, outcomes = this.outcomes): transitions.Transition {
    if (next === undefined) return undefined;
    const hasEnded = next.state === 'finished' && this.record?.state !== 'finished';
    if (next.state === 'running' && this.record?.state === 'finished' && this.setting.hasCopies)
      this.wrongs.push('The job runs again for a message that is not newer than its end.');
    this.record = next;
    this.outcomes = outcomes;
    if (next.state !== 'finished') this.#notBegun = new Set();
    else if (hasEnded) this.#judge(next);
    return next;
  }

  /** Compares an end with the effects. */
  #judge({ result }: JobRecord): void {
    const { status = 0, body = '', unsentReply, failures } = result ?? {};
    const isNeverBegun = status !== 200 && unsentReply === undefined;
    const failed = new Map(failuresOfItems(failures).map(({ index, reason }) => [index, reason ?? '']));
    const notBegun = BODY.filter((index) => isNeverBegun || failed.get(index)?.startsWith('NotBegun'));
    const done = BODY.filter((index) => !isNeverBegun && !failed.has(index));
    for (const index of notBegun) if (this.effects[index] !== 0) this.wrongs.push(`${index} was done, not "not begun"`);
    for (const index of done) if (this.effects[index] === 0) this.wrongs.push(`${index} was not done`);
    const { data } = JSON.parse(unsentReply ?? body) as { data?: { created_user_account_id: number[] } }; // of a reply
    const ids = this.setting.kind === 'user-accounts' ? done : [];
    if (!isNeverBegun) expect(data?.created_user_account_id ?? []).toEqual(ids);
    this.#notBegun = new Set(notBegun);
  }

  #gateway(): Gateway {
    const actor = new Actor(this.waiting);
    const settings = { keyRing, logger: this.#log, leaseMs: LEASE_MS, deadlineMs: 1e9, maxAttempts: 3, patienceMs: 0 };
    return { actor, runner: new JobRunner({ jobStore: new StoreOfActor(this, actor), ...settings }) };
  }

  /** A gateway dies, and another one takes its place. */
  crashGateway(index: number): void {
    this.#gateways[index]?.actor.crash();
    this.#gateways[index] = this.#gateway();
  }

  crashConsumer(): void {
    this.consumer.crash();
    this.consumer = this.#consume();
  }

  async #deliver(since: number | undefined): Promise<DeliveryOutcome> {
    const refuses = this.refusesNext;
    this.refusesNext = false;
    if (refuses) return REFUSED;
    const [one, two] = this.#gateways;
    const gateway = ((this.#deliveries += 1) % 2 === 0 ? one : two) ?? this.#gateway();
    const { kind } = this.setting;
    const apply = async (_item: number, { index }: { readonly index: number }): Promise<number | undefined> => {
      await gateway.actor.turn();
      this.effects[index] = (this.effects[index] ?? 0) + 1;
      if (this.#notBegun.has(index)) this.wrongs.push(`${index} was done after it was told not to be begun`);
      await gateway.actor.turn();
      return kind === 'user-accounts' ? index : undefined;
    };
    const bulk = { items: BODY, repeatable: BULK_ROWS[kind].repeatable, label: String, apply };
    const run: Work['run'] = async (execution) => endOfBulk(BULK_ROWS[kind], await runBulk(bulk, execution));
    const job = { kind, itemsAt: [], accept: () => ({ kind: 'faults', faults: [] }) as const };
    const work = { total: ITEMS, resumes: true, run };
    const request = { job, org: 'acme', jobId: 'job', queuedAt: since, body: BODY, work, log: this.#log };
    return Promise.race([
      gateway.runner.handle(request).then(outcomeOf),
      gateway.actor.crashed.promise.then(() => NO_REPLY),
    ]);
  }

  #consume(): Actor {
    const actor = new Actor(this.waiting);
    const consume = (handler: DeliveryHandler) => {
      void (async () => {
        const isDue = ({ isDead, hiddenUntil }: Entry): boolean => !isDead && hiddenUntil <= this.now();
        for (;;) {
          await actor.turn(() => this.entries.some(isDue));
          const entry = this.entries.find(isDue);
          if (entry !== undefined) await this.#handle(entry, actor, handler);
        }
      })();
      return { close: () => Promise.resolve() };
    };
    const jobStore = new StoreOfActor(this, actor);
    const deliver: DeliverMessage = (_message, { since } = {}) => this.#deliver(since);
    consumeJobs({ queue: { consume }, jobStore, deliver, concurrency: 1, logger: this.#log, clock: () => this.now() });
    return actor;
  }

  async #handle(entry: Entry, actor: Actor, handler: DeliveryHandler): Promise<void> {
    const { hasCopies } = this.setting;
    entry.received += 1;
    entry.hiddenUntil = this.now() + HIDDEN_MS;
    const { received, since } = entry;
    const copy = hasCopies ? received > 1 && ({ copy: 'again' } as const) : ({ copy: 'only' } as const);
    const disposition = await handler({ message: this.message, attempt: 1, lastAttempt: false, since, ...copy });
    await actor.turn();
    // Another consumer may have it by now.
    if (entry.received !== received || !this.entries.includes(entry)) return;
    if (disposition.kind === 'done') this.remove(entry);
    else if (disposition.kind === 'delay') entry.hiddenUntil = this.now() + disposition.delayMs;
    else if (disposition.kind === 'retry') this.wrongs.push(disposition.reason);
    else if (hasCopies) {
      this.entries.push({ ...entry, isDead: true, hiddenUntil: 0 });
      await actor.turn();
      this.remove(entry);
    } else Object.assign(entry, { isDead: true, hiddenUntil: 0 });
  }

  remove(entry: Entry): void {
    if (this.entries.includes(entry)) this.entries.splice(this.entries.indexOf(entry), 1);
  }

  /** Lets another process begin, which may die like the gateways. */
  begin(work: (store: StoreOfActor, actor: Actor) => Promise<unknown>): void {
    const actor = new Actor(this.waiting);
    this.others.push(actor);
    void actor.turn().then(() => work(new StoreOfActor(this, actor), actor));
  }

  #hold(): Entry | undefined {
    const dead = this.entries.find(({ isDead, hiddenUntil }) => isDead && hiddenUntil <= this.now());
    if (dead !== undefined) dead.hiddenUntil = this.now() + HIDDEN_MS;
    return dead;
  }

  async replay(store: StoreOfActor, actor: Actor): Promise<void> {
    const dead = this.#hold();
    if (dead === undefined) return;
    const { hiddenUntil } = dead;
    const since = await store.replay(this.message);
    await actor.turn();
    if (this.setting.hasCopies) {
      this.send(since);
      await actor.turn();
      if (this.now() <= hiddenUntil) this.remove(dead);
      // A replay that takes as long counts as dead.
    } else if (this.now() - since <= REPLAY_MS) Object.assign(dead, { isDead: false, since, hiddenUntil: 0 });
  }

  /** Ends jobs of dead letters where the queue makes some itself; elsewhere those that will not be delivered. */
  async sweep(store: StoreOfActor, actor: Actor): Promise<void> {
    if (this.setting.hasCopies) {
      const dead = this.#hold();
      if (dead === undefined) return;
      const record = await store.read(this.message);
      if (transitions.isHandled(record)) this.remove(dead);
      else if (record?.state !== 'finished') await store.failLost(this.message, this.message.described, LOST, record);
      return;
    }
    const isDeliverable = actor.turn().then(() => this.entries.some(({ isDead }) => !isDead));
    const [record, willCome] = await Promise.all([store.read(this.message), isDeliverable]);
    if (record === undefined || record.state === 'finished' || willCome) return;
    await store.failLost(this.message, record, LOST, record);
  }
}

function fault(): never {
  throw new Error('A job has a record.');
}

function outcomeOf(reply: JobReply): DeliveryOutcome {
  if (reply.outcome === 'handled') return { kind: 'done' };
  if ('retryAfterMs' in reply) return { ...NO_REPLY, code: 'running', delayMs: reply.retryAfterMs };
  return { ...REFUSED, status: 422 };
}

/** Events that may come instead of a turn. @param which a number that decides among several */
const EVENTS: readonly ((world: World, which: number) => unknown)[] = [
  (world, which) => world.crashGateway(which % 2),
  (world) => world.crashConsumer(),
  (world, which) => world.others[which % Math.max(1, world.others.length)]?.crash(),
  (world) => (world.ahead += HIDDEN_MS + 1),
  (world) => (world.ahead += LEASE_MS + 1),
  (world) => (world.ahead += REPLAY_MS + 1),
  (world) =>
    world.begin(async (store) => cancelJob(store, world.message, (await store.read(world.message)) ?? fault())),
  (world) => world.begin((store, actor) => world.replay(store, actor)),
  (world) => world.begin((store, actor) => world.replay(store, actor)),
  (world) => world.begin((store, actor) => world.sweep(store, actor)),
  // A sweep that comes while all others are slow.
  async (world) => {
    world.ahead += HIDDEN_MS + 1;
    world.begin((store, actor) => world.sweep(store, actor));
    while (await takeTurn(world, 0, world.others.at(-1)));
  },
  (world) => (world.refusesNext = true),
  // A copy of the first message, which a send in doubt has left.
  (world) => world.setting.hasCopies && world.send(world.record?.createdAt),
];

/** Lets one of those that wait, or that one, have its turn. @returns false if nobody waits */
async function takeTurn(world: World, which: number, only?: Actor): Promise<boolean> {
  for (let count = 0; count < 6; count += 1) await setImmediate();
  const due = [...world.waiting].filter(({ actor, isDue }) => actor.isAlive && isDue() && (only ?? actor) === actor);
  const turn = due[which % Math.max(1, due.length)];
  if (turn === undefined) return false;
  world.waiting.delete(turn);
  turn.go();
  return true;
}

/** Lets everybody go on without crashes until the job has ended and nothing is delivered any more. */
async function calmDown(world: World): Promise<void> {
  for (let round = 0; round < 40; round += 1) {
    while (await takeTurn(world, 0));
    if (round > 3 && world.record?.state === 'finished' && world.entries.every(({ isDead }) => isDead)) return;
    world.ahead += REPLAY_MS + 1;
    world.begin((store, actor) => world.sweep(store, actor));
  }
  world.wrongs.push(`The job is stranded: ${world.record?.state}, ${JSON.stringify(world.entries)}`);
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

it('The end of a job says what was done, and leaves its message or a dead letter, under any schedule with crashes', async () => {
  const [fingerprint] = await fingerprintsOf(keyRing, BODY);
  const setting: fc.Arbitrary<Setting> = fc.record({
    kind: fc.constantFrom('user-accounts', 'mobiles'),
    hasCopies: fc.boolean(),
    startsDead: fc.boolean(),
  });
  const steps = fc.array(fc.tuple(fc.nat(EVENTS.length * 5), fc.nat(999)), { minLength: 40, maxLength: 160 });
  const schedule = fc.asyncProperty(setting, steps, async (given, taken) => {
    jest.clearAllTimers();
    const world = new World(given, fingerprint);
    for (const [what, which] of taken) {
      const event = EVENTS[what];
      if (event === undefined) await takeTurn(world, which);
      else await event(world, which);
      expect(world.wrongs).toEqual([]);
    }
    await calmDown(world);
    expect(world.wrongs).toEqual([]);
    const { record, entries } = world;
    expect(transitions.isHandled(record) || entries.some(({ isDead }) => isDead)).toBe(true);
  });
  await fc.assert(schedule, {
    numRuns: SCHEDULES,
    seed: chooseSeed('schedules of a job'),
    endOnFailure: process.env['TEST_SEED'] === undefined,
  });
});
