/**
 * How the mutants of a folder are tried: by the suites that are about it, and as fast as suites can be run.
 *
 * @param folder below `src/`
 * @param testFiles suites, from the root of the project
 * @param files of the folder
 * @returns options of Stryker
 */
export function configOf(folder, testFiles, files = '**/*.ts') {
  const results = `coverage/mutation/${folder}`;
  return {
    mutate: [`src/${folder}/${files}`],
    testFiles,
    plugins: ['./test/mutation/in-process-runner.js'],
    testRunner: 'in-process',
    testRunnerNodeArgs: ['--import', 'tsx'],
    coverageAnalysis: 'perTest',
    ignorers: ['texts'],
    // A mutant of a constant would need every suite to be loaded anew.
    ignoreStatic: true,
    concurrency: 1,
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 20,
    ignorePatterns: ['/coverage', '/.data', '/dist', '/test/bench/results'],
    tempDirName: 'coverage/mutation/sandbox',
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    htmlReporter: { fileName: `${results}.html` },
    jsonReporter: { fileName: `${results}.json` },
    clearTextReporter: { reportTests: false, logTests: false },
    thresholds: { high: 95, low: 90, break: 85 },
  };
}
