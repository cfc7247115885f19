import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Connections, type ConnectionsOptions } from '../../../src/clients/connections.js';
import { PlainRequest } from '../../../src/clients/plain-exchange.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';
import { deferred } from '../../support/wait-for.js';

/** Connections to a server that answers, breaks the connection, is silent or answers later, as the path says. */
async function connect(options: Partial<ConnectionsOptions> = {}) {
  const seen: (string | undefined)[] = [];
  const held = deferred<ServerResponse>();
  let opened = 0;
  const { server, url } = closeAfterTest(
    await serveOnLoopback((request, response) => {
      seen.push(request.url);
      if (request.url === '/answered') response.end('answered');
      if (request.url === '/broken') response.destroy();
      if (request.url === '/held') held.resolve(response);
    }),
  );
  server.on('connection', () => (opened += 1));
  const given = { backend: 'backend-api', connections: 4, maxWaiting: 4, fair: false, ...options } as const;
  const connections = closeAfterTest(new Connections(given));
  const send = async (path: string, timeoutMs = 60_000, signal?: AbortSignal): Promise<string> =>
    (await connections.send(new PlainRequest(`${url}${path}`, {}), { party: [''], timeoutMs, signal })).body;
  return { connections, send, seen, held: held.promise, opened: () => opened };
}

describe('a request', () => {
  it('is not sent when its result is not wanted', async () => {
    const { send, seen } = await connect();
    await expect(send('/answered', 10_000, AbortSignal.abort())).rejects.toMatchObject({ end: 'cut off' });
    expect(seen).toEqual([]);
  });

  it('leaves neither listeners nor timers behind, however it ends', async () => {
    const { send, seen } = await connect();
    const operation = new AbortController();
    const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    for (let count = 0; count < 100; count += 1) {
      await send('/answered', 60_000, operation.signal);
      await expect(send('/broken', 60_000, operation.signal)).rejects.toMatchObject({ end: 'failed' });
    }
    await expect(send('/silent', 50, operation.signal)).rejects.toMatchObject({ end: 'failed' });
    expect(seen).toHaveLength(201);
    expect(getEventListeners(operation.signal, 'abort')).toEqual([]);
    // Others of the process come and go; 200 of these would stay for a minute.
    expect(timers()).toBeLessThan(before + 50);
  });
});

describe('connections', () => {
  it('are kept alive until they are old', async () => {
    const { send, opened } = await connect({ connections: 1 });
    await send('/answered');
    await send('/answered');
    expect(opened()).toBe(1);
  });

  it('that are old make room for others, and are closed only when the requests on them have ended', async () => {
    const { connections, send, held, opened } = await connect({ maxAgeMs: 0 });
    const late = send('/held');
    const response = await held;
    expect(await send('/answered')).toBe('answered');
    expect(opened()).toBe(2);
    let isClosed = false;
    const closed = connections.close().then(() => (isClosed = true));
    await setImmediate();
    expect(isClosed).toBe(false);
    response.end('late');
    expect(await late).toBe('late');
    await closed;
  });
});
