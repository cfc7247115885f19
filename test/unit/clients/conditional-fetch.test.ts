import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Connections } from '../../../src/clients/connections.js';
import { conditionalFetch } from '../../../src/clients/exchange.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { closeAfterTest } from '../../support/resources.js';

interface Value {
  readonly text: string;
}

let reads = 0;

/** A resource of a server that answers so; limits and outages are those of every exchange. */
async function poll(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<() => Promise<Value>> {
  const { url } = closeAfterTest(await serveOnLoopback(answer));
  const connections = closeAfterTest(
    new Connections({ backend: 'backend-api', connections: 4, maxWaiting: 4, fair: false }),
  );
  reads = 0;
  const fetch = conditionalFetch<Value>('getPublicKeys', `${url}/keys?of=all`, (text) => {
    reads += 1;
    return { text };
  });
  return () => fetch({ backend: 'backend-api', connections, party: [''], timeoutMs: 60_000 });
}

describe('a resource that is asked for all the time', () => {
  it('is asked for each time, and read when its text changes', async () => {
    let text = 'one';
    const asked: (string | undefined)[] = [];
    const keys = await poll(({ url }, response) => {
      asked.push(url);
      response.end(text);
    });
    const first = await keys();
    expect(await keys()).toBe(first);
    text = 'two';
    expect(await keys()).toEqual({ text: 'two' });
    expect([reads, asked]).toEqual([2, ['/keys?of=all', '/keys?of=all', '/keys?of=all']]);
  });

  it('is asked for on the condition that it has changed, where the server names versions', async () => {
    let version = '"1"';
    const conditions: (string | undefined)[] = [];
    const keys = await poll(({ headers }, response) => {
      conditions.push(headers['if-none-match']);
      response.setHeader('etag', version);
      if (headers['if-none-match'] === version) response.writeHead(304).end();
      else response.end(`version ${version}`);
    });
    const first = await keys();
    expect(await keys()).toBe(first);
    version = '"2"';
    expect(await keys()).toEqual({ text: 'version "2"' });
    expect(conditions).toEqual([undefined, '"1"', '"1"']);
  });

  it('is not what a server says that has not changed before anything was asked', async () => {
    const keys = await poll((_request, response) => response.writeHead(304).end());
    await expect(keys()).rejects.toMatchObject({ end: 'redirected' });
  });

  it.each([
    [503, 'failed'],
    [404, 'foreign'],
    [302, 'redirected'],
  ])('that is answered %i is an error, and the next question is not', async (status, end) => {
    let good = false;
    const keys = await poll((_request, response) => response.writeHead(good ? 200 : status).end('text'));
    await expect(keys()).rejects.toMatchObject({ end, code: 'ServiceUnavailable' });
    good = true;
    expect(await keys()).toEqual({ text: 'text' });
  });
});
