/** What anybody may ask for without logging in costs backends and stores one call a second, whoever asks and how often. */
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const JWKS = '/.well-known/jwks.json';
const READY = '/health/ready';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({}, { sharesAnswers: true });
});
afterEach(() => gateway.sandbox.faults.clear());
afterAll(() => gateway.close());

const FLOOD_REPLIES = 50;

/** Asks again and again, often enough and for longer than an answer is shared. @returns for how many seconds */
async function flood(url: string): Promise<number> {
  const startedAt = performance.now();
  let replies = 0;
  while (performance.now() - startedAt < 2_500 || replies < FLOOD_REPLIES) {
    const some = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
    for (const reply of some) await reply.text();
    expect(new Set(some.map(({ status }) => status))).toEqual(new Set([200]));
    replies += some.length;
  }
  return (performance.now() - startedAt) / 1000;
}

/** The same for a path, and how often an operation was asked for meanwhile. */
async function floodPath(path: string, operation: string): Promise<{ asked: number; seconds: number }> {
  gateway.sandbox.journal.clear();
  const seconds = await flood(`${gateway.url}${path}`);
  return { asked: gateway.sandbox.journal.requests({ operation }).length, seconds };
}

describe('a flood of requests', () => {
  it.each([
    ['the public keys', JWKS, 'getPublicKeys', 1],
    ['readiness', READY, 'getHealth', 3],
  ])('for %s asks each backend once a second', async (_what, path, operation, backends) => {
    await fetch(`${gateway.url}${path}`);
    const { asked, seconds } = await floodPath(path, operation);
    expect(asked / backends).toBeLessThanOrEqual(Math.ceil(seconds));
    expect(asked / backends).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['the public keys', JWKS, 'getPublicKeys', 1],
    ['readiness', READY, 'getHealth', 3],
  ])('for %s that hang at the backends waits for one call to each', async (_what, path, operation, backends) => {
    await waitFor('a second', async () => {
      gateway.sandbox.journal.clear();
      await (await fetch(`${gateway.url}${path}`)).text();
      return gateway.sandbox.journal.requests({ operation }).length === 0;
    });
    const startedAt = performance.now();
    const hanging = gateway.sandbox.faults.hold({ operation });
    const crowd: Promise<Response>[] = [];
    await waitFor('calls that hang', () => {
      crowd.push(fetch(`${gateway.url}${path}`));
      return gateway.sandbox.journal.requests({ operation }).length > 0 || crowd.length > 400;
    });
    for (let more = 0; more < 100; more += 1) crowd.push(fetch(`${gateway.url}${path}`));
    await hanging.held(backends);
    hanging.release();
    for (const reply of await Promise.all(crowd)) expect(reply.status).toBe(200);
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    const asked = gateway.sandbox.journal.requests({ operation }).length / backends;
    expect(asked).toBeLessThanOrEqual(1 + seconds);
    expect(crowd.length / asked).toBeGreaterThan(10);
  });

  it('for the public keys while backend-api is down gets the last good set, and asks no more often', async () => {
    const good = await (await fetch(`${gateway.url}${JWKS}`)).text();
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'down' } });
    const { asked, seconds } = await floodPath(JWKS, 'getPublicKeys');
    expect(asked).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    expect(await (await fetch(`${gateway.url}${JWKS}`)).text()).toBe(good);
    expect(gateway.logged().split('jwks.last_good_served').length - 1).toBeLessThanOrEqual(asked + 2);
  });
});

describeWith(['redis-server'], 'a flood of requests for readiness, with stores that others keep', () => {
  /** Answers probes as S3 does, and counts them. */
  async function startBucket(): Promise<{ endpoint: string; probes: () => number; close: () => void }> {
    let probes = 0;
    const server = createServer(({ method, url = '' }, response) => {
      const began = method === 'POST' && url.includes('uploads');
      if (began || url.includes('list-type=2')) probes += 1;
      const [name, content] = began
        ? ['InitiateMultipartUploadResult', '<UploadId>of-a-probe</UploadId>']
        : ['ListBucketResult', '<KeyCount>0</KeyCount>'];
      response.setHeader('content-type', 'application/xml');
      response.statusCode = method === 'DELETE' ? 204 : 200;
      response.end(method === 'DELETE' ? undefined : `<?xml version="1.0"?><${name}>${content}</${name}>`);
    });
    const port = await listenOnLoopback(server);
    return { endpoint: `http://127.0.0.1:${port}`, probes: () => probes, close: () => server.close() };
  }

  it('asks each store once a second', async () => {
    const [redis, bucket] = await Promise.all([startRedis({ port: 'tcp' }), startBucket()]);
    const client = redis.client();
    const monitor = await client.monitor();
    const commands: string[] = [];
    monitor.on('monitor', (_time: string, [name = '', key = '']: readonly string[]) =>
      commands.push(`${name.toLowerCase()} ${key}`),
    );
    const credentials = { AWS_ACCESS_KEY_ID: 'of-this-test', AWS_SECRET_ACCESS_KEY: 'of-this-test' };
    // The AWS SDK looks for them where it runs, which is here.
    Object.assign(process.env, credentials);
    const flooded = await startTestGateway(
      { REDIS_URL: redis.url, S3_BUCKET: 'reports', S3_ENDPOINT: bucket.endpoint, S3_FORCE_PATH_STYLE: 'true' },
      { sharesAnswers: true },
    );
    try {
      const { body } = await flooded.rest('GET', READY);
      expect(body).toMatchObject({ Stores: { 'job-store': 'OK', queue: 'OK', 'object-store': 'OK' } });
      const probesOf = (key: string) => (): number =>
        commands.filter((command) => command === `exists ${key}` || command === `set ${key}`).length;
      const counts = {
        'job-store': probesOf('job:{check}'),
        queue: probesOf('{gateway}:check'),
        'object-store': bucket.probes,
      };
      await waitFor('the first round', () => Object.values(counts).every((count) => count() > 0));
      const before = Object.values(counts).map((count) => count());
      const seconds = await flood(`${flooded.url}${READY}`);
      // Heard after everything that was sent before it.
      await client.echo('over');
      await waitFor('the commands', () => commands.includes('echo over'));
      const asked = Object.values(counts).map((count, index) => count() - (before[index] ?? 0));
      for (const times of asked) {
        expect(times).toBeLessThanOrEqual(Math.ceil(seconds));
        expect(times).toBeGreaterThanOrEqual(2);
      }
    } finally {
      await flooded.close();
      for (const name of Object.keys(credentials)) Reflect.deleteProperty(process.env, name);
      monitor.disconnect();
      client.disconnect();
      bucket.close();
      await redis.stop();
    }
  });
});

it('whoever logs in is not served a shared key set: each request fetches its own', async () => {
  const bearer = await gateway.bearer();
  gateway.sandbox.journal.clear();
  for (let time = 1; time <= 3; time += 1) await gateway.graphql('{ me { Org } }', {}, bearer);
  expect(gateway.sandbox.journal.requests({ operation: 'getPublicKeys' })).toHaveLength(3);
});
