/** Closes the output with one plain line that any program can read, after Jest's own summary. */
export default class ClosingLineReporter {
  /** @param {unknown} _contexts @param {import('@jest/reporters').AggregatedResult} results */
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    // Jest prints its summary to stderr when the run is complete; after the exit hook it is surely out.
    process.once('exit', () => {
      process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`);
    });
  }
}
