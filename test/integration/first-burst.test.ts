/** A gateway that has just started says when it takes requests, and answers a burst of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { components } from '../../generated/gateway.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { productionAt } from '../support/gateway.js';
import { HANDLERS } from '../support/graphql-handlers.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { START_COMMAND } from '../support/start-command.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

type Readiness = components['schemas']['Readiness'];

interface Health {
  readonly status: number;
  readonly body: Partial<Pick<Readiness, 'Items' | 'Stores' | 'Gateway'>> & Pick<Readiness, 'Status'>;
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
    const settings = {
      ...productionAt(sandbox),
      DATA_DIR: dataDir.path,
      PORT: String(port),
      // How fast this machine is belongs to the benchmark.
      MAX_EVENT_LOOP_DELAY_MS: '3600000',
      LOGIN_RATE_PER_MINUTE: '1000',
    };
    const program = await programs.start([START_COMMAND.file], settings, { nodeOptions: START_COMMAND.nodeOptions });
    const url = `http://127.0.0.1:${port}`;
    const seen: Health[] = [];
    await waitFor('readiness', async () => {
      if (!program.isRunning()) throw new Error(await program.output());
      const [live, ready] = await Promise.all(['live', 'ready'].map((probe) => healthOf(`${url}/health/${probe}`)));
      if (ready !== undefined) seen.push(ready);
      if (ready !== undefined && live !== undefined) expect(live).toEqual({ status: 200, body: { Status: 'OK' } });
      return ready?.body.Status === 'OK';
    });
    for (const { status, body } of seen) {
      const { Status, Items = {}, Stores = {}, Gateway } = body;
      const isOk = [...Object.values(Items), ...Object.values(Stores), Gateway].every((part) => part === 'OK');
      expect([Status, status]).toEqual([isOk ? 'OK' : 'NG', Gateway === 'OK' ? 200 : 503]);
    }

    const authorization = `Bearer ${await sandbox.mintToken()}`;
    const operations = [
      '{ serviceVersion }',
      '{ me { Org } }',
      '{ mobiles(first: 50) { edges { node { id name position { address } voice { online } } } } }',
      '{ fetchBulkUpdateMobileStatus(jobId: "none") { state } }',
      'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }',
    ];
    // Each on a connection of its own.
    const asked = Array.from({ length: CONNECTIONS }, (_, index) =>
      HANDLERS.POST(url, { query: operations[index % operations.length] }, { authorization }),
    );
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
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
