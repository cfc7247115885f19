/** A gateway runs the operations of front ends before it says that it is ready, without visible effects. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SANDBOX_ISSUER } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { backendEnvironment, PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { START_COMMAND } from '../support/start-command.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

/** Root fields of what it runs. */
const ROOT_FIELDS = ['serviceVersion', 'me', 'mobiles', 'fetchBulkUpdateMobileStatus', 'userLogin'];

afterEach(() => void jest.restoreAllMocks());

/** Notes the text that is written to connections within this process. */
function watchStreams(): () => readonly string[] {
  const write = jest.spyOn(Duplex.prototype, 'write');
  return () => write.mock.calls.map(([chunk]) => String(chunk));
}

describe('a gateway that warms up', () => {
  it('runs each of them until it is compiled, with tokens that no other gateway takes, and is not seen doing it', async () => {
    const written = watchStreams();
    // It would even take the issuer of those tokens.
    const environment = { METRICS_PORT: '0', TOKEN_ISSUSERS: `${SANDBOX_ISSUER},urn:warm-up` };
    const gateway = closeAfterTest(await startTestGateway(environment, { production: true, warmsUp: true }));
    const requests = written().filter((text) => text.startsWith('POST /graphql '));
    for (const field of ROOT_FIELDS) {
      const own = requests.filter((text) => new RegExp(`\\{ ${field}\\b`).test(text));
      expect([field, own.length]).toEqual([field, expect.any(Number)]);
      // graphql-jit is asked once an operation has come five times.
      expect(own.length).toBeGreaterThan(5);
    }
    const tokens = new Set(requests.map((text) => /^authorization: (Bearer \S+)/m.exec(text)?.[1]));
    expect(tokens.size).toBeGreaterThan(5);

    expect(gateway.sandbox.journal.requests()).toEqual([]);
    expect(gateway.logged()).not.toMatch(/request\.|operation\.|gateway\.not_warmed|warm-up/);
    const { text } = await gateway.scrape();
    // A scrape asks how the backends are.
    const counted = [...text.matchAll(/^(?:http|gateway)_.*_(?:count|total)(?!.*getHealth).* (?!0$)\S+$/gm)];
    expect(counted.map(([line]) => line)).toEqual([]);

    const [authorization] = tokens;
    const refused = await gateway.graphql('{ me { Org } }', {}, authorization);
    expect(refused.errors).toMatchObject([{ message: 'token is invalid', extensions: { code: 'UnAuthenticated' } }]);
    const { data } = await gateway.graphql('{ me { Org } }', {}, await gateway.bearer());
    expect(data).toEqual({ me: { Org: 'acme' } });
  });

  it('leaves that to the program where no caller waits for it', async () => {
    const written = watchStreams();
    const gateway = await startTestGateway({}, { production: true });
    expect(written().filter((text) => text.startsWith('POST /graphql '))).toEqual([]);
    await gateway.close();
  });
});

describe('the program in production', () => {
  const CONNECTIONS = 300;
  const programs = forAllTests(() => BuiltPrograms.open());
  const sandbox = forAllTests(startBackends);
  const dataDir = forAllTests(temporaryDirectory);
  /** Other work of this machine. */
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

  it('is not ready until it is warm, lives meanwhile, and answers a burst as soon as it says OK', async () => {
    const [port = 0] = await freePorts(1);
    const settings = {
      ...PRODUCTION_ENVIRONMENT,
      ...backendEnvironment(sandbox),
      DATA_DIR: dataDir.path,
      PORT: String(port),
      // How fast this machine is belongs to the benchmark.
      MAX_EVENT_LOOP_DELAY_MS: '3600000',
      LOGIN_RATE_PER_MINUTE: '1000',
    };
    const program = await programs.start([START_COMMAND.file], settings, { nodeOptions: START_COMMAND.nodeOptions });
    const url = `http://127.0.0.1:${port}`;
    const seen: string[] = [];
    await waitFor('readiness', async () => {
      if (!program.isRunning()) throw new Error(await program.output());
      const statuses = await Promise.all(['live', 'ready'].map((probe) => statusOf(`${url}/health/${probe}`)));
      if (!statuses.includes(undefined)) seen.push(statuses.join(' '));
      return seen.at(-1) === '200 200';
    });
    expect(new Set(seen)).toEqual(new Set(['200 503', '200 200']));

    const authorization = `Bearer ${await sandbox.mintToken()}`;
    const operations = [
      '{ serviceVersion }',
      '{ me { Org } }',
      '{ mobiles(first: 50) { edges { node { id name position { address } voice { online } } } } }',
      '{ fetchBulkUpdateMobileStatus(jobId: "none") { state } }',
      'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }',
    ].map((query) => JSON.stringify({ query }));
    const replies = await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, index) =>
        ask(url, operations[index % operations.length] ?? '', authorization),
      ),
    );
    expect(new Set(replies)).toEqual(new Set([200]));
    await program.stop();
    expect(program.exitCode()).toBe(0);
    expect(await program.output()).not.toContain('graphql.load_shed');
  });

  /** Undefined while no program listens. */
  async function statusOf(url: string): Promise<number | undefined> {
    return fetch(url, { headers: { connection: 'close' } }).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  /** Asks on a connection of its own. @returns the status */
  async function ask(url: string, body: string, authorization: string): Promise<number | undefined> {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, authorization };
    const asked = request(`${url}/graphql`, { method: 'POST', agent: false, headers });
    asked.end(body);
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    await once(reply.resume(), 'end');
    return reply.statusCode;
  }
});
