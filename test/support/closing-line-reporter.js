/**
 * Closes the output with one plain line that any program can read, after Jest's own summary; where `npm test` left
 * suites out, a line before says so.
 */
export default class ClosingLineReporter {
  #selects;

  /** @param {import('@jest/reporters').Config.GlobalConfig} globalConfig */
  constructor({ testPathPatterns, testNamePattern }) {
    this.#selects = testPathPatterns.isSet() || Boolean(testNamePattern);
  }

  /** @param {ReadonlySet<import('@jest/reporters').TestContext>} contexts @param {import('@jest/reporters').AggregatedResult} results */
  onRunComplete(contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const isQuick = !this.#selects && [...contexts].every(({ config }) => config.displayName?.name === 'quick');
    // Jest prints its summary to stderr when the run is complete; after the exit hook it is surely out.
    process.once('exit', () => {
      if (isQuick)
        process.stdout.write(
          'Left out: what needs Redis, S3, SQS or a browser, outages, load, and long suites. To run them too: npm run test:all\n',
        );
      process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`);
    });
  }
}
