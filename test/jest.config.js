import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // ESM through ts-jest; types are checked by `tsc`, not here.
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/tsconfig.json' }] },
  setupFilesAfterEnv: ['loopback-only', 'backend-contracts', 'own-variables'].map(
    (name) => `<rootDir>/test/support/${name}.ts`,
  ),
  testSequencer: '<rootDir>/test/support/long-suites-first.js',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
  // Most suites wait for other processes most of the time.
  maxWorkers: 2 * availableParallelism(),
  // Each suite leaves some 25 MB behind in its worker, which gets slower with them; a new one starts in two seconds.
  workerIdleMemoryLimit: '500MB',
  testTimeout: 240_000,
};
