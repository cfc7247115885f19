/** A program that listens for signals and names a step that it could not end. */
import { runService } from '../../../../src/programs/process/service.js';

await runService('queue-function', ({ print }) => {
  const alive = setInterval(() => undefined, 60_000);
  print('started\n');
  return Promise.resolve({
    close: () => {
      alive.unref();
      return Promise.resolve(['object store']);
    },
  });
});
