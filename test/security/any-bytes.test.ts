/** No request, whatever its bytes, ends the process, shows its inside, runs anything or keeps others waiting. */
import { randomUUID } from 'node:crypto';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FaultScope } from '../../src/sandbox/sandbox.js';
import { residentMiB } from '../bench/processor-time.js';
import { BuiltPrograms, ROOT, type ServingProgram } from '../support/built-programs.js';
import { backendEnvironment, graphqlAt, PRODUCTION_ENVIRONMENT, productionAt } from '../support/gateway.js';
import { jobHeaders, MOBILES } from '../support/job-requests.js';
import { unservedSchema } from '../support/job-table.js';
import { converse } from '../support/raw-conversation.js';
import { rawRequest } from '../support/raw-http.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { chooseSeed } from '../support/seed.js';
import { anyRequests, LAST_REQUEST, type AnyRequests, type Knowledge } from './any-requests.js';
import { OPERATIONS } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

/** Requests of each kind of sender; `npm run test:soak` sends many more. */
const REQUESTS = Number(process.env['ANY_BYTES_REQUESTS'] ?? 200);
/** So many of these for one on a connection of its own, because its end is unknown. */
const FRAMED_FOR_A_BROKEN_ONE = 8;
/** Requests that share a connection, and connections of those that do not. */
const BATCH = 20;
/** The gateway waits for the end of a request; its sender here does not wait as long. */
const WAITS_FOR_MORE_MS = 500;
/** The longest wait of another caller, on a busy machine. */
const MAX_STALL_MS = 5_000;
const PROBE_EVERY_MS = 100;
/** A process takes so much more after its beginning, because code is compiled and heaps grow. */
const MAX_GROWTH_MIB = 96;
const IN_TIME = 4 * 3_600_000;
const BASE_PATH = '/gate/way';
const API_KEY = PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '';

/** Operations that visitors may have asked of backend-api, and those that the gateway asks for itself. */
const FOR_VISITORS = ['getPublicKeys', 'getHealth', 'login', 'refreshToken', 'sendOtp', 'sendTestOtp', 'verifyOtp'];
/** A stack, a place in the sources, or where they lie. */
const INSIDES = /\n\s+at |node:internal|node_modules|\.[cm]?[jt]s:\d|file:\/\/|(Type|Range|Reference)Error/;
/** Words that the log of a gateway never has as long as nothing happens to it. */
const ENDED_BADLY = /uncaughtException|unhandledRejection|(request|operation)\.failed/;

const programs = forAllTests(() => BuiltPrograms.open());
const sandbox = forAllTests(startBackends);
const dataDir = forAllTests(temporaryDirectory);
/** Below a base path, behind a proxy, for pages of another origin. */
const production = forAllTests(() =>
  programs.startGateway({
    ...productionAt(sandbox),
    BASE_PATH,
    CORS_ORIGINS: 'https://front.example.com',
    TRUSTED_PROXIES: '1',
    BACKEND_TIMEOUT_SECONDS: '30',
    OTP_SEND_RATE_PER_MINUTE: '1000',
    DATA_DIR: path.join(dataDir.path, 'production'),
  }),
);
let bearer: string;

beforeAll(async () => {
  bearer = `Bearer ${await sandbox.mintToken({ claims: { exp: 4_000_000_000 } })}`;
});

/** Bytes of a client that hangs up, by its number. */
type HangUp = (index: number) => string;
/** Clients that send the same. */
const HANG_UPS = 8;

function post(target: string, body: string, more: Readonly<Record<string, string>>): string {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, ...more };
  return rawRequest(`POST ${BASE_PATH}${target} HTTP/1.1`, headers, body);
}

function operation(query: string, variables?: object): string {
  return post('/graphql', JSON.stringify({ query, variables }), { Authorization: bearer });
}

const refresh = JSON.stringify({ query: 'mutation { refreshUserToken(refreshToken: "x") { expiresIn } }' });

