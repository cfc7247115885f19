import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { startProgram, type ChildProgram } from '../support/child-program.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway, type TestGateway } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { expectEveryAccountOnce } from './account-judge.js';

const IN_TIME = 240_000;
const SCRIPT = fileURLToPath(new URL('processes/queue-function.ts', import.meta.url));

describeWith(['redis-server'], 'A queue function', () => {
  let directory: string;
  let server: RedisServer;
  let gateway: TestGateway;
  let between: Between;
  const functions: ChildProgram[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'queue-function-'));
    server = await startRedis({ port: 'tcp', appendOnly: true });
    gateway = await startTestGateway({ REDIS_URL: server.url }, { production: true });
    between = await Between.start(gateway.url);
  }, IN_TIME);

  afterEach(async () => {
    await Promise.all(functions.splice(0).map((program) => program.stop()));
    await between.close();
    await gateway.close();
    await server.stop();
    await rm(directory, { recursive: true });
  }, IN_TIME);

  async function startFunction(): Promise<ChildProgram> {
    const { TASK_CALLBACK_API_KEY: key = '', JOB_ENCRYPTION_KEY: masterKey = '' } = PRODUCTION_ENVIRONMENT;
    const program = await startProgram(process.execPath, {
      args: ['--import', 'tsx', SCRIPT, server.url, between.url, key, masterKey],
      logFile: join(directory, `${functions.length}.log`),
      env: { NODE_OPTIONS: '' },
    });
    functions.push(program);
    await waitFor('the queue function', async () => (await program.output()).includes('consuming'), IN_TIME);
    return program;
  }

  it(
    'killed between the reply and its acknowledgement loses nothing, and nothing is done twice',
    async () => {
      const first = await startFunction();
      const items = createAccounts('unacknowledged', 20);
      const replied = between.holdReply();
      const { jobId } = await startJob(gateway, 'accounts', items);
      // The gateway has replied; the queue function will never know.
      expect(JSON.parse(await replied)).toMatchObject({ status: 'Success' });
      await first.kill();
      expect(await pollJob(gateway, 'accounts', jobId)).toMatchObject({ completed: true, status: 'Success' });

      await startFunction();
      const [, again] = await waitFor('the redelivery', () => between.replies.length === 2 && between.replies, IN_TIME);
      expect(again).toEqual({ ...between.replies[0], replayed: true });
      const status = await finishedJob(gateway, 'accounts', jobId);
      expect(expectEveryAccountOnce(gateway.sandbox.journal, jobId, items, again?.body ?? '')).toEqual({ repeated: 0 });
      const ids = gateway.sandbox.journal.effects('userAccountCreated').map(({ id }) => id);
      expect(status).toMatchObject({ status: 'Success', createdUserAccountId: ids, progress: { done: 20, total: 20 } });
      // The message is acknowledged in the end.
      const client = server.client();
      await waitFor(
        'the queue to be empty',
        async () => (await client.keys('{gateway}:jobs:user-accounts*')).length === 0,
      );
      client.disconnect();
    },
    IN_TIME,
  );
});

interface PassedReply {
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

/** Stands between the queue function and the gateway, and can keep a reply to itself. */
class Between {
  readonly replies: PassedReply[] = [];
  private keep: ((body: string) => void) | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(gatewayUrl: string): Promise<Between> {
    const server = createServer((request, response) => {
      void (async () => {
        const { method = 'POST', url = '', headers } = request;
        const passed = new Headers();
        for (const name of ['content-type', 'x-api-key', 'x-job-id', 'x-org-id'])
          passed.set(name, String(headers[name]));
        const reply = await fetch(`${gatewayUrl}${url}`, { method, headers: passed, body: await text(request) });
        const body = await reply.text();
        const { status } = reply;
        between.replies.push({ status, body, replayed: reply.headers.get('x-job-replayed') === 'true' });
        const keep = between.keep;
        between.keep = undefined;
        if (keep === undefined) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        else keep(body);
      })().catch(() => response.destroy());
    });
    const between = new Between(server, `http://127.0.0.1:${await listenOnLoopback(server)}`);
    return between;
  }

  /** The body of the next reply, which goes no further. */
  holdReply(): Promise<string> {
    return new Promise((resolve) => {
      this.keep = resolve;
    });
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
