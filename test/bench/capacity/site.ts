import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KEY_PREFIX } from '../../../src/jobs/engines/redis/script.js';
import { BuiltPrograms } from '../../support/built-programs.js';
import { productionAt } from '../../support/gateway.js';
import { startRedis } from '../../support/redis-server.js';
import { startBackends } from '../../support/successive-gateways.js';
import { waitFor } from '../../support/wait-for.js';
import { mapCost, type Cost } from './costs.js';
import { processorTimeOfTree } from '../processor-time.js';

/** Time after which the work behind a reply is over. */
const QUIET_MS = 300;

/** A gateway and a queue function on one Redis that syncs every write, in front of simulated backends. */
export type Site = Awaited<ReturnType<typeof openSite>>;

export async function openSite() {
  const programs = await BuiltPrograms.open();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-capacity-'));
  const server = await startRedis({ appendOnly: true });
  const redis = server.client();
  const sandbox = await startBackends();
  const asked = { keyFetches: 0, backendCalls: 0 };
  const close = async (): Promise<void> => {
    redis.disconnect();
    await programs.close();
    await sandbox.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  };
  try {
    const env = { ...productionAt(sandbox), REDIS_URL: server.url, DATA_DIR: dataDir, JOBS_MAX_OPEN_PER_ORG: '10000' };
    const gateway = await programs.startGateway(env);
    const queueFunction = await programs.startQueueFunction({ ...env, GATEWAY_URL: gateway.url });
    return {
      gateway,
      queueFunction,
      redis,
      sandbox,
      /** Use of all programs, and requests to Redis, since the site was opened. */
      async figures(): Promise<Cost> {
        const info = `${await redis.info('cpu')}${await redis.info('stats')}`;
        const figure = (name: string): number => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]);
        // The journal keeps the last of them only.
        const requests = sandbox.journal.requests();
        asked.keyFetches += requests.filter(({ operation }) => operation === 'getPublicKeys').length;
        asked.backendCalls += requests.length;
        sandbox.journal.clear();
        const known: Partial<Cost> = {
          gatewayMs: processorTimeOfTree(gateway.pid),
          queueFunctionMs: processorTimeOfTree(queueFunction.pid),
          redisMs: (figure('used_cpu_user') + figure('used_cpu_sys')) * 1_000,
          redisCommands: figure('total_commands_processed'),
          reportBytes: await bytesBelow(path.join(dataDir, 'objects')),
          ...asked,
        };
        return mapCost((name) => known[name] ?? 0);
      },
      /** Resolves when no job waits or runs and everything behind replies is done. */
      settled: async (quietMs = QUIET_MS): Promise<void> => {
        await waitFor(
          'the queue to be empty',
          async () => (await redis.exists('{gateway}:jobs:wait', '{gateway}:jobs:active')) === 0,
          300_000,
        );
        await new Promise((resolve) => setTimeout(resolve, quietMs));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((entry) => stat(path.join(entry.parentPath, entry.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** A mark among the commands, so that it is known when the last of them has been told. */
const END = 'capacity:end-of-sample';

/**
 * Which part of the commands that Redis runs meanwhile is on keys of the queue, those inside scripts included
 * (`MONITOR`, which costs Redis so much that nothing else is measured beside it).
 *
 * @returns from 0 to 1
 */
export async function shareOfQueue({ redis, settled }: Site, run: () => Promise<unknown>): Promise<number> {
  const monitor = await redis.monitor();
  let [all, ofQueue, ended] = [0, 0, false];
  monitor.on('monitor', (_time: string, args: readonly string[]) => {
    if (args.includes(END)) ended = true;
    else if (!ended) {
      all += 1;
      if (args.some((argument) => argument.startsWith(KEY_PREFIX))) ofQueue += 1;
    }
  });
  try {
    await run();
    await settled();
    await redis.exists(END);
    await waitFor('the last command to be told', () => ended);
  } finally {
    monitor.disconnect();
  }
  return all === 0 ? 0 : ofQueue / all;
}
