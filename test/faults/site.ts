import { createLogger } from '../../src/logging/logger.js';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { BACKEND_KEY, backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { startRadosgw, type Radosgw } from '../support/radosgw.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { Fleet } from './fleet.js';
import { SAME_FOR_ALL_DAY } from './orders.js';

/** Bucket of the reports. */
export const BUCKET = 'reports';

/** Two gateways, two queue functions and everything that they need. */
export interface Site {
  readonly sandbox: Sandbox;
  readonly redis: RedisServer;
  readonly s3: Radosgw;
  /** The way to the S3 server, download links included. */
  readonly s3Line: TcpProxy;
  readonly fleet: Fleet;
  /** An `Authorization` header that is valid now. */
  readonly bearer: (overrides: Parameters<Sandbox['mintToken']>[0]) => Promise<string>;
  /** Ends whatever still runs. */
  close(): Promise<void>;
}

/** One more than all that goes wrong in a round can cost a message. */
const ATTEMPTS = '6';

/** Nobody can log in with it: backend-api fails over it, and over nothing else. */
export const POISON = 'poison';

/** How long backends take over an item of a job, so that jobs last as long as they do elsewhere. */
const ITEM_MS = 30;
const ITEM_OPERATIONS = new Set<string | undefined>([
  'createUserAccount',
  'updateUserAccount',
  'deleteUserAccount',
  'updateMobile',
  'getDrivingRecord',
]);

/** Starts all of it on loopback. */
export async function startSite(): Promise<Site> {
  const logger = createLogger({ level: 'silent', pretty: false });
  const [programs, redis, s3, sandbox] = await Promise.all([
    BuiltPrograms.open(),
    startRedis({ port: 'tcp', appendOnly: true }),
    startRadosgw(),
    startSandbox({ logger, backendApiKey: BACKEND_KEY }),
  ]);
  await s3.createBucket(BUCKET);
  const s3Line = await startTcpProxy(Number(new URL(s3.endpoint).port));
  await makeBackendsOrdinary(sandbox);
  const shared = { ...PRODUCTION_ENVIRONMENT, REDIS_URL: redis.url, QUEUE_MAX_ATTEMPTS: ATTEMPTS };
  const fleet = await Fleet.start(programs, {
    queueFunction: shared,
    gateway: {
      ...shared,
      ...backendEnvironment(sandbox),
      // What is waited for after every kill, and what a slow backend is held against.
      JOB_LEASE_SECONDS: '3',
      // Visitors come from many addresses.
      TRUSTED_PROXIES: '1',
      BACKEND_TIMEOUT_SECONDS: '2',
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: `http://127.0.0.1:${s3Line.port}`,
      S3_REGION: s3.region,
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    },
  });
  return {
    sandbox,
    redis,
    s3,
    s3Line,
    fleet,
    bearer: async (overrides) => `Bearer ${await sandbox.mintToken(overrides)}`,
    async close() {
      await programs.close();
      await fleet.roundRobin.close();
      await s3Line.close();
      await sandbox.close();
      await Promise.all([redis.stop(), s3.stop()]);
    },
  };
}

/** Has twelve trips on the day whose record everybody gets. */
const BUSY_MOBILE = 120;

/** Whatever is set later goes before this. */
async function makeBackendsOrdinary({ faults, backendApiUrl }: Sandbox): Promise<void> {
  faults.set({
    match: ({ operation }) => ITEM_OPERATIONS.has(operation),
    fault: { kind: 'slow', milliseconds: ITEM_MS, stage: 'reply' },
  });
  faults.set({ operation: 'login', loginId: POISON, fault: { kind: 'status', status: 500 } });
  const query = new URLSearchParams({ from: '2026-11-19T00:00:00+09:00', to: '2026-11-20T00:00:00+09:00' });
  const response = await fetch(`${backendApiUrl}/v1/mobiles/${BUSY_MOBILE}/driving-record?${query.toString()}`, {
    headers: { 'x-api-key': BACKEND_KEY, 'x-org-id': 'acme' },
  });
  faults.set({
    operation: 'getDrivingRecord',
    match: ({ query: { from } }) => typeof from === 'string' && from.startsWith(SAME_FOR_ALL_DAY),
    fault: { kind: 'status', status: 200, body: await response.json() },
  });
}
