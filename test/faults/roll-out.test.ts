/** A roll-out behind a real load balancer loses no request, whether that balances requests or connections. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { accepts, freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { productionAt } from '../support/gateway.js';
import { closeAfterTest, forAllTests, forEachTest, temporaryDirectory } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const CLIENTS = 12;
/** As in the manifests, longer than it takes the balancer to notice; a third, as the balancer notices in a third. */
const SHUTDOWN_DELAY_SECONDS = '3';

describeWith(['haproxy'], 'a roll-out', () => {
  const programs = forAllTests(() => BuiltPrograms.open());
  const backends = forAllTests(startBackends);
  const files = forEachTest(temporaryDirectory);

  async function startGateway(port: number): Promise<ChildProgram> {
    const settings = {
      ...productionAt(backends),
      DATA_DIR: path.join(files.path, String(port)),
      PORT: String(port),
      TRUSTED_PROXIES: '1',
      SHUTDOWN_DELAY_SECONDS,
    };
    const program = await programs.startGateway(settings);
    const isReady = () => fetch(`${program.url}/health/ready`, { headers: { connection: 'close' } });
    await waitFor('readiness', async () => (await isReady()).ok);
    return program;
  }

  /** Sends POSTs, which no balancer repeats, until it is told to stop. @returns the number of all, and what was lost */
  function startClients(url: string, pauseMs: number) {
    let isOver = false;
    let answered = 0;
    const lost: string[] = [];
    const body = '{"query":"{ serviceVersion }"}';
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const client = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!isOver) {
        try {
          const asked = request(`${url}/graphql`, { method: 'POST', agent, headers });
          asked.end(body);
          const [reply] = (await once(asked, 'response')) as [IncomingMessage]; // as the event is documented
          await once(reply.resume(), 'end');
          if (reply.statusCode === 200) answered += 1;
          else lost.push(String(reply.statusCode));
        } catch (error) {
          lost.push(String(error));
        }
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
      }
      agent.destroy();
    };
    const clients = Array.from({ length: CLIENTS }, client);
    return async () => {
      isOver = true;
      await Promise.all(clients);
      return { answered, lost };
    };
  }

  it.each<{ balanced: Balanced; use: string; pauseMs: number }>([
    { balanced: 'requests', use: 'busy', pauseMs: 0 },
    { balanced: 'connections', use: 'busy', pauseMs: 0 },
    { balanced: 'connections', use: 'mostly idle', pauseMs: 1_000 },
  ])('behind a balancer of $balanced, with $use connections, loses nothing', async ({ balanced, pauseMs }) => {
    const ports = await freePorts(2);
    const gateways = await Promise.all(ports.map(startGateway));
    const haproxy = closeAfterTest(await startHaproxy(balanced, files.path, ports));
    const stop = startClients(haproxy.url, pauseMs);
    for (const [index, port] of ports.entries()) {
      const old = gateways[index];
      old?.signal('SIGTERM');
      await waitFor('its end', () => old?.isRunning() === false);
      expect(old?.exitCode()).toBe(0);
      gateways[index] = await startGateway(port);
      await haproxy.waitUntilUp(port, 1);
    }
    const { answered, lost } = await stop();
    expect(lost).toEqual([]);
    expect(answered).toBeGreaterThan(CLIENTS);
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

  it('is seen in the log of the balancer by client, server, status and path, and without the query', async () => {
    const [port = 0] = await freePorts(1);
    const gateway = await startGateway(port);
    const haproxy = closeAfterTest(await startHaproxy('requests', files.path, [port]));
    const requestId = 'seen-in-both-logs';
    await fetch(`${haproxy.url}/files/a.pdf?exp=1&sig=secret`, { headers: { 'x-request-id': requestId } });
    const line = await waitFor('the line', async () =>
      (await haproxy.output()).split('\n').find((each) => each.includes(requestId)),
    );
    expect(line).toMatch(
      new RegExp(`^<?.*127\\.0\\.0\\.1:\\d+ gateways/at-${port} .* 40\\d .* GET /files/a\\.pdf ${requestId}$`),
    );
    expect(line).not.toContain('secret');
    await gateway.stop();
  });
});

/** Way of a load balancer: `requests` as in `deploy/haproxy.cfg`, or `connections` as a Service of Kubernetes does. */
type Balanced = 'requests' | 'connections';

/** Two failed checks withdraw a server within a second, and one that succeeds brings it back. */
const CHECK = 'check inter 500ms fall 2 rise 1';

/**
 * Starts HAProxy in front of programs on this machine (Debian package `haproxy`).
 *
 * @param directory takes its configuration and its log @param ports of the programs
 */
async function startHaproxy(balanced: Balanced, directory: string, ports: readonly number[]) {
  const [port = 0] = await freePorts(1);
  const servers = ports.map((each) => `  server at-${each} 127.0.0.1:${each} ${CHECK}`).join('\n');
  const file = path.join(directory, `${balanced}.cfg`);
  await writeFile(
    file,
    configurationOf(await readFile(path.join(ROOT, 'deploy/haproxy.cfg'), 'utf8'), balanced, port, servers),
  );
  const logFile = path.join(directory, `${balanced}.log`);
  const program: ChildProgram = await startProgram('haproxy', { args: ['-db', '-f', file], logFile });
  await waitFor('HAProxy', async () => {
    if (!program.isRunning()) throw new Error(await program.output());
    return accepts(port);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    /** Waits until it sends requests to a server again, which has come up this often. */
    waitUntilUp: async (server: number, times: number) => {
      const up = new RegExp(`gateways/at-${server} is UP`, 'g');
      await waitFor('the server to be up', async () => ((await program.output()).match(up) ?? []).length >= times);
    },
    output: () => program.output(),
    stop: () => program.stop(),
  };
}

/** Makes the shipped configuration one for programs on this machine. */
function configurationOf(shipped: string, balanced: Balanced, port: number, servers: string): string {
  const local = shipped
    .replace(/^resolvers [\s\S]*?\n\n/m, '')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/^ {2}default-server .*\n/m, '')
    .replace(/^ {2}server-template .*$/m, servers);
  if (balanced === 'requests') return local;
  // TCP has no requests.
  return local
    .replace('mode http\n', 'mode tcp\n')
    .replaceAll(/^ {2}(?:http-request|option forwardfor|capture|log-format|retry-on|#).*\n/gm, '');
}
