import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BackendOutage, CallRefusedError, ContractBreach } from '../../../src/clients/call-errors.js';
import { openConnections, type Connections } from '../../../src/clients/connections.js';
import { PolledResource } from '../../../src/clients/polled-resource.js';
import { ServiceUnavailableError } from '../../../src/errors.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { waitFor } from '../../support/wait-for.js';

interface Value {
  readonly text: string;
}

let server: Server | undefined;
let connections: Connections | undefined;
let reads = 0;

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await connections?.close();
});

/** A resource of a server that answers so. */
async function poll(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limits: { timeoutMs?: number; connections?: number; maxWaiting?: number } = {},
): Promise<PolledResource<Value>> {
  server = createServer(answer);
  const { timeoutMs = 60_000, ...bounds } = limits;
  connections = openConnections({ connections: 4, maxWaiting: 4, maxReplyBytes: 1_000, fair: false, ...bounds });
  reads = 0;
  return new PolledResource<Value>({
    backend: 'backend-api',
    url: `http://127.0.0.1:${await listenOnLoopback(server)}/keys?of=all`,
    read: (text) => {
      reads += 1;
      return { text: String(text) };
    },
    timeoutMs,
    connections,
  });
}

const failure = (value: Promise<unknown>): Promise<unknown> =>
  value.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a resource that is asked for all the time', () => {
  it('is asked for each time, and read when its text changes', async () => {
    let text = 'one';
    const asked: (string | undefined)[] = [];
    const keys = await poll(({ url }, response) => {
      asked.push(url);
      response.end(text);
    });
    const first = await keys.get();
    expect(await keys.get()).toBe(first);
    text = 'two';
    expect(await keys.get()).toEqual({ text: 'two' });
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
    const first = await keys.get();
    expect(await keys.get()).toBe(first);
    version = '"2"';
    expect(await keys.get()).toEqual({ text: 'version "2"' });
    expect(conditions).toEqual([undefined, '"1"', '"1"']);
  });

  it('is not what a server says that has not changed before anything was asked', async () => {
    const keys = await poll((_request, response) => response.writeHead(304).end());
    expect(await failure(keys.get())).toBeInstanceOf(ContractBreach);
  });

  it.each([
    [500, BackendOutage],
    [503, BackendOutage],
    [401, ServiceUnavailableError],
    [404, ServiceUnavailableError],
    [302, ContractBreach],
  ])('that is answered %i is an error, and the next question is not', async (status, kind) => {
    let good = false;
    const keys = await poll((_request, response) => {
      response.writeHead(good ? 200 : status).end('text');
    });
    expect(await failure(keys.get())).toBeInstanceOf(kind);
    good = true;
    expect(await keys.get()).toEqual({ text: 'text' });
  });

  it('may not be larger than it may', async () => {
    const keys = await poll((_request, response) => response.end('x'.repeat(1_001)));
    expect(await failure(keys.get())).toBeInstanceOf(ContractBreach);
  });

  it('that never comes is an outage once the time is over', async () => {
    const keys = await poll(() => undefined, { timeoutMs: 50 });
    expect(await failure(keys.get())).toBeInstanceOf(BackendOutage);
  });

  it('that comes drop by drop is an outage once the time is over', async () => {
    const keys = await poll(
      (_request, response) => {
        const drops = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(drops));
      },
      { timeoutMs: 100 },
    );
    expect(await failure(keys.get())).toBeInstanceOf(BackendOutage);
  });

  it('that is cut off is an outage', async () => {
    const keys = await poll((request) => request.socket.destroy());
    expect(await failure(keys.get())).toBeInstanceOf(BackendOutage);
  });

  it('makes some wait for a connection, and refuses more than may', async () => {
    const held: ServerResponse[] = [];
    const keys = await poll((_request, response) => void held.push(response), { connections: 1, maxWaiting: 1 });
    const served = keys.get();
    await waitFor('the first question', () => held.length === 1);
    const waiting = keys.get();
    expect(await failure(keys.get())).toBeInstanceOf(CallRefusedError);
    held[0]?.end('one');
    await waitFor('the second question', () => held.length === 2);
    held[1]?.end('two');
    expect([await served, await waiting]).toEqual([{ text: 'one' }, { text: 'two' }]);
  });
});
