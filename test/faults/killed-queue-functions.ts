import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from '@jest/globals';
import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { startProgram, type ChildProgram } from '../support/child-program.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway, type TestGateway } from '../support/gateway.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { waitFor } from '../support/wait-for.js';

/** Long enough on a busy machine. */
export const IN_TIME = 240_000;

/** Where messages lie, besides the records in Redis. */
export interface MessagePlace {
  /** For the gateway. */
  readonly environment: Parameters<typeof startTestGateway>[0];
  /** For the script of the queue function, behind the arguments that all have. */
  readonly args: readonly string[];
}

/** A gateway whose queue functions are processes that a test starts and kills. */
export interface QueueFunctionSite {
  readonly gateway: TestGateway;
  /** Stands between the queue functions and the gateway. */
  readonly proxy: CallbackProxy;
  readonly redis: RedisServer;
  /** Resolves when it consumes. */
  readonly startFunction: () => Promise<ChildProgram>;
}

/**
 * Registers, within the `describe` of the caller, start and end of such a site.
 *
 * @param script of `processes/`; its arguments are the URL of the gateway, callback key, job encryption key, URL of
 *   Redis, and what `open` says
 * @param open called before the gateway starts, with a directory of the site
 */
export function killedQueueFunctions(
  script: string,
  open: (directory: string) => Promise<MessagePlace>,
): () => QueueFunctionSite {
  const functions: ChildProgram[] = [];
  let directory: string;
  let place: MessagePlace;
  let redis: RedisServer;
  let proxy: CallbackProxy;
  let gateway: TestGateway;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'queue-functions-'));
    [redis, proxy, place] = await Promise.all([startRedis({ port: 'tcp' }), startCallbackProxy(), open(directory)]);
    const environment = { ...proxy.environment, REDIS_URL: redis.url, ...place.environment };
    gateway = await startTestGateway(environment, { production: true });
  }, IN_TIME);

  afterAll(async () => {
    await Promise.all(functions.map((program) => program.stop()));
    await gateway.close();
    await Promise.all([proxy.close(), redis.stop()]);
    await rm(directory, { recursive: true });
  }, IN_TIME);

  async function startFunction(): Promise<ChildProgram> {
    const { TASK_CALLBACK_API_KEY: key = '', JOB_ENCRYPTION_KEY: masterKey = '' } = PRODUCTION_ENVIRONMENT;
    const file = fileURLToPath(new URL(`processes/${script}`, import.meta.url));
    const all = [proxy.environment.GATEWAY_URL, key, masterKey, redis.url];
    const program = await startProgram(process.execPath, {
      args: ['--import', 'tsx', file, ...all, ...place.args],
      logFile: path.join(directory, `${functions.length}.log`),
      env: { NODE_OPTIONS: '' },
    });
    functions.push(program);
    await waitFor('the queue function', async () => (await program.output()).includes('consuming'), IN_TIME);
    return program;
  }

  return () => ({ gateway, proxy, redis, startFunction });
}
