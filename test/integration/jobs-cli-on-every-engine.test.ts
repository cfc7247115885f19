/** `npm run jobs` on every engine that is not embedded; what it says and refuses is shown on the embedded one. */
import { beforeAll, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/load-config.js';
import type { VariableName } from '../../src/base/config/variables.js';
import { openJobEngine } from '../../src/jobs/engines/open-job-engine.js';
import type { Disposition, JobMessage } from '../../src/jobs/record/job-queue.js';
import type { JobIdentity } from '../../src/jobs/record/job-record.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { BuiltPrograms, type EndedProgram } from '../support/built-programs.js';
import { startFauxqs } from '../support/fauxqs.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startRedis } from '../support/redis-server.js';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { describeOnSqs, describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const DESCRIBED = { total: 1, fingerprint: 'print', retentionMs: 3_600_000 };
const REASON = 'The callback answered 500.';
const JOBS: readonly JobIdentity[] = ['acme', 'other', undefined].map((org, index) => ({
  kind: 'mobiles',
  org,
  jobId: `job-${index}`,
}));

type Environment = Partial<Record<VariableName, string>>;

interface Servers {
  readonly environment: Environment;
  /** Whether the queue counts its messages, about, and tells nothing else of them. */
  readonly counts?: true;
  stop(): Promise<void>;
}

/** Where only a URL tells what Redis is made of. */
const at = (servers: { readonly url: string; stop(): Promise<void> }): Servers => ({
  environment: { REDIS_URL: servers.url },
  stop: () => servers.stop(),
});

const programs = forAllTests(() => BuiltPrograms.open());

describeWith(['redis-server'], 'The command line for jobs, on Redis,', () =>
  operatorCommands(async () => at(await startRedis({ password: 'secret-of-redis' }))),
);

describeOnSqs('The command line for jobs, on Redis with the queue on Amazon SQS,', () =>
  operatorCommands(async () => {
    const [redis, sqs] = await Promise.all([startRedis(), startFauxqs()]);
    const { url } = await sqs.createQueue();
    return {
      environment: { REDIS_URL: redis.url, SQS_QUEUE_URL: url },
      counts: true,
      stop: async () => {
        await Promise.all([redis.stop(), sqs.stop()]);
      },
    };
  }),
);

describeWith(['redis-server'], 'The command line for jobs, on a Redis Cluster,', () =>
  operatorCommands(async () => at(await startRedisCluster({ replicas: false }))),
);

describeWith(['redis-server'], 'The command line for jobs, behind sentinels,', () =>
  operatorCommands(async () => at(await startRedisSentinels({ password: 'of the sentinels' }))),
);

function operatorCommands(open: () => Promise<Servers>): void {
  const servers = forAllTests(open);
  const dataDir = forAllTests(temporaryDirectory);
  const environment = forAllTests(() => ({
    ...servers.environment,
    DATA_DIR: dataDir.path,
    JOB_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64url'),
  }));
  const engine = forAllTests(() =>
    openJobEngine(loadConfig(environment), createLogger({ level: 'silent' }), {
      onOrder: undefined,
      onChange: undefined,
    }),
  );

  beforeAll(() => engine.check());

  async function asked(...args: string[]): Promise<unknown> {
    return printed(await runJobsCommand([...args, '--json'], environment, dataDir.path));
  }

  function printed({ code, stdout, stderr }: EndedProgram): unknown {
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  it('counts, lists, shows and replays what lies on any of the servers', async () => {
    for (const job of JOBS) await engine.submission.submit({ ...job, payload: 'sealed', described: DESCRIBED });
    const handle = async (job: JobIdentity): Promise<Disposition> => {
      await engine.jobStore.fail(job, DESCRIBED, { status: 500, body: JSON.stringify({ message: REASON }) });
      return { kind: 'dead', reason: REASON };
    };
    const consumer = engine.queue.consume(({ message }) => handle(message), { concurrency: 1 });
    await waitFor('the dead letters', async () => (await engine.queue.deadLetters()).length === JOBS.length);
    await consumer.close();

    const identities = JOBS.map(({ org, ...job }) => ({ ...job, org: org ?? null }));
    const program = await programs.run(['dist/jobs-cli.js', 'list', '--json'], environment);
    expect(printed(program)).toMatchObject({ deadLetters: identities });
    for (const identity of identities) {
      expect(await asked('show', identity.jobId)).toMatchObject({
        ...identity,
        state: 'finished',
        reply: { status: 500, body: { message: REASON } },
        deadLetter: { reason: REASON },
      });
    }
    const followed = ['show', 'job-0', '--follow', '--json'];
    const { code: outcome, stdout } = await runJobsCommand(followed, environment, environment.DATA_DIR);
    expect([outcome, stdout.split('\n').length]).toEqual([1, 3]);
    expect(await asked('list', '--outcome', 'failure')).toMatchObject({
      organisations: expect.arrayContaining(identities.map(({ org }) => ({ org, jobs: 1 }))),
    });
    // The organisation of the first one orders again, and the second one is dropped.
    const [first, second, third] = identities;
    const again = { ...JOBS[0], jobId: 'again', payload: 'sealed', described: DESCRIBED } as JobMessage; // the first of three
    await engine.submission.submit(again);
    expect(await asked('replay', '--all', '--dry-run')).toMatchObject({
      jobs: expect.arrayContaining([{ ...first, outcome: 'left out' }].map((job) => expect.objectContaining(job))),
    });
    expect(await asked('drop', 'job-1', '--yes')).toMatchObject({ jobs: [{ ...second, outcome: 'dropped' }] });
    expect(await asked('show', 'job-1')).toMatchObject({ deadLetter: null, dropped: { reason: REASON } });
    expect(await asked('list', '--org', 'acme', '--state', 'pending')).toMatchObject({ jobs: [{ jobId: 'again' }] });
    expect(await asked('cancel', 'again', '--yes')).toMatchObject({ jobs: [{ jobId: 'again', outcome: 'cancelled' }] });
    const refused = await runJobsCommand(['drop', 'job-1', '--yes'], environment, dataDir.path);
    expect(refused).toMatchObject({
      code: 1,
      stderr:
        'There is no dead letter of job job-1. It has ended: npm run jobs -- show job-1 says what failed, and its user ' +
        'orders that again.\n',
    });
    expect(await asked('replay', '--all')).toMatchObject({
      jobs: expect.arrayContaining([expect.objectContaining({ ...third, outcome: 'replayed' })]),
    });
    expect(await asked('replay', 'job-0')).toMatchObject({ jobs: [{ ...first, outcome: 'replayed' }] });
    // The message of the cancelled job is removed at its delivery.
    const queue = [{ waiting: JOBS.length, deadLetters: 0, delayed: servers.counts ? null : 0 }];
    const ofKind = ['queue', '--kind', 'mobiles'];
    if (servers.counts) {
      const { code, stderr } = await runJobsCommand(ofKind, environment, dataDir.path);
      expect([code, stderr]).toEqual([1, expect.stringContaining('Leave --kind and --org out.')]);
      expect(await asked('queue')).toMatchObject({ approximate: true, queue });
    } else {
      expect(await asked(...ofKind)).toMatchObject({ queue });
    }
  });
}
