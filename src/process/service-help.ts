import type { Program } from '../config/config.js';

/** A program that runs until it is told to stop. */
export type Service = Exclude<Program, 'jobs'>;

const OPTIONS = `Options:
  --check-config   check the configuration and ask the stores it names; nothing
                   is started
  --help           this text
  --version        the version

All settings come from the environment; deploy/configuration.md lists them.
SIGTERM and SIGINT stop it in order, a second one at once.

Exit codes: 0 done; 1 it could not start, or something was left undone when it
stopped; 64 wrong usage; 78 wrong configuration.
`;

/** What each service says of itself. */
export const SERVICE_HELP: Readonly<Record<Service, string>> = {
  gateway: `The gateway: GraphQL, the callbacks of jobs, health checks. Without any setting
it starts in development, with simulated backends.

Usage: node dist/main.js [--check-config]

${OPTIONS}`,
  'queue-function': `The queue function: takes jobs from the queue in Redis and calls the gateway's
callbacks.

Usage: node dist/queue-function.js [--check-config]

${OPTIONS}`,
};
