/** Any bytes as token, header, body, operation, variables, path and query string: refused, and nothing else happens. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { anyRequest, type Knowledge } from '../support/any-requests.js';
import { BuiltPrograms, type ServingProgram } from '../support/built-programs.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { unservedSchema } from '../support/job-table.js';
import { converse } from '../support/raw-conversation.js';
import { chooseSeed } from '../support/seed.js';

/** Requests of each kind of sender; `npm run test:soak` sends many more. */
const REQUESTS = Number(process.env['ANY_BYTES_REQUESTS'] ?? 2_500);
/** Requests that share a connection. */
const BATCH = 20;
/** Nobody else may wait longer, however busy the machine is. */
const MAX_STALL_MS = 5_000;
const PROBE_EVERY_MS = 100;
/** What a process takes more after its beginning, because code is compiled and heaps grow. */
const MAX_GROWTH_MIB = 96;
const IN_TIME = 4 * 3_600_000;

/** What visitors may have asked of backend-api, and what the gateway asks for itself. */
const FOR_VISITORS = ['getPublicKeys', 'getHealth', 'login', 'refreshToken', 'sendOtp', 'sendTestOtp', 'verifyOtp'];
const END = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

const schema = unservedSchema();

let programs: BuiltPrograms;
let sandbox: Sandbox;
let gateway: ServingProgram;
let dataDir: string;

beforeAll(async () => {
  programs = await BuiltPrograms.open();
  sandbox = await startSandbox({
    logger: createLogger({ level: 'silent', pretty: false }),
    backendApiKey: BACKEND_KEY,
  });
  dataDir = await mkdtemp(path.join(tmpdir(), 'gateway-any-bytes-'));
  gateway = await programs.startGateway({
    ...backendEnvironment(sandbox),
    ...PRODUCTION_ENVIRONMENT,
    DATA_DIR: dataDir,
    OTP_SEND_RATE_PER_MINUTE: '1000',
  });
});
afterAll(async () => {
  await programs.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Statuses of all requests, which are sent again behind one that Node's own parser refused. */
async function statusesOf(requests: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  let rest = requests;
  while (rest.length > 0) {
    const conversation = await converse(gateway.url, rest.join('') + END);
    const answered = Math.min(rest.length, Math.max(1, conversation.statuses.length));
    statuses.push(...conversation.statuses.slice(0, answered));
    rest = rest.slice(answered);
  }
  return statuses;
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

async function residentMiB(): Promise<number> {
  const status = await readFile(`/proc/${gateway.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

async function send(what: string, knowledge: Knowledge, requests: number): Promise<void> {
  const batches = fc.array(anyRequest(schema, knowledge), { minLength: BATCH, maxLength: BATCH });
  const property = fc.asyncProperty(batches, async (batch) => {
    const odd = (await statusesOf(batch)).filter((status) => status >= 500 && ![501, 503].includes(status));
    expect(odd).toEqual([]);
    expect(gateway.isRunning()).toBe(true);
  });
  await fc.assert(property, { numRuns: Math.ceil(requests / BATCH), seed: chooseSeed(`any bytes, ${what}`) });
}

describe.each([
  ['who knows nothing', () => Promise.resolve({})],
  [
    'who knows a token and the key of the callbacks',
    async () => ({
      authorization: `Bearer ${await sandbox.mintToken({ claims: { exp: 4_000_000_000 } })}`,
      apiKey: PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '',
    }),
  ],
])('somebody %s', (what, knowledgeOf: () => Promise<Knowledge>) => {
  it(
    `sends ${REQUESTS} requests of any bytes, and gets 2xx, 3xx, 4xx or 503, as everybody else is served`,
    async () => {
      const knowledge = await knowledgeOf();
      await send(`${what}, warming up`, knowledge, REQUESTS / 4);
      const before = await residentMiB();
      sandbox.journal.clear();
      const stopProbing = probe();
      await send(what, knowledge, REQUESTS);
      expect(await stopProbing()).toBeLessThan(MAX_STALL_MS);
      const called = new Set(sandbox.journal.requests().map(({ operation }) => operation));
      if (knowledge.authorization === undefined) {
        expect([...called].filter((operation) => !FOR_VISITORS.includes(operation ?? ''))).toEqual([]);
      }
      expect(await gateway.output()).not.toMatch(/uncaughtException|unhandledRejection|(request|operation)\.failed/);
      expect((await residentMiB()) - before).toBeLessThan(MAX_GROWTH_MIB);
    },
    IN_TIME,
  );
});
