/**
 * Closes the output with one plain line that any program can read, after Jest's own summary; where `npm test` left
 * suites out, a line before says so.
 */
export default class ClosingLineReporter {
  #leavesOut;

  /** @param {import('@jest/reporters').Config.GlobalConfig} globalConfig */
  constructor({ filter, testPathPatterns, testNamePattern }) {
    this.#leavesOut = Boolean(filter) && !testPathPatterns.isSet() && !testNamePattern;
  }

  /** @param {unknown} _contexts @param {import('@jest/reporters').AggregatedResult} results */
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // Jest prints its summary to stderr when the run is complete; after the exit hook it is surely out.
    process.once('exit', () => {
      if (this.#leavesOut)
        process.stdout.write(
          'Left out: what needs Redis, S3, SQS or a browser, outages, load, and long suites. To run them too: npm run test:all\n',
        );
      process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`);
    });
  }
}
