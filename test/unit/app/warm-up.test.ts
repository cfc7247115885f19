/** Warming up leaves the parts that others use unchanged. */
import { describe, expect, it } from '@jest/globals';
import type { FrontOptions } from '../../../src/app/front.js';
import { prepareWarmUp } from '../../../src/app/warm-up.js';
import { loadConfig } from '../../../src/config/config.js';
import { createJobTable, type JobTableOptions } from '../../../src/jobs/job-table.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { PRODUCTION_ENVIRONMENT } from '../../support/gateway.js';

const CONFIG = loadConfig({
  ...PRODUCTION_ENVIRONMENT,
  BACKEND_API_URL: 'http://backend.test',
  GEO_API_URL: 'http://backend.test',
  VOIP_API_URL: 'http://backend.test',
  BACKEND_API_KEY: 'backend-key-of-the-tests',
  TOKEN_ISSUSERS: 'https://issuer.test',
  DATA_DIR: '/nowhere',
  // Its own operations are larger.
  GRAPHQL_MAX_DEPTH: '1',
  GRAPHQL_MAX_TOKENS: '3',
});

const BUSY_MACHINE_MS = 240_000;

/** Parts of a gateway, and what was used of them. */
function partsOf({ logger }: CapturedLog): { readonly options: FrontOptions; readonly used: readonly string[] } {
  const used: string[] = [];
  const part = (name: string): never =>
    // Stands for every part, because warming up may use none of them.
    new Proxy(() => undefined, {
      get: (_part, member) => part(`${name}.${String(member)}`),
      apply: () => used.push(name),
    }) as never;
  const names = ['attemptLimits', 'backendApi', 'geoApi', 'jobCancel', 'jobList', 'jobStarter', 'jobStatus'];
  const options: FrontOptions = {
    config: CONFIG,
    logger,
    observer: part('observer'),
    services: {
      ...(Object.fromEntries([...names, 'objectStore', 'voipApi'].map((name) => [name, part(name)])) as object as Omit<
        FrontOptions['services'],
        'jobs' | 'allowTestOtp' | 'version'
      >),
      jobs: createJobTable({} as JobTableOptions), // nothing is run
      allowTestOtp: false,
      version: '1',
    },
    issuers: CONFIG.tokenIssuers ?? [],
    persistedOperations: { documents: new Map(), only: true },
    runner: {
      handle: part('handle'),
      waitMs: part('waitMs'),
      isReserved: false,
      runningMs: part('runningMs'),
      drain: part('drain'),
      running: 0,
      progressedAt: -Infinity,
    },
    callbackSigning: undefined,
    dependencies: part('dependencies'),
    isDraining: () => false,
    isWarm: () => false,
    sharedAnswerMs: 0,
    signedObjects: undefined,
    playground: undefined,
    onRefused: part('onRefused'),
  };
  return { options, used };
}

describe('warming up', () => {
  it('asks nothing of backends, stores, counters of attempts and observers that others use, whatever the limits are', async () => {
    const log = captureLog();
    const { options, used } = partsOf(log);
    await prepareWarmUp(options, BUSY_MACHINE_MS)();
    expect([log.text(), used]).toEqual(['', []]);
  });

  it('lets the event loop turn between operations, so that others are heard', async () => {
    const warmUp = prepareWarmUp(partsOf(captureLog()).options, BUSY_MACHINE_MS);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    await warmUp();
    clearInterval(counting);
    expect(turns).toBeGreaterThan(50);
  });

  it('is not in the way of the gateway when it fails, and says so', async () => {
    const log = captureLog();
    const { options } = partsOf(log);
    await prepareWarmUp({ ...options, services: { ...options.services, jobs: {} as never } })();
    expect(JSON.parse(log.text())).toMatchObject({ level: 'warn', event: 'gateway.not_warmed', err: { message: /./ } });
  });

  it('ends when it takes too long, and says so', async () => {
    const log = captureLog();
    await prepareWarmUp(partsOf(log).options, 1)();
    expect(JSON.parse(log.text())).toMatchObject({ event: 'gateway.not_warmed', err: { code: 'ABORT_ERR' } });
  });
});
