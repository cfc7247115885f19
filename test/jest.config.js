import { availableParallelism } from 'node:os';

/** Suites of `npm test`, below `test/`: single parts, what they promise each other, and the whole gateway in short. */
const QUICK = [
  'unit/**/*',
  'contract/**/*',
  'integration/{specification,same-answer}',
  'property/{execution,job-store-on-sqlite}',
  'security/every-operation',
  'faults/killed-gateways-sqlite',
];

/**
 * Those among them that only `npm run test:all` runs. A suite that uses a program which Node.js does not bring has to
 * be named here, which `test/contract/what-npm-test-runs.test.ts` sees to; one that takes ten seconds of a processor
 * should be.
 */
const NOT_QUICK = [
  // redis-server, radosgw, fauxqs, openssl, promtool
  'contract/{bullmq,redis,s3,sqs}-*',
  'contract/{alerts,attempt-counter,body-store,one-slot,replay-memory}',
  // qpdf, pdftotext
  'unit/reports/{names,paper,pictures,report-preview,scripts,tags}',
  // mount
  'unit/engines/*-database',
  // the import rules and the compiler on copies of the code
  'contract/{asked-by-the-compiler,authenticated-context,import-rules}',
  // long
  'unit/reports/{bad-data,corpus,counted-trips,figures,geometry,renderer,report-pages,turns}',
];

const suites = (/** @type {readonly string[]} */ names) => names.map((name) => `**/test/${name}.test.ts`);
const except = (/** @type {readonly string[]} */ names) => suites(names).map((glob) => `!${glob}`);

/** ESM through ts-jest; types are checked by `tsc`, not here. */
const HOW = {
  rootDir: '.',
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/tsconfig.json' }] },
  setupFilesAfterEnv: ['<rootDir>/test/support/loopback-only.ts', '<rootDir>/test/support/backend-contracts.ts'],
};

/** @type {import('jest').Config} */
export default {
  rootDir: '..',
  projects: [
    { ...HOW, displayName: 'quick', testMatch: [...suites(QUICK), ...except(NOT_QUICK)] },
    { ...HOW, displayName: 'rest', testMatch: [...suites(['**/*']), ...except(QUICK), ...suites(NOT_QUICK)] },
  ],
  testSequencer: '<rootDir>/test/support/long-suites-first.js',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
  // Most suites wait for other processes most of the time.
  maxWorkers: 2 * availableParallelism(),
  // Each suite leaves some 25 MB behind in its worker, which gets slower with them; a new one starts in two seconds.
  workerIdleMemoryLimit: '500MB',
  testTimeout: 240_000,
};
