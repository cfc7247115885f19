import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import { ROOT } from './built-programs.js';

/**
 * Expects the command of `deploy/log-events.md` to print the lines of a job in the order of time, from two files of
 * which the first one holds the last line.
 */
export function expectToBeFollowed(jobId: string, log: string): void {
  const page = readFileSync(path.join(ROOT, 'deploy/log-events.md'), 'utf8');
  const [command = ''] = /^grep -h JOB_ID .+$/m.exec(page) ?? [];
  const lines = log.split('\n');
  const logged = lines.filter((line) => line.includes(jobId));
  const last = lines.lastIndexOf(logged.at(-1) ?? '');
  const directory = mkdtempSync(path.join(tmpdir(), 'logs-of-a-job-'));
  try {
    writeFileSync(path.join(directory, 'a.log'), lines.slice(last).join('\n'));
    writeFileSync(path.join(directory, 'b.log'), `${lines.slice(0, last).join('\n')}\n`);
    const printed = execFileSync('sh', ['-c', command.replace('JOB_ID', jobId)], { cwd: directory, encoding: 'utf8' });
    const followed = printed.trimEnd().split('\n');
    expect(logged.length).toBeGreaterThan(1);
    expect(followed.toSorted()).toEqual(logged.toSorted());
    // The order within a millisecond is that of the files.
    expect(followed.map(timeOf)).toEqual(logged.map(timeOf));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function timeOf(line: string): string | undefined {
  return /"time":\d{13}|^\[[\d.: -]+\]/.exec(line)?.[0];
}
