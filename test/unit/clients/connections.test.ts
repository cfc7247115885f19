import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Connections } from '../../../src/clients/connections.js';
import { PlainRequest } from '../../../src/clients/plain-exchange.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';

/** Connections to a server that answers, breaks the connection or is silent, as the path says. */
async function connect() {
  const seen: (string | undefined)[] = [];
  const { url } = closeAfterTest(
    await serveOnLoopback((request, response) => {
      seen.push(request.url);
      if (request.url === '/answered') response.end();
      if (request.url === '/broken') response.destroy();
    }),
  );
  const connections = closeAfterTest(
    new Connections({ backend: 'backend-api', connections: 4, maxWaiting: 4, fair: false }),
  );
  const send = (path: string, timeoutMs: number, signal: AbortSignal): Promise<unknown> =>
    connections.send(new PlainRequest(`${url}${path}`, {}), { party: [''], timeoutMs, signal });
  return { send, seen };
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
