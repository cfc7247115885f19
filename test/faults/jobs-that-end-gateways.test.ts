/** A job under which gateways keep ending is given up with what is known of it, and costs the jobs beside it nothing. */
import { aborted } from 'node:util';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { VariableName } from '../../src/base/config/variables.js';
import type { FaultScope } from '../../src/sandbox/faults.js';
import type { Hold } from '../support/test-sandbox.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { startFauxqs, type TestQueue } from '../support/fauxqs.js';
import { productionAt } from '../support/gateway.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeOnSqs, describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { ACCOUNTS, accountEffects, accounts, Organisation, report, type Accepted } from './orders.js';
import { IMPATIENT, IN_TIME } from './site.js';

jest.setTimeout(2 * IN_TIME);

/** `QUEUE_MAX_ATTEMPTS`, by default. */
const ATTEMPTS = 5;
const POISON = 1;

interface Stores {
  readonly environment: Partial<Record<VariableName, string>>;
  readonly sqs?: TestQueue;
  close(): Promise<unknown>;
}

function givenUp(open: () => Promise<Stores>, ofReports = false): void {
  const stores = forAllTests(open);
  const dataDir = forAllTests(temporaryDirectory);
  const programs = forAllTests(() => BuiltPrograms.open());
  const sandbox = forAllTests(startBackends);
  const environment = forAllTests(async () => {
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const all = { ...productionAt(sandbox), ...IMPATIENT, DATA_DIR: dataDir.path };
    // Longer than a busy machine stops a program: a lease that is lost in that way counts as well.
    return { ...all, PORT: String(port), GATEWAY_URL: url, JOB_LEASE_SECONDS: '6', ...stores.environment };
  });
  const site = forAllTests(async () => {
    const gateway = { current: await programs.startGateway(environment) };
    if (environment.REDIS_URL !== undefined) await programs.startQueueFunction(environment);
    const bearer = async (claims: { readonly loginId?: string } = {}) => `Bearer ${await sandbox.mintToken(claims)}`;
    return { gateway, url: environment.GATEWAY_URL, bearer, close: () => gateway.current.stop() };
  });
  afterEach(() => sandbox.faults.clear());

  const holdAt = (call: FaultScope): Hold => sandbox.faults.hold({ ...call, stage: 'reply' });

  /** Kills the gateway at each such call, as a job does whose memory has no bound. @returns how often */
  async function killUntil(over: AbortSignal, call: FaultScope, first: Hold): Promise<number> {
    let next = first;
    for (let kills = 0; ; kills += 1) {
      const isHeld = await Promise.race([next.held().then(() => true), aborted(over, over).then(() => false)]);
      if (isHeld) await site.gateway.current.kill();
      next.release();
      if (!isHeld) return kills;
      next = holdAt(call);
      site.gateway.current = await programs.startGateway(environment);
    }
  }

  /** Orders a job that ends the gateway at this call each time. */
  async function orderUntilGivenUp(acme: Organisation, call: FaultScope, ...what: Parameters<Organisation['place']>) {
    const over = new AbortController();
    // The order is answered before the first gateway ends.
    const first = holdAt(call);
    const order = await acme.place(...what);
    const kills = killUntil(over.signal, call, first);
    const outcome = await acme.outcomeOf(order);
    over.abort();
    expect(await kills).toBe(ATTEMPTS);
    return { order, outcome };
  }

  const jobs = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runJobsCommand([...args, '--json'], environment, dataDir.path);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  function created(name: string): readonly number[] {
    const effects = accountEffects(name, sandbox.journal);
    return effects.flatMap((effect) => (effect.kind === 'userAccountCreated' ? [effect.id] : []));
  }

  // Embedded, no lease is waited for. A report ends in the same way on every engine.
  if (ofReports) {
    it('has no report when it is given up, and makes the whole of it when it is replayed', async () => {
      const drivers = new Organisation('drivers', site, 'demo');
      const call = { operation: 'getDrivingRecord', mobileId: '22' } as const;
      const { order, outcome } = await orderUntilGivenUp(drivers, call, report, [21, 22, 23]);
      expect(outcome).toMatchObject({ status: 'Failure', key: null, downloadUrl: null, progress: { total: 3 } });
      expect(outcome.errors).toEqual(['not done, the job was given up']);
      await expectDeadLetter(order);
      expect(await jobs('replay', order.jobId)).toMatchObject({ jobs: [{ jobId: order.jobId }] });
      await waitFor('the report', async () => (await drivers.outcomeOf(order)).status === 'Success', IN_TIME);
      await drivers.finish(order);
      await drivers.expectReports(0);
    });
  }

  it('is given up after as many gateways as there are attempts, and succeeds when it is replayed', async () => {
    const [acme, globex] = [new Organisation('acme', site, 'demo'), new Organisation('globex', site, 'globex-admin')];
    // Neighbours take long enough to be cut off with it.
    sandbox.faults.set({
      match: ({ loginId }) => loginId?.startsWith('globex-') === true,
      fault: { kind: 'slow', milliseconds: 300, stage: 'reply' },
    });
    const over = new AbortController();
    const neighbours = globex.orderUntil(over.signal, [accounts], []);
    const call = { operation: 'createUserAccount', loginId: `acme-1-${POISON}` } as const;
    const { order, outcome } = await orderUntilGivenUp(acme, call, accounts);
    over.abort();
    await neighbours;

    const ids = created(order.name);
    expect(ids).toHaveLength(POISON + 1);
    expect(outcome).toMatchObject({
      status: 'Failure',
      progress: { done: POISON, total: ACCOUNTS + 2 },
      createdUserAccountId: ids.slice(0, POISON).map(String),
    });
    expect(outcome.errors).toEqual(
      Array.from({ length: ACCOUNTS + 2 - POISON }, (_, offset) =>
        offset === 0
          ? `[${POISON}] not known to be done, the job was given up`
          : `[${POISON + offset}] not done, the job was given up`,
      ),
    );
    // Neighbours lost nothing but time.
    for (const each of globex.finished) {
      expect(each.outcome).toMatchObject({ status: 'Success' });
      expect(created(each.name)).toHaveLength(ACCOUNTS);
    }
    await expectDeadLetter(order);
    await replay(order.jobId);
    await waitFor('the job to succeed', async () => (await acme.finish(order)).outcome.status === 'Success', IN_TIME);
    expect(created(order.name)).toHaveLength(ACCOUNTS);
    expect(acme.finished.at(-1)?.outcome.createdUserAccountId).toEqual(created(order.name).map(String));
  });

  /** Waits for the dead letter of a job, which no neighbour has left. */
  async function expectDeadLetter({ jobId }: Accepted): Promise<void> {
    await waitFor('the dead letter', async () => {
      const { deadLetters } = (await jobs('list')) as { deadLetters: { jobId: string; reason: string }[] }; // as printed
      expect(deadLetters.filter((letter) => letter.jobId !== jobId)).toEqual([]);
      return deadLetters.some(({ reason }) => reason.includes('given up'));
    });
    expect(await jobs('show', jobId)).toMatchObject({ state: 'finished', reply: { status: 500 } });
  }

  /** Replays a dead letter; on Amazon SQS with its own means, which move the message back. */
  async function replay(jobId: string): Promise<void> {
    if (stores.sqs === undefined) {
      expect(await jobs('replay', jobId)).toMatchObject({ jobs: [{ jobId }] });
      return;
    }
    const [body] = await waitFor('the dead letter to be visible', async () => {
      const bodies = (await stores.sqs?.receive(stores.sqs.deadLetterUrl)) ?? [];
      return bodies.length > 0 && bodies;
    });
    await stores.sqs.send(body ?? '');
  }
}

describe('A job that ends its gateway, embedded,', () =>
  givenUp(() => Promise.resolve({ environment: {}, close: () => Promise.resolve() }), true));

describeWith(['redis-server'], 'A job that ends its gateway, in Redis,', () =>
  givenUp(async () => {
    const redis = await startRedis({ appendOnly: true });
    return { environment: { REDIS_URL: redis.url }, close: () => redis.stop() };
  }),
);

describeOnSqs('A job that ends its gateway, on Amazon SQS,', () =>
  givenUp(async () => {
    const [redis, sqs] = await Promise.all([startRedis({ appendOnly: true }), startFauxqs()]);
    const queue = await sqs.createQueue();
    const environment = { REDIS_URL: redis.url, SQS_QUEUE_URL: queue.url };
    return { environment, sqs: queue, close: () => Promise.all([redis.stop(), sqs.stop()]) };
  }),
);
