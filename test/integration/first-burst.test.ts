/** A gateway that has just started says when it takes requests, and answers a burst of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { components } from '../../generated/gateway.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { productionAt } from '../support/gateway.js';
import { burst, HANDLERS } from '../support/graphql-handlers.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { START_COMMAND } from '../support/start-command.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

type Readiness = components['schemas']['Readiness'];

interface Health {
  readonly status: number;
  readonly body: Partial<Pick<Readiness, 'Items' | 'Stores' | 'Gateway'>> & Pick<Readiness, 'Status'>;
}

/** Options of Node.js that hold the loading of a module until there is a file. */
function holding(module: string, file: string): string {
  const data = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const hooks = data(`import { existsSync } from 'node:fs';
    const isHeld = (url) => url.endsWith(${JSON.stringify(module)}) && !existsSync(${JSON.stringify(file)});
    export async function load(url, context, next) {
      while (isHeld(url)) await new Promise((resolve) => setTimeout(resolve, 10));
      return next(url, context);
    }`);
  return `--import ${data(`import { register } from 'node:module'; register(${JSON.stringify(hooks)});`)}`;
}

describe('the program in production', () => {
  const CONNECTIONS = 300;
  const programs = forAllTests(() => BuiltPrograms.open());
  const sandbox = forAllTests(startBackends);
  const dataDir = forAllTests(temporaryDirectory);
  forAllTests(
    () => [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })),
    async (others) => {
      for (const other of others) {
        const ended = once(other, 'exit');
        other.kill('SIGKILL');
        await ended;
      }
    },
  );

  it('lives before it is ready, never contradicts itself, and answers a burst as soon as it says OK', async () => {
    const [port = 0] = await freePorts(1);
    const [graphql = ''] =
      [...(await programs.contents())].find(([, files]) => files.includes('src/gateway/graphql/schema.ts')) ?? [];
    const mayLoad = path.join(dataDir.path, 'graphql-may-load');
    const settings = {
      ...productionAt(sandbox),
      DATA_DIR: dataDir.path,
      PORT: String(port),
      // How fast this machine is belongs to the benchmark.
      MAX_EVENT_LOOP_DELAY_MS: '3600000',
      LOGIN_RATE_PER_MINUTE: '1000',
      NODE_OPTIONS: holding(graphql, mayLoad),
    };
    const program = await programs.start([START_COMMAND.file], settings, { nodeOptions: START_COMMAND.nodeOptions });
    const url = `http://127.0.0.1:${port}`;
    /** Waits until all beside the gateway itself is well. @returns what readiness says of the gateway then */
    const others = (): Promise<string | undefined> =>
      waitFor('all others to be well', async () => {
        if (!program.isRunning()) throw new Error(await program.output());
        const [live, ready] = await Promise.all(['live', 'ready'].map((probe) => healthOf(`${url}/health/${probe}`)));
        if (live === undefined || ready === undefined) return undefined;
        expect(live).toEqual({ status: 200, body: { Status: 'OK' } });
        const { Status, Items = {}, Stores = {}, Gateway } = ready.body;
        const areOk = [...Object.values(Items), ...Object.values(Stores)].every((part) => part === 'OK');
        expect([Status, ready.status]).toEqual([areOk && Gateway === 'OK' ? 'OK' : 'NG', Gateway === 'OK' ? 200 : 503]);
        return areOk && Gateway;
      });
    expect(await others()).toBe('STARTING');
    const early = HANDLERS.POST(url, { query: '{ serviceVersion }' });
    await writeFile(mayLoad, '');
    await waitFor('readiness', async () => (await others()) === 'OK');
    expect((await early).status).toBe(200);

    const replies = await burst(url, CONNECTIONS, `Bearer ${await sandbox.mintToken()}`);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await program.stop();
    expect(program.exitCode()).toBe(0);
    expect(await program.output()).not.toContain('graphql.load_shed');
  });

  /** Undefined while no program listens. */
  async function healthOf(url: string): Promise<Health | undefined> {
    return fetch(url, { headers: { connection: 'close' } }).then(
      async (reply) => ({ status: reply.status, body: (await reply.json()) as Health['body'] }), // as the contract says
      () => undefined,
    );
  }
});
