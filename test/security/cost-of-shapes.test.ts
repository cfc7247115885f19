/** No shape of a request or of a backend's reply costs much more processor time than its size explains. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('no shape costs more than 3 times the parsing of its text, twice a plain request of its size, or four plain drivers', async () => {
  const script = ['--import', 'tsx', 'test/bench/shapes.ts'];
  const env = { ...process.env, JEST_WORKER_ID: undefined };
  const { stdout } = await promisify(execFile)(process.execPath, script, { timeout: 280_000, env }).catch(
    (error: unknown) => error as { readonly stdout: string }, // of a script that ended with 1
  );
  process.stderr.write(stdout);
  expect(stdout.match(/\n/g)?.length).toBeGreaterThan(35);
  expect(stdout.split('\n').filter((line) => line.endsWith('too much'))).toEqual([]);
});
