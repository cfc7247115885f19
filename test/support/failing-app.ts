import { loadConfig } from '../../src/base/config/load-config.js';
import { AnswerHeaders } from '../../src/gateway/http/answer-headers.js';
import { dependencyChecks } from '../../src/gateway/http/dependency-checks.js';
import type { HttpAppOptions } from '../../src/gateway/http/koa-app.js';
import type { Acceptance, Job } from '../../src/jobs/job.js';
import { JOB_KINDS, type JobKind } from '../../src/jobs/record/job-kinds.js';
import { createRoutes, type RouteParts } from '../../src/programs/app/routes.js';
import type { Logger } from '../../src/base/logging/logger.js';

/** The key of callbacks. */
export const FAILING_APP_KEY = 'callback-key-of-the-tests';

const WELL = { ping: () => Promise.resolve(), write: () => Promise.resolve(), isInDoubt: () => false };

/**
 * Options of an HTTP application, under `/base`, in which the work of every route is reached and fails.
 *
 * @param changes of the parts that answer
 */
export function failingApp(logger: Logger, error: Error, changes: Partial<RouteParts> = {}): HttpAppOptions {
  const broken = (): Promise<never> => Promise.reject(error);
  const answerHeaders = new AnswerHeaders([], () => changes.phase?.() === 'DRAINING');
  const routes = createRoutes({
    config: loadConfig({
      BASE_PATH: '/base',
      CORS_ORIGINS: 'https://front.example.com',
      PUBLISH_SCHEMA: 'false',
      TASK_CALLBACK_API_KEY: FAILING_APP_KEY,
      CALLBACK_MAX_BODY_BYTES: '1000',
    }),
    answerHeaders,
    graphql: { answer: broken },
    keys: { fetchKeys: broken, candidates: broken },
    jobs: JOB_KINDS.map((kind) => failingJob(kind, error)),
    runner: {
      look: () => Promise.resolve({ waitMs: 0, runningMs: 0, isOrdered: true }),
      isExclusive: false,
      handle: broken,
    },
    replayMemory: { remember: broken },
    findDependencies: dependencyChecks({
      probes: {
        'geo-api': () => Promise.resolve(),
        'backend-api': () => Promise.resolve(),
        'voip-api': () => Promise.resolve(),
      },
      storeProbes: { 'job-store': WELL, queue: WELL, 'object-store': WELL },
      sharedMs: 0,
    }),
    phase: () => 'OK',
    sharedAnswerMs: 0,
    signedObjects: { openSigned: broken },
    playgroundLogin: undefined,
    onKeyUsed: undefined,
    ...changes,
  });
  return { logger, trustedProxies: 0, hosts: undefined, onUnknownPath: [], basePath: '/base', answerHeaders, routes };
}

/** A job that takes any body, and cannot be done. */
export function failingJob(kind: JobKind, error: Error, changes: Partial<Job> = {}): RouteParts['jobs'][number] {
  const run = (): Promise<never> => Promise.reject(error);
  const accept = (): Acceptance => ({ kind: 'work', work: { total: 0, resumes: false, run } });
  return { kind, administratorsOnly: false, itemsAt: [], accept, ...changes };
}
