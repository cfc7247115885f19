/** A program that listens for signals and names a step that it could not end. */
import { runProgram } from '../../../../src/programs/process/run-program.js';

await runProgram('queue-function', ({ print }) => {
  const alive = setInterval(() => undefined, 60_000);
  print('started\n');
  return Promise.resolve({
    close: () => {
      alive.unref();
      return Promise.resolve(['object store']);
    },
  });
});
