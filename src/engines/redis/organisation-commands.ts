import type { Result } from 'ioredis';
import type { RedisClient } from './clients.js';
import * as scripts from './organisation-scripts.js';

/*
 * The scripts as commands of a client: their names and arguments, of which the keys come first and then, as a rule,
 * milliseconds added to the server's time.
 */

declare module 'ioredis' {
  interface RedisCommander<Context> {
    orgOpen(
      ...args: [
        open: string,
        sizes: string,
        offsetMs: number,
        job: string,
        bytes: number,
        maxJobs: number,
        maxBytes: number,
        retentionMs: number,
      ]
    ): Result<unknown, Context>;
    orgIndex(
      ...args: [index: string, offsetMs: number, job: string, createdAt: number, retentionMs: number]
    ): Result<unknown, Context>;
    orgRun(
      ...args: [
        running: string,
        leases: string,
        offsetMs: number,
        job: string,
        leaseMs: number,
        max: number,
        retentionMs: number,
      ]
    ): Result<unknown, Context>;
    orgLeave(
      ...args: [
        running: string,
        leases: string,
        open: string,
        sizes: string,
        offsetMs: number,
        job: string,
        ended: 0 | 1,
      ]
    ): Result<unknown, Context>;
    orgLook(
      ...args: [running: string, leases: string, open: string, offsetMs: number, job: string]
    ): Result<unknown, Context>;
    orgSurplus(...args: [running: string, leases: string, offsetMs: number, max: number]): Result<unknown, Context>;
    orgOpenJobs(...args: [open: string, offsetMs: number]): Result<unknown, Context>;
    orgHasWork(
      ...args: [organisations: string, at: number, organisation: string, retentionMs: number]
    ): Result<unknown, Context>;
    orgHasNone(
      ...args: [organisations: string, offsetMs: number, organisation: string, seenAt: number]
    ): Result<unknown, Context>;
  }
}

const COMMANDS = {
  orgOpen: [2, scripts.OPEN],
  orgIndex: [1, scripts.INDEX],
  orgRun: [2, scripts.RUN],
  orgLeave: [4, scripts.LEAVE],
  orgLook: [3, scripts.LOOK],
  orgSurplus: [2, scripts.SURPLUS],
  orgOpenJobs: [1, scripts.OPEN_JOBS],
  orgHasWork: [1, scripts.HAS_WORK],
  orgHasNone: [1, scripts.HAS_NONE],
} as const;

/** Teaches a client the commands that count the jobs of organisations. */
export function defineOrganisationCommands(client: RedisClient): void {
  for (const [name, [numberOfKeys, lua]] of Object.entries(COMMANDS)) client.defineCommand(name, { numberOfKeys, lua });
}
