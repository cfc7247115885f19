/** Connections to backends: kept alive, and replaced when they are old. */
import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { AgingConnections } from '../../../src/clients/transport.js';
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

const ask = async (connections: AgingConnections, origin: string, path: string): Promise<string> => {
  const reply = await connections.current.request({ origin, path, method: 'GET' });
  return reply.body.text();
};

it('keeps connections alive until they are old', async () => {
  const backend = await startBackend();
  const connections = closeAfterTest(new AgingConnections({ connections: 1 }));
  await ask(connections, backend.origin, '/');
  await ask(connections, backend.origin, '/');
  expect(backend.opened()).toBe(1);
});

it('opens others when they are old, and lets requests under way end on the old ones', async () => {
  const backend = await startBackend();
  const connections = closeAfterTest(new AgingConnections({ connections: 1 }, 0));
  const held = ask(connections, backend.origin, '/held');
  const response = await backend.first;
  expect(await ask(connections, backend.origin, '/')).toBe('answered');
  response.end('late');
  expect(await held).toBe('late');
  expect(backend.opened()).toBe(2);
});

it('are closed only when requests on old connections have ended as well', async () => {
  const backend = await startBackend();
  const connections = new AgingConnections({ connections: 1 }, 0);
  const held = ask(connections, backend.origin, '/held');
  const response = await backend.first;
  await ask(connections, backend.origin, '/');
  const closed = connections.close().then(() => 'closed');
  const others = closeAfterTest(new AgingConnections({ connections: 1 }));
  expect(await Promise.race([closed, ask(others, backend.origin, '/')])).toBe('answered');
  response.end('late');
  expect(await held).toBe('late');
  expect(await closed).toBe('closed');
});
