import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../../base/config/config.js';
import { loadConfig } from '../../base/config/load-config.js';
import { describeError } from '../../base/errors.js';
import { runWithArguments, UsageError } from '../process/read-arguments.js';
import { EXIT } from '../process/supported-node.js';
import type { CommandContext } from '../process/run-program.js';
import { copyDataDirectory, lookInto, type DataDirectory } from './copy-data-directory.js';

const HELP = `Copies DATA_DIR while a gateway runs on it: jobs, queue, reports, and the key of
jobs where it is kept there.

Usage:
  npm run backup -- DIRECTORY   makes this directory, which must not exist

To go on with the copy, start a gateway with DATA_DIR=DIRECTORY, or with what it
was copied to. deploy/backup.md says what is repeated or lost then, and how
Redis and a bucket are backed up, which DATA_DIR does not hold.

Settings come from the environment of the gateway: DATA_DIR, NODE_ENV, REDIS_*.
The copy holds what its DATA_DIR holds: protect it from other readers as well.

Options:
  --help, --version

Exit codes: 0 the copy is complete; 64 wrong usage; 74 it could not be made, and
nothing is left of it; 78 wrong configuration.`;

/** Reads the arguments and makes the copy. @returns the exit code */
export function runBackup(context: CommandContext): Promise<number> {
  const { print, progress, complain, signal } = context;
  const usage = { help: HELP, hint: 'See: npm run backup -- --help', max: 1 };
  return runWithArguments(context, usage, {}, async ({ positionals: [given] }) => {
    try {
      const to = readCopyTarget(given, context.directory);
      const { dataDir, redisUrl } = loadConfig(context.environment, 'jobs', (name) =>
        /^(NODE_ENV|DATA_DIR|REDIS_)/.test(name),
      );
      const found = lookInto(dataDir);
      // With Redis, jobs in DATA_DIR are left from an earlier configuration.
      const from = redisUrl === undefined ? found : { ...found, jobs: undefined };
      if (from.jobs === undefined && from.objects === undefined) throw nothingIn(dataDir);
      const { files, bytes } = await copyDataDirectory(from, { to, signal, onProgress: nowAndThen(progress) });
      print(describe(from, to, files, bytes));
      return EXIT.done;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UsageError || error instanceof ConfigError) throw error;
      complain(`No copy was made: ${describeError(error)}`);
      return EXIT.unwritten;
    }
  });
}

function readCopyTarget(given: string | undefined, directory: string): string {
  if (given === undefined) throw new UsageError('The directory to be made is missing.');
  const to = resolve(directory, given);
  if (existsSync(to)) throw new UsageError(`${given} exists already; a copy is made in a directory of its own.`);
  return to;
}

function nothingIn(dataDir: string): ConfigError {
  return new ConfigError([
    `DATA_DIR is ${resolve(dataDir)}, and holds neither jobs nor reports of the gateway. Set it as for the gateway. Redis ` +
      'and the bucket are backed up there: deploy/backup.md says how.',
  ]);
}

/** Interval of progress messages, in milliseconds. */
const EVERY_MS = 5_000;

/** Limits progress messages to one in {@link EVERY_MS}. */
function nowAndThen(progress: (line: string) => void): (done: number, total: number) => void {
  let shownAt = performance.now();
  return (done, total) => {
    if (performance.now() - shownAt < EVERY_MS) return;
    shownAt = performance.now();
    progress(`${done} of ${total} reports`);
  };
}

function describe(from: DataDirectory, to: string, files: number, bytes: number): string {
  const reports = `${files} ${files === 1 ? 'report' : 'reports'} (${(bytes / 1e6).toFixed(1)} MB)`;
  const parts = [
    from.jobs === undefined ? '' : 'jobs and queue',
    from.objects === undefined ? '' : reports,
    from.key === undefined ? '' : 'the key of jobs',
  ];
  const copied = `${to}: ${parts.filter(Boolean).join(', ')}.`;
  if (from.key !== undefined || from.jobs === undefined) return copied;
  return `${copied}\nKeep JOB_ENCRYPTION_KEY apart: waiting jobs cannot be read without it.`;
}
