import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Queue } from 'bullmq';
import { QUEUE_NAME } from '../../src/jobs/engines/redis/bullmq-consumer.js';
import { KEY_PREFIX } from '../../src/jobs/engines/redis/script.js';
import { jobRecordKey } from '../../src/jobs/record/job-record.js';
import { parseIdentity } from '../../src/jobs/record/message-fields.js';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import type { ChildProgram } from '../support/child-program.js';
import { productionAt } from '../support/gateway.js';
import type { RedisServer } from '../support/redis-server.js';
import { startRouter, type Router, type Treatment } from '../support/router.js';
import { startBackends } from '../support/successive-gateways.js';
import type { TestSandbox } from '../support/test-sandbox.js';
import { waitFor } from '../support/wait-for.js';

export const IN_TIME = 300_000;

/**
 * Environment of programs that wait less by the clock alone: for the minute after which losses and settings of Redis are
 * looked for again, and with a message, whose waits grow with the time for which it has been turned away.
 */
export const IMPATIENT = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply: (plain, _this, [work, ms, ...more]) => plain(work, ms === 60_000 ? 5_000 : ms, ...more),
  });
  const now = performance.now.bind(performance);
  if (process.argv[1].endsWith('queue-function.js')) performance.now = () => now() / 20;`)}`,
};

const ITEM_OPERATIONS = new Set<string | undefined>([
  'createUserAccount',
  'updateUserAccount',
  'deleteUserAccount',
  'updateMobile',
  'getDrivingRecord',
]);

/** Events of a job that a gateway begins, and lets go of. */
const BEGUN = ['job.started'];
const BEGUN_OR_OVER = [...BEGUN, 'job.gave_way', 'job.stopped', 'job.finished', 'job.taken_over'];

/** Settings of the programs besides those that let them find each other. */
export interface SiteOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** How long backends take over an item of a job, so that jobs last as long as they do elsewhere. */
  readonly itemMs: number;
  /** Number of gateways, and of queue functions; two by default. */
  readonly replicas?: number;
  /** Backends that run already; the site closes those that it started itself. */
  readonly sandbox?: TestSandbox;
}

/** Settings that are changed while programs run; undefined takes one away. */
export interface Changes {
  readonly gateways?: NodeJS.ProcessEnv | undefined;
  readonly queueFunctions?: NodeJS.ProcessEnv | undefined;
}