it.each<[what: string, scope: FaultScope, requests: readonly HangUp[], asked: number]>([
  [
    'backends are asked for them',
    { match: ({ operation: asked }) => asked !== 'getPublicKeys' },
    [
      () => operation('{ tags { id } }'),
      () => operation('{ mobile(id: 1) { id position { address } } me { Org } }'),
      () => operation(OPERATIONS.mobiles.start, { value: [{ id: 1, name: 'x' }] }),
      (index) => post('/graphql', refresh, { 'X-Forwarded-For': `192.0.2.${index}` }),
      () => post(MOBILES, '[{"id":1,"name":"x"}]', { 'x-api-key': API_KEY, ...jobHeaders(randomUUID()) }),
    ],
    5 * HANG_UPS,
  ],
  [
    'public keys are fetched for them',
    { operation: 'getPublicKeys' },
    [() => operation('{ me { Org } }'), () => rawRequest(`GET ${BASE_PATH}/.well-known/jwks.json HTTP/1.1`, {})],
    2,
  ],
])('a gateway survives clients that hang up while %s', async (_what, scope, requests, asked) => {
  const endings = async (): Promise<number> =>
    (await production.output()).split(/"request\.(?:cut_short|handled)"/).length;
  const before = await endings();
  const held = closeAfterTest(sandbox.faults.hold(scope), (hold) => hold.release());
  const sockets = requests.flatMap((bytesOf) =>
    Array.from({ length: HANG_UPS }, (_, index) => {
      const socket = net.connect(Number(new URL(production.url).port), '127.0.0.1');
      socket.on('error', () => undefined).write(bytesOf(index), 'latin1');
      return socket;
    }),
  );
  await held.held(asked);
  for (const [index, socket] of sockets.entries()) {
    if (index % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
  await waitFor('the hang-ups to be noticed', async () => (await endings()) >= before + sockets.length);
  held.release();
  const { data } = await graphqlAt(production.url)('{ tags { id } }', {}, bearer);
  expect(data).toEqual({ tags: expect.any(Array) });
  expect(await production.output()).not.toMatch(ENDED_BADLY);
});

const known = (): Knowledge => ({ authorization: bearer, apiKey: API_KEY });

describe.each<[who: string, knowledgeOf: () => Knowledge, gatewayOf: () => Promise<ServingProgram>]>([
  ['knows nothing', () => ({}), () => Promise.resolve(production)],
  ['knows a token and the key of the callbacks', known, () => Promise.resolve(production)],
  [
    'knows as much, in development',
    known,
    () =>
      programs.startGateway({
        ...backendEnvironment(sandbox),
        NODE_ENV: '',
        TASK_CALLBACK_API_KEY: API_KEY,
        DATA_DIR: path.join(dataDir.path, 'development'),
      }),
  ],
])('somebody who %s', (who, knowledgeOf, gatewayOf) => {
  /** Closed with all programs, since two share the one of production. */
  let gateway: ServingProgram;
  /** Where the page begins that development has, which shows its own insides. */
  let pageStart: string | undefined;
  beforeAll(async () => {
    gateway = await gatewayOf();
    const page = await fetch(`${gateway.url}/playground`);
    const text = Buffer.from(await page.arrayBuffer()).toString('latin1');
    pageStart = page.ok ? text.slice(0, 100) : undefined;
  });

  /** @returns how many replies came */
  async function send(bytes: string, silenceMs?: number): Promise<number> {
    const { statuses, text } = await converse(gateway.url, bytes, silenceMs);
    expect(statuses.filter((status) => status >= 500 && ![501, 503].includes(status))).toEqual([]);
    const [shown = ''] = pageStart === undefined ? [text] : text.split(pageStart);
    expect(shown).not.toMatch(INSIDES);
    expect(shown).not.toContain(ROOT);
    return statuses.length;
  }

  /** Sends requests over one connection, and again what stands behind one that Node's own parser refused. */
  async function sendAll(requests: readonly string[]): Promise<void> {
    let rest = requests;
    while (rest.length > 0) rest = rest.slice(Math.max(1, await send(rest.join('') + LAST_REQUEST)));
  }

  async function attack({ framed, broken }: AnyRequests, requests: number): Promise<void> {
    const seed = chooseSeed(`any bytes, who ${who}`);
    const batchOf = (one: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
      fc.array(one, { minLength: BATCH, maxLength: BATCH });
    const all = fc.asyncProperty(batchOf(framed), sendAll);
    await fc.assert(all, { numRuns: Math.ceil(requests / BATCH), seed });
    const odd = fc.asyncProperty(batchOf(broken), async (batch) => {
      await Promise.all(batch.map((bytes) => send(bytes, WAITS_FOR_MORE_MS)));
    });
    await fc.assert(odd, { numRuns: Math.ceil(requests / BATCH / FRAMED_FOR_A_BROKEN_ONE), seed });
  }

  /** Asks whether the gateway is alive, again and again. @returns ends that, and tells the longest wait, in milliseconds */
  function probe(): () => Promise<number> {
    let longest = 0;
    const ending = new AbortController();
    const probing = (async () => {
      while (!ending.signal.aborted) {
        const startedAt = performance.now();
        expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
        longest = Math.max(longest, performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
      }
    })();
    return async () => {
      ending.abort();
      await probing;
      return longest;
    };
  }

  it(
    `sends ${REQUESTS} requests of any bytes, and gets 2xx, 3xx, 4xx or 503, as everybody else is served`,
    async () => {
      const knowledge = knowledgeOf();
      const requests = anyRequests(unservedSchema(), knowledge, new URL(gateway.url).pathname.replace(/\/$/, ''));
      await attack(requests, REQUESTS / 4);
      const before = residentMiB(gateway.pid);
      sandbox.journal.clear();
      const stopProbing = probe();
      await attack(requests, REQUESTS);
      expect(await stopProbing()).toBeLessThan(MAX_STALL_MS);
      const called = new Set(sandbox.journal.requests().map(({ operation: asked }) => asked ?? ''));
      if (knowledge.authorization === undefined) {
        expect([...called].filter((asked) => !FOR_VISITORS.includes(asked))).toEqual([]);
      }
      expect(gateway.isRunning()).toBe(true);
      expect(await gateway.output()).not.toMatch(ENDED_BADLY);
      expect(residentMiB(gateway.pid) - before).toBeLessThan(MAX_GROWTH_MIB);
    },
    IN_TIME,
  );
});
