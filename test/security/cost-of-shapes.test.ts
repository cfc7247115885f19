/** No shape of a request or of a backend's reply costs much more processor time than its size explains. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { describeWith } from '../support/system-tools.js';

/** Runs a benchmark that marks what costs too much. @returns its lines */
async function linesOf(...args: readonly string[]): Promise<readonly string[]> {
  const env = { ...process.env, JEST_WORKER_ID: undefined };
  const options = { timeout: 280_000, env };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', ...args], options).catch(
    (error: unknown) => error as { readonly stdout: string }, // of a script that ended with 1
  );
  process.stderr.write(stdout);
  return stdout.trimEnd().split('\n');
}

const isTooMuch = (line: string): boolean => line.endsWith('too much');

it('no shape costs more than 3 times the parsing of its text, twice a plain request of its size, or four plain drivers', async () => {
  const lines = await linesOf('test/bench/shapes.ts');
  expect(lines.length).toBeGreaterThan(35);
  expect(lines.filter(isTooMuch)).toEqual([]);
});

describeWith(['redis-server'], 'The dearest operations', () => {
  it('cost the main thread 300 ms at most', async () => {
    const lines = await linesOf('test/bench/operations.ts', '--check');
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter(isTooMuch)).toEqual([]);
  });
});