/** Gateways behind a router, queue functions and backends, each of which can fail while jobs run. */
export class Site {
  readonly #gateways: ServingProgram[] = [];
  readonly #queueFunctions: ChildProgram[] = [];
  readonly #killed: ChildProgram[] = [];
  readonly #stopped: ChildProgram[] = [];
  readonly #changed = { gateways: {}, queueFunctions: {} };
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly sandbox: TestSandbox,
    /** Where the gateways listen now; that of one that was killed stays until it has been started again. */
    readonly gatewayUrls: string[],
    readonly router: Router,
    readonly programs: BuiltPrograms,
    readonly dataDir: string,
    readonly environment: NodeJS.ProcessEnv,
    readonly ownsSandbox: boolean,
  ) {}

  static async start({ environment, itemMs, replicas = 2, sandbox: given }: SiteOptions): Promise<Site> {
    const [programs, sandbox] = await Promise.all([BuiltPrograms.open(), given ?? startBackends()]);
    sandbox.faults.set({
      match: ({ operation }) => ITEM_OPERATIONS.has(operation),
      fault: { kind: 'slow', milliseconds: itemMs, stage: 'reply' },
    });
    const dataDir = await mkdtemp(path.join(tmpdir(), 'site-'));
    const gatewayUrls: string[] = [];
    const router = await startRouter(gatewayUrls);
    const all = {
      ...productionAt(sandbox),
      ...(environment['S3_BUCKET'] === undefined && { DATA_DIR: dataDir }),
      // A job that has lost its owner or its store waits for the end of its lease.
      JOB_LEASE_SECONDS: '2',
      ...environment,
    };
    const site = new Site(sandbox, gatewayUrls, router, programs, dataDir, all, given === undefined);
    const indexes = [...Array(replicas).keys()];
    await Promise.all(indexes.map((index) => site.#startGateway(index)));
    await Promise.all(indexes.map((index) => site.#startQueueFunction(index)));
    return site;
  }

  get url(): string {
    return this.router.url;
  }

  get kills(): number {
    return this.#killed.length;
  }

  readonly bearer = async (overrides: Parameters<TestSandbox['mintToken']>[0] = {}): Promise<string> =>
    `Bearer ${await this.sandbox.mintToken(overrides)}`;

  /** Decides over each callback from now on, in place of the gateways or between. */
  treatCallbacks(treatment: Treatment): void {
    this.router.answer((request) => (request.includes(' /api/') ? treatment : 'forward'));
  }

  /** Resolves when a gateway, or the next one in its place, has begun another job. */
  async gatewayStartsJob(index: number, timeoutMs: number): Promise<void> {
    const since = Date.now();
    const isBegun = async (): Promise<boolean> => (await this.#lastEvent(index, BEGUN)).time > since;
    await waitFor('a gateway to begin a job', isBegun, timeoutMs);
  }

  /** Kills a gateway (`kill -9`) and starts it again after a while. */
  killGateway(index: number, downMs: number): Promise<void> {
    return this.#inTurn(() => this.#restart(index, downMs));
  }

  /** Kills the gateway that began this job last (`kill -9`), and starts it again. @returns false if none has it any more */
  killGatewayOf(jobId: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const indexes = [...this.#gateways.keys()];
      const last = await Promise.all(indexes.map((index) => this.#lastEvent(index, BEGUN_OR_OVER, jobId)));
      const begun = last.map(({ event, time }) => (event === 'job.started' ? time : 0));
      const latest = Math.max(...begun);
      if (latest > 0) await this.#restart(begun.indexOf(latest), 0);
      return latest > 0;
    });
  }

  /** Stops a gateway in good order and starts another one. */
  replaceGateway(index: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop(this.#gateways[index]);
      await this.#startGateway(index);
    });
  }

  /** Rolls out settings: programs that they concern are replaced, in good order, a gateway and a queue function at once. */
  async rollOut({ gateways, queueFunctions }: Changes): Promise<void> {
    Object.assign(this.#changed.gateways, gateways);
    Object.assign(this.#changed.queueFunctions, queueFunctions);
    for (const index of this.#gateways.keys()) {
      await Promise.all([
        gateways && this.replaceGateway(index),
        queueFunctions && this.#stop(this.#queueFunctions[index]).then(() => this.#startQueueFunction(index)),
      ]);
    }
  }

  /** Kills a queue function with whatever it has in hand, and starts it again after a while. */
  async killQueueFunction(index: number, downMs: number): Promise<void> {
    await this.#kill(this.#queueFunctions[index]);
    await delay(downMs);
    await this.#startQueueFunction(index);
  }

  diedByThemselves(): readonly ChildProgram[] {
    return [...this.#gateways, ...this.#queueFunctions].filter((program) => !program.isRunning());
  }

  async log(): Promise<readonly string[]> {
    return linesOf([...this.#killed, ...this.#stopped, ...this.#gateways, ...this.#queueFunctions]);
  }

  /** Asks all to stop. @returns what they ended with */
  async stop(): Promise<readonly (number | null)[]> {
    const programs = [...this.#queueFunctions, ...this.#gateways];
    await Promise.all(programs.map((program) => program.stop()));
    return programs.map((program) => program.exitCode());
  }

  async close(): Promise<void> {
    await this.programs.close();
    await this.router.close();
    if (this.ownsSandbox) await this.sandbox.close();
    await rm(this.dataDir, { recursive: true });
  }

  /** Ends and starts gateways one after another, whoever asks for it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #restart(index: number, downMs: number): Promise<void> {
    await this.#kill(this.#gateways[index]);
    await delay(downMs);
    await this.#startGateway(index);
  }

  /** Last of these events of jobs whose id holds this text in the log of a gateway, and its time in milliseconds. */
  async #lastEvent(index: number, events: readonly string[], jobId = ''): Promise<{ event: string; time: number }> {
    const lines = (await this.#gateways[index]?.output())?.split('\n') ?? [];
    const isOne = (line: string): boolean =>
      line.includes(jobId) && events.some((event) => line.includes(`"${event}"`));
    const last = lines.findLast(isOne) ?? '';
    return { event: /"event":"([^"]*)"/.exec(last)?.[1] ?? '', time: Number(/"time":(\d+)/.exec(last)?.[1] ?? 0) };
  }

  async #startGateway(index: number): Promise<void> {
    const program = await this.programs.startGateway({ ...this.environment, ...this.#changed.gateways });
    this.#gateways[index] = program;
    this.gatewayUrls[index] = program.url;
  }

  async #startQueueFunction(index: number): Promise<void> {
    this.#queueFunctions[index] = await this.programs.startQueueFunction({
      ...this.environment,
      ...this.#changed.queueFunctions,
      GATEWAY_URL: this.url,
    });
  }

  async #stop(program: ChildProgram | undefined): Promise<void> {
    if (program === undefined) throw new Error('There are not so many of them.');
    await program.stop();
    expect(program.exitCode()).toBe(0);
    this.#stopped.push(program);
  }

  async #kill(program: ChildProgram | undefined): Promise<void> {
    if (program === undefined) throw new Error('There are not so many of them.');
    await program.kill();
    this.#killed.push(program);
  }
}

async function linesOf(programs: readonly ChildProgram[]): Promise<string[]> {
  const outputs = await Promise.all(programs.map((program) => program.output()));
  return outputs.flatMap((output) => output.split('\n'));
}

/**
 * Waits until the queue holds no job that has not ended, and no dead letter. The message of a killed queue function
 * stays there until its lock has run out (30 s), even when the job has ended long ago.
 *
 * @param empty wait for that as well
 */
export async function expectQueueSettled(redis: RedisServer, { empty }: { readonly empty: boolean }): Promise<void> {
  const connection = redis.client();
  const queue = new Queue(QUEUE_NAME, { connection, prefix: KEY_PREFIX });
  const isFinished = async (data: unknown): Promise<boolean> =>
    (await connection.hget(jobRecordKey(parseIdentity(data)), 'state')) === 'finished';
  try {
    await waitFor(
      'the queue to settle',
      async () => {
        const messages = await queue.getJobs(['wait', 'active', 'delayed', 'prioritized']);
        if (empty) return messages.length === 0;
        return (await Promise.all(messages.map(({ data }) => isFinished(data)))).every(Boolean);
      },
      IN_TIME,
    );
    expect(await queue.getFailed()).toEqual([]);
  } finally {
    await queue.close();
    connection.disconnect();
  }
}
