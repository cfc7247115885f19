/** Connections to backends: kept alive, and replaced when they are old. */
import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { Connections } from '../../../src/clients/connections.js';
import { PlainRequest } from '../../../src/clients/plain-exchange.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';
import { deferred } from '../../support/wait-for.js';

/** Starts a backend whose first reply waits. */
async function startBackend() {
  let connections = 0;
  const first = deferred<ServerResponse>();
  const { server, url: origin } = closeAfterTest(
    await serveOnLoopback((request, response) => {
      if (request.url === '/held') first.resolve(response);
      else response.end('answered');
    }),
  );
  server.on('connection', () => (connections += 1));
  return { origin, first: first.promise, opened: () => connections };
}

/** A connection, or those that are kept alive up to this age, in milliseconds. */
const connect = (maxAgeMs?: number): Connections =>
  new Connections({
    backend: 'backend-api',
    connections: maxAgeMs === undefined ? 1 : 2,
    maxWaiting: 0,
    fair: false,
    ...(maxAgeMs !== undefined && { maxAgeMs }),
  });

const ask = async (connections: Connections, origin: string, path: string): Promise<string> =>
  (await connections.send(new PlainRequest(`${origin}${path}`, {}), { party: [''], timeoutMs: 60_000 })).body;

it('keeps connections alive until they are old', async () => {
  const backend = await startBackend();
  const connections = closeAfterTest(connect());
  await ask(connections, backend.origin, '/');
  await ask(connections, backend.origin, '/');
  expect(backend.opened()).toBe(1);
});

it('opens others when they are old, and lets requests under way end on the old ones', async () => {
  const backend = await startBackend();
  const connections = closeAfterTest(connect(0));
  const held = ask(connections, backend.origin, '/held');
  const response = await backend.first;
  expect(await ask(connections, backend.origin, '/')).toBe('answered');
  response.end('late');
  expect(await held).toBe('late');
  expect(backend.opened()).toBe(2);
});

it('are closed only when requests on old connections have ended as well', async () => {
  const backend = await startBackend();
  const connections = connect(0);
  const held = ask(connections, backend.origin, '/held');
  const response = await backend.first;
  await ask(connections, backend.origin, '/');
  const closed = connections.close().then(() => 'closed');
  const others = closeAfterTest(connect());
  expect(await Promise.race([closed, ask(others, backend.origin, '/')])).toBe('answered');
  response.end('late');
  expect(await held).toBe('late');
  expect(await closed).toBe('closed');
});
