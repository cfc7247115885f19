import { DependencyChecks } from '../../src/gateway/http/dependency-checks.js';
import type { HttpAppOptions } from '../../src/gateway/http/koa-app.js';
import type { Job } from '../../src/jobs/job.js';
import { JOB_KINDS, type JobKind } from '../../src/jobs/record/job-kinds.js';
import type { Logger } from '../../src/base/logging/logger.js';

/** The key of callbacks. */
export const FAILING_APP_KEY = 'callback-key-of-the-tests';

const WELL = { ping: () => Promise.resolve(), write: () => Promise.resolve(), isInDoubt: () => false };

/**
 * Options of an HTTP application, under `/base`, in which the work of every route is reached and fails.
 *
 * @param changes what is different
 */
export function failingApp(logger: Logger, error: Error, changes: Partial<HttpAppOptions> = {}): HttpAppOptions {
  const broken = (): Promise<never> => Promise.reject(error);
  return {
    logger,
    trustedProxies: 0,
    hosts: undefined,
    headers: [],
    basePath: '/base',
    graphql: { answer: broken },
    allowedOrigins: { origins: ['https://front.example.com'], loopback: false },
    publishesSchema: false,
    keys: { fetchKeys: broken, candidates: broken },
    jobs: JOB_KINDS.map((kind) => failingJob(kind, error)),
    runner: {
      waitMs: () => Promise.resolve(0),
      isExclusive: false,
      runningMs: () => Promise.resolve(0),
      isOrdered: () => Promise.resolve(true),
      handle: broken,
    },
    callbackKeys: [FAILING_APP_KEY],
    callbackSigning: undefined,
    orderedOnly: false,
    callbackBodyLimit: 1_000,
    dependencies: new DependencyChecks({
      probes: {
        'geo-api': () => Promise.resolve(),
        'backend-api': () => Promise.resolve(),
        'voip-api': () => Promise.resolve(),
      },
      storeProbes: { 'job-store': WELL, queue: WELL, 'object-store': WELL },
      sharedMs: 0,
    }),
    phase: () => 'OK' as const,
    sharedAnswerMs: 0,
    signedObjects: { openSigned: broken },
    playground: undefined,
    ...changes,
  };
}

/** A job that takes any body, and cannot be done. */
export function failingJob(kind: JobKind, error: Error, changes: Partial<Job> = {}): Job {
  const run = (): Promise<never> => Promise.reject(error);
  return { kind, itemsAt: [], accept: () => ({ kind: 'work', work: { total: 0, resumes: false, run } }), ...changes };
}
