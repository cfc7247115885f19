import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BuiltPrograms, ServingProgram } from '../support/built-programs.js';
import type { ChildProgram } from '../support/child-program.js';
import { startFauxqs } from '../support/fauxqs.js';
import { graphqlAt, productionAt } from '../support/gateway.js';
import { startRedis } from '../support/redis-server.js';
import { OPERATIONS } from '../support/started-jobs.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import type { TestSandbox } from '../support/test-sandbox.js';
import { waitFor } from '../support/wait-for.js';
import { processorTimeOfTree } from './processor-time.js';

export const JOB_ENGINES = ['SQLite', 'Redis', 'SQS'] as const;
export type JobEngineName = (typeof JOB_ENGINES)[number];

/** Time after which the work behind an answer is over, in milliseconds. */
const QUIET_MS = 400;

/** No limit of an organisation is met, nor that of requests that a busy gateway refuses. */
const UNLIMITED = { JOBS_MAX_OPEN_PER_ORG: '100000', ITEMS_MAX_PER_MINUTE_PER_ORG: '10000000', JOB_LEASE_SECONDS: '5' };

/** Programs that run jobs on one engine, in front of simulated backends; a proxy stands before Redis. */
export type JobSite = Awaited<ReturnType<typeof openJobSite>>;

/** @param gateways number of them; a separate queue function calls each, unless jobs are embedded */
export async function openJobSite(
  engine: JobEngineName,
  { programs, sandbox, gateways = 1 }: { programs: BuiltPrograms; sandbox: TestSandbox; gateways?: number },
) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-jobs-'));
  const redis = engine === 'SQLite' ? undefined : await startRedis({ appendOnly: true });
  const sqs = engine === 'SQS' ? await startFauxqs() : undefined;
  const queue = await sqs?.createQueue();
  const proxy = redis && (await startTcpProxy(Number(new URL(redis.url).port)));
  const env = {
    ...productionAt(sandbox),
    ...UNLIMITED,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(proxy && { REDIS_URL: `redis://127.0.0.1:${proxy.port}` }),
    ...(queue && { SQS_QUEUE_URL: queue.url, AWS_ENDPOINT_URL_SQS: sqs?.url }),
  };
  const bearer = `Bearer ${await sandbox.mintToken({ claims: { exp: Math.floor(Date.now() / 1_000) + 86_400 } })}`;
  const serving: ServingProgram[] = [];
  const consuming: ChildProgram[] = [];
  const start = async (index: number): Promise<void> => {
    const gateway = await programs.startGateway({ ...env, LOG_LEVEL: 'info' });
    serving[index] = gateway;
    if (engine !== 'SQLite')
      consuming[index] = await programs.startQueueFunction({ ...env, LOG_LEVEL: 'info', GATEWAY_URL: gateway.url });
  };
  for (let index = 0; index < gateways; index += 1) await start(index);
  let [turn, ordered] = [0, 0];
  const done = (): number => sandbox.journal.requests({ operation: 'updateMobile' }).length;
  return {
    engine,
    redis,
    proxy,
    /** Orders a job of one item of the next gateway. @returns its id; undefined if it was not accepted */
    order: async (): Promise<string | undefined> => {
      turn += 1;
      const { url } = serving[turn % serving.length] ?? { url: '' };
      const value = [{ id: (turn % 5) + 1, name: `Renamed ${turn}` }];
      const reply = await graphqlAt(url)(OPERATIONS.mobiles.start, { value }, bearer).catch(() => undefined);
      const { jobId } = (reply?.data?.['job'] ?? {}) as { readonly jobId?: string }; // as the operation selects
      if (jobId !== undefined) ordered += 1;
      return jobId;
    },
    /** Number of updates that backends received. */
    done,
    /** Resolves when each accepted order was carried out, or repeated. */
    async settled(timeoutMs = 120_000): Promise<void> {
      await waitFor('the jobs to be done', () => done() >= ordered, timeoutMs);
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    },
    async isFinished(jobId: string): Promise<boolean> {
      const reply = await graphqlAt(serving[0]?.url ?? '')(OPERATIONS.mobiles.poll, { jobId }, bearer);
      const status = reply.data?.['status'] as { readonly completed: boolean } | null | undefined; // as selected
      return status?.completed === true;
    },
    /** Returns those whose order was accepted although nobody knows whether its message arrived; a sweep ends them. */
    async inDoubt(jobIds: readonly string[]): Promise<readonly string[]> {
      const outputs = await Promise.all(serving.map((gateway) => gateway.output()));
      const told = outputs.flatMap((text) =>
        text.split('\n').filter((line) => line.includes('queue.enqueue_in_doubt')),
      );
      return jobIds.filter((jobId) => told.some((line) => line.includes(jobId)));
    },
    forget(): void {
      sandbox.journal.clear();
      ordered = 0;
    },
    /** Processor time so far, in milliseconds. */
    processorMs: () => ({
      gateway: serving.reduce((sum, { pid }) => sum + processorTimeOfTree(pid), 0),
      'queue function': consuming.reduce((sum, { pid }) => sum + processorTimeOfTree(pid), 0),
      Redis: redis?.isRunning() === true ? processorTimeOfTree(redis.pid) : 0,
    }),
    /** Kills a gateway (`kill -9`), and starts it and its queue function again. */
    async killGateway(index: number): Promise<void> {
      await serving[index]?.kill();
      await consuming[index]?.kill();
      await start(index);
    },
    async close(): Promise<void> {
      await Promise.all([...serving, ...consuming].map((program) => program.stop()));
      await proxy?.close();
      await Promise.all([redis?.stop(), sqs?.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Does something so many times, some at a time. @returns the seconds that it took */
export async function repeated(count: number, atOnce: number, run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await run();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (performance.now() - startedAt) / 1_000;
}
