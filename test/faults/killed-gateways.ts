import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it, jest } from '@jest/globals';
import { randomFrom, type Random } from '../../src/sandbox/seed/random.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { graphqlAt } from '../support/gateway.js';
import { createAccounts, MOBILES, type BulkReply } from '../support/job-requests.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { chooseSeed } from '../support/seed.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';
import { deliverAccounts, deliverUntilHandled, expectEveryAccountOnce, startReplicas } from './replicas.js';

/** `npm run test:soak` asks for more; the first one already strikes at every stage. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
const ACCOUNTS = 60;
const UPDATES = 600;
/** Long enough to reach every moment of an item: request, effect, answer, checkpoint. */
const MAX_ITEM_MS = 5;

const ROUND_MS = 120_000;

/** Where a kill strikes: before backend-api has done what an item asks for, before it answers, or at any moment. */
type Stage = 'before the effect' | 'after the effect' | 'at any moment';

interface Kill {
  readonly index: number;
  readonly stage: Stage;
}

/** A kill at each stage, at different accounts, in order; the first one holds its account, so that it strikes for certain. */
function chooseKills(random: Random): readonly Kill[] {
  const held: Stage[] = ['before the effect', 'after the effect'];
  const [first = 'before the effect', ...others] = random.chance(0.5) ? held : held.toReversed();
  const stages = [
    first,
    ...(random.chance(0.5) ? [...others, 'at any moment' as const] : ['at any moment' as const, ...others]),
  ];
  const third = ACCOUNTS / stages.length;
  return stages.map((stage, turn) => ({ stage, index: Math.floor(turn * third) + random.integer(0, third - 2) }));
}

/**
 * Registers the tests of gateways that are killed and stopped, within the `describe` of the caller: of two on
 * Redis, or of the one that SQLite allows.
 */
