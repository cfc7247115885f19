import { spawnSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { MAX_AHEAD_MS } from '../../../src/jobs/record/job-store.js';
import { START_COMMAND } from '../../support/start-command.js';
import type { BenchOptions } from './options.js';
import type { Stage } from './stage.js';

/** Where and how a run was made, a line each: figures mean little without. */
export function describeRun({ cores, redis }: Stage, { rounds, seconds, quick }: BenchOptions): string[] {
  const [processor] = cpus();
  const commit = commitOf('.');
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC${commit === undefined ? '' : `, commit ${commit}`}`,
    `${processor?.model ?? 'unknown processor'}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; Node.js ${process.version}, every server with \`${START_COMMAND.nodeOptions.join(' ')}\`, as in \`npm start\``,
    cores === undefined
      ? 'processes were not pinned to cores, because there is no `taskset` or only one core'
      : `servers on core ${cores.servers}; load generator, simulated backends${redis ? ' and Redis' : ''} on core ${cores.load}`,
    redis
      ? `jobs in Redis, which flushes each write (\`appendfsync always\`); progress of mobiles is flushed every ${MAX_AHEAD_MS} ms`
      : 'jobs in SQLite, because there is no `redis-server`',
    `${rounds} rounds of about ${seconds} s each${quick ? '' : ', each with new processes'}, and 32 connections; figures are medians, with the smallest and the largest round in parentheses`,
    ...(quick ? ['**a quick run, which shows only that the benchmark works; do not quote its figures**'] : []),
  ];
}

/** The commit of a checkout; undefined outside of one. */
export function commitOf(directory: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty'], {
    cwd: directory,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}
