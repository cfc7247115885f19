import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../support/built-programs.js';
import { accepts, freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { waitFor } from '../support/wait-for.js';

/** Way of a load balancer: `requests` as in `deploy/haproxy.cfg`, or `connections` as a Service of Kubernetes does. */
export type Balanced = 'requests' | 'connections';

/** Two failed checks withdraw a server within a second, and one that succeeds brings it back. */
const CHECK = 'check inter 500ms fall 2 rise 1';

/**
 * Starts HAProxy in front of programs on this machine (Debian package `haproxy`).
 *
 * @param directory takes its configuration and its log @param ports of the programs
 */
export async function startHaproxy(balanced: Balanced, directory: string, ports: readonly number[]) {
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
