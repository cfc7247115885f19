import { generateKeyPair, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { addAbortSignal, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { nextTick } from 'node:process';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import { connectBackends } from '../clients/connect-backends.js';
import { createMemoryCounter } from '../engines/memory-counter.js';
import { createAttemptLimits } from '../graphql/limits/attempt-limits.js';
import type { JobRecord } from '../job-record/job-record.js';
import { createJobStatusReader } from '../jobs/job-status.js';
import { createLogger } from '../logging/logger.js';
import { yieldToEventLoop } from '../waits.js';
import { createFront, type Front, type FrontOptions } from './front.js';

/** Number of runs of each operation, after which it is compiled, and the compiling code is optimized as well. */
const ROUNDS = 12;

/** Time limit in milliseconds, after which the gateway is ready without it. */
const MAX_MS = 3_000;

/** Mobiles of a page, each with a different address. */
const PAGE = 20;

const ISSUER = 'urn:warm-up';
const ORIGIN = 'http://warm-up';

const MOBILE =
  'id num name tags { id name } position { latitude longitude speedKmh address } voice { online talkGroup }';

/** Typical operations of front ends. */
const OPERATIONS = [
  { query: '{ serviceVersion }' },
  { query: '{ me { BackendUser Org Issuser Region IsAdmin LoggedInId ChatId } }' },
  { query: `{ mobiles(first: ${PAGE}) { edges { node { ${MOBILE} } } pageInfo { hasNextPage endCursor } } }` },
  {
    query: `query Status($id: ID!) { fetchBulkUpdateMobileStatus(jobId: $id) {
      completed state progress { done total } status errors
    } }`,
    variables: { id: 'warm-up' },
  },
  {
    query: `mutation Login($id: String!, $password: String!) { userLogin(loginId: $id, password: $password) {
      session { accessToken refreshToken expiresIn } otpRequired
    } }`,
    variables: { id: 'warm-up', password: 'warm-up' },
  },
].map((operation) => JSON.stringify(operation));

const FINISHED_JOB: JobRecord = {
  state: 'finished',
  total: 1,
  done: 1,
  createdAt: 0,
  finishedAt: 0,
  attempt: 1,
  fingerprint: '',
  result: { status: 200, body: '{"status":"Success"}' },
  retentionMs: 0,
  expiresAt: 0,
};

/** Limits that allow the operations, even if the configured limits are lower. */
const LIMITS = { depth: 10, tokens: 1_000, graphqlBodyBytes: 65_536 };

/**
 * Prepares the warm-up, by a separate front without visible effects. That front has its own key, backends, log, job and
 * counters of attempts, all in memory, and no observer. It shares the parts that start and list jobs with the serving
 * front, but does not call them.
 *
 * @param options of the serving front
 * @param maxMs time limit in milliseconds
 * @returns a function that runs typical operations until their code is warm, and logs a failure
 */
export function prepareWarmUp(options: FrontOptions, maxMs = MAX_MS): () => Promise<void> {
  // A thread generates it while GraphQL is loading.
  const keyPair = promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return async () => {
    try {
      await warmUp(options, await keyPair, maxMs);
    } catch (err) {
      options.logger.event('gateway.not_warmed', { err });
    }
  };
}

async function warmUp(
  { config, services, ...options }: FrontOptions,
  keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  maxMs: number,
): Promise<void> {
  const logger = createLogger({ level: config.logLevel, destination: { write: () => undefined } });
  const server = backendsThatAnswer(keys.publicKey);
  const backends = connectBackends({
    urls: { backendApi: `${ORIGIN}/backend-api`, geoApi: `${ORIGIN}/geo-api`, voipApi: `${ORIGIN}/voip-api` },
    keys: { backendApi: ['warm-up'], geoApi: undefined, voipApi: undefined },
    timeoutMs: maxMs,
    logger,
    connect: (_options, connected) => {
      const [near, far] = duplexPair();
      server.emit('connection', far);
      // Asynchronous, as over the network. undici uses only members that every stream has.
      nextTick(() => connected(null, near as unknown as Socket));
    },
  });
  const limits = { ...config.limits, ...LIMITS };
  const front = createFront({
    ...options,
    config: { ...config, limits, maxEventLoopDelayMs: Infinity },
    logger,
    observer: undefined,
    services: {
      ...services,
      ...backends,
      attemptLimits: createAttemptLimits(limits, createMemoryCounter),
      jobStatus: createJobStatusReader({ read: () => Promise.resolve(FINISHED_JOB) }),
    },
    issuers: [ISSUER],
    persistedOperations: undefined,
  });
  try {
    await front.loadGraphQL();
    const signal = AbortSignal.timeout(maxMs);
    const path = `${config.basePath}/graphql`;
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await createToken(keys.privateKey, round);
      for (const operation of OPERATIONS) {
        const head = [`POST ${path} HTTP/1.1`, 'host: warm-up', 'connection: close', `authorization: Bearer ${token}`];
        head.push('content-type: application/json', `content-length: ${operation.length}`);
        await ask(front, `${head.join('\r\n')}\r\n\r\n${operation}`, signal);
        // Liveness checks are answered in between.
        await yieldToEventLoop();
      }
    }
  } finally {
    front.stopLooking();
    // Drops open calls.
    void backends.close();
  }
}

/** @throws {Error} the answer is an error or comes too late */
async function ask(front: Front, request: string, signal: AbortSignal): Promise<void> {
  const [near, far] = duplexPair();
  addAbortSignal(signal, near);
  front.connect(far);
  near.write(request);
  const answer = await text(near);
  near.destroy();
  if (!/^HTTP\/1\.1 200 [^]*\r\n\r\n\{"data":/.test(answer)) throw new Error(`The answer is ${answer}`);
}

function createToken(key: KeyObject, number: number): Promise<string> {
  return new SignJWT({ preferred_username: 'warm-up', 'org:id': 'warm-up', region: 'warm-up', jti: String(number) })
    .setProtectedHeader({ alg: 'RS256', kid: 'warm-up' })
    .setIssuer(ISSUER)
    .setExpirationTime('1 minute')
    .sign(key);
}

/** Creates one server as all three backends; it does not listen. */
function backendsThatAnswer(publicKey: KeyObject): Server {
  const keys = [{ kid: 'warm-up', pem: publicKey.export({ type: 'spki', format: 'pem' }) }];
  const ids = Array.from({ length: PAGE }, (_, index) => index + 1);
  const fix = { lng: 0, speedKmh: 0, heading: 0, recordedAt: '2026-01-01T00:00:00Z' };
  const answers: Readonly<Record<string, object>> = {
    '/backend-api/v1/public-keys': { keys },
    '/backend-api/v1/login': { otpRequired: false, session: { accessToken: '', refreshToken: '', expiresIn: 60 } },
    '/backend-api/v1/tags': { items: [{ id: 1, name: '' }] },
    '/backend-api/v1/mobiles': {
      items: ids.map((id) => ({ id, num: '', name: '', tagIds: [1], position: { lat: id, ...fix } })),
      nextCursor: '1',
    },
    '/geo-api/v1/reverse-geocode': { addresses: ids.map(String) },
    '/voip-api/v1/presence': { items: ids.map((mobileId) => ({ mobileId, online: true, talkGroup: null })) },
  };
  return createServer(({ url = '' }, response) => {
    const [path = ''] = url.split('?');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[path]));
  });
}