export function killedGateways(engine: 'Redis' | 'SQLite'): void {
  jest.setTimeout(Math.max(2, ROUNDS) * ROUND_MS);
  const directory = forAllTests(temporaryDirectory);
  const redis = engine === 'Redis' ? forAllTests(() => startRedis({ appendOnly: true })) : undefined;
  const programs = forAllTests(() => BuiltPrograms.open());
  const sandbox = forAllTests(startBackends);
  const replicas = forAllTests(() => {
    const stores = { DATA_DIR: directory.path, ...(redis && { REDIS_URL: redis.url }) };
    return startReplicas(programs, sandbox, stores, redis ? 2 : 1);
  });

  beforeEach(() => {
    sandbox.faults.clear();
    sandbox.journal.clear();
  });

  /** Resolves when the place is reached; what it resolves to lets go of the request that is held there. */
  async function reach({ index, stage }: Kill, prefix: string, random: Random): Promise<() => void> {
    const scope = { operation: 'createUserAccount', loginId: `${prefix}-${index}` } as const;
    if (stage === 'at any moment') {
      const key = `acme:${prefix}:${index}`;
      const sent = (): boolean => sandbox.journal.requests(scope).some(({ idempotencyKey }) => idempotencyKey === key);
      await waitFor(`account ${index}`, sent);
      await delay(random.next() * MAX_ITEM_MS);
      return () => undefined;
    }
    const hold = sandbox.faults.hold({ ...scope, stage: stage === 'before the effect' ? 'request' : 'reply' });
    await hold.held();
    return () => hold.release();
  }

  const deliver = (jobId: string, items: readonly object[], path?: string) =>
    deliverUntilHandled(() => replicas.serving(), jobId, items, path);

  /** Cancels a job that has one account behind it and the next one, in doubt, in hand. */
  async function cancelInTheMiddle(jobId: string, random: Random): Promise<() => void> {
    const letGo = await reach({ index: 1, stage: 'after the effect' }, jobId, random);
    const { url } = await replicas.serving();
    const cancel = 'mutation($jobId: ID!) { cancelJob(jobId: $jobId) { jobId } }';
    const { data } = await graphqlAt(url)(cancel, { jobId }, `Bearer ${await sandbox.mintToken()}`);
    expect(data).toEqual({ cancelJob: { jobId } });
    return letGo;
  }

  it(`killed three times create each account once and in order, make each update, and begin nothing that was cancelled, ${ROUNDS} times`, async () => {
    const random = randomFrom(chooseSeed(`kills of gateways on ${engine}`));
    let repeated = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      sandbox.journal.clear();
      const [accountsId, mobilesId, cancelledId] = [randomUUID(), randomUUID(), randomUUID()];
      const accounts = createAccounts(accountsId, ACCOUNTS);
      // The same mobiles again and again; the names say which update it was.
      const names = Array.from({ length: UPDATES }, (_, index) => `${mobilesId} ${index}`);
      const updates = names.map((name, index) => ({ id: 1 + (index % 3), name }));
      const kills = chooseKills(random);
      process.stderr.write(`${engine}: round ${round} is killed at ${JSON.stringify(kills)}\n`);

      const cancelled = deliver(cancelledId, createAccounts(cancelledId, 5));
      const letGoOfCancelled = await cancelInTheMiddle(cancelledId, random);
      const reached = kills.map((kill) => reach(kill, accountsId, random));
      const handled = [deliver(accountsId, accounts), deliver(mobilesId, updates, MOBILES)] as const;
      for (const place of reached) {
        const letGo = await place;
        await replicas.kill();
        // A call under way still arrives at backend-api after its sender has died.
        letGo();
        letGoOfCancelled();
      }

      const [reply, updated] = await Promise.all(handled);
      repeated += expectEveryAccountOnce(sandbox.journal, accountsId, accounts, reply.text).repeated;
      expect(await deliver(accountsId, accounts)).toEqual({ status: 200, text: reply.text, replayed: true });
      expect(JSON.parse(updated.text)).toEqual({ status: 'Success' });
      expectUpdates(names, kills.length);
      expectCancelled(cancelledId, JSON.parse((await cancelled).text) as BulkReply); // held against the journal
    }
    process.stderr.write(`${engine}: ${ROUNDS} rounds, ${repeated} creates repeated under their key\n`);
  });

  /** Each update was made, in order; after a kill the last two at most once more. */
  function expectUpdates(names: readonly string[], kills: number): void {
    const effects = sandbox.journal.effects('mobileUpdated');
    const made = effects.map(({ patch }) => names.indexOf(patch.name ?? ''));
    const steps = made.map((index, at) => index - (made[at - 1] ?? -1));
    expect(steps.filter((step) => step !== 1 && step !== 0 && step !== -1)).toEqual([]);
    expect(steps.filter((step) => step !== 1).length).toBeLessThanOrEqual(kills);
    expect(new Set(made)).toEqual(new Set(names.keys()));
  }

  /** Nothing further was begun; the account that was in doubt is named. */
  function expectCancelled(jobId: string, reply: BulkReply): void {
    const created = sandbox.journal
      .effects('userAccountCreated')
      .filter(({ loginId }) => loginId.startsWith(`${jobId}-`));
    expect(created.map(({ loginId }) => loginId)).toEqual([`${jobId}-0`, `${jobId}-1`]);
    expect(reply).toEqual({
      status: 'Failure',
      data: { created_user_account_id: created.map(({ id }) => id) },
      errors: [2, 3, 4].map((index) => `[${index}] ${jobId}-${index}: not done, the job was cancelled`),
    });
  }

  // A single gateway has no other one to take the job over.
  const itWithTwo = redis ? it : (): void => undefined;
  itWithTwo('stopped for longer than its lease cannot write any more when it wakes up', async () => {
    const jobId = randomUUID();
    const items = createAccounts(jobId, 20);
    const [first, second] = await replicas.both();
    const held = sandbox.faults.hold({ operation: 'createUserAccount', loginId: `${jobId}-9`, stage: 'reply' });
    const stale = deliverAccounts(first.url, jobId, items);
    await held.held();
    first.signal('SIGSTOP');
    held.release();
    const handled = await deliverUntilHandled(() => Promise.resolve(second), jobId, items);
    first.signal('SIGCONT');
    // It finds its job taken over: whatever it replies is not an outcome of its own.
    const late = await stale;
    expect([409, 200]).toContain(late?.status);
    if (late?.status === 200) expect(late).toEqual({ ...handled, replayed: true });
    const { repeated } = expectEveryAccountOnce(sandbox.journal, jobId, items, handled.text);
    expect(repeated).toBe(1);
    expect(await deliverAccounts(first.url, jobId, items)).toEqual({ ...handled, replayed: true });
  });
}
