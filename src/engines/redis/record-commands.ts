import type { Result } from 'ioredis';
import type { RedisClient } from './clients.js';
import * as scripts from './record-scripts.js';

/*
 * The scripts as commands of a client: their names and arguments. ioredis sends each once and then calls it
 * by its hash.
 */

/** What every command starts with: keys of the record and of its items, milliseconds added to the server's time. */
type Target = [record: string, items: string, offsetMs: number];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    jobRead(...args: Target): Result<unknown, Context>;
    jobReadItems(...args: Target): Result<unknown, Context>;
    jobEnqueue(
      ...args: [...Target, total: number, fingerprint: string, retentionMs: number, orderedBy: string]
    ): Result<unknown, Context>;
    jobClaim(
      ...args: [
        ...Target,
        total: number,
        leaseMs: number,
        retentionMs: number,
        nonce: string,
        ...fingerprints: string[],
      ]
    ): Result<unknown, Context>;
    jobRenew(...args: [...Target, fencingToken: string, leaseMs: number]): Result<unknown, Context>;
    jobCheckpoint(
      ...args: [
        ...Target,
        fencingToken: string,
        done: number,
        checkpoint: string,
        repeatable: 0 | 1,
        ...items: string[],
      ]
    ): Result<unknown, Context>;
    jobFinish(
      ...args: [...Target, fencingToken: string, status: number, body: string, failedItems: string, warnings: string]
    ): Result<unknown, Context>;
    jobRelease(...args: [...Target, fencingToken: string]): Result<unknown, Context>;
    jobCancel(...args: [...Target, attempt: number, body: string, failedItems: string]): Result<unknown, Context>;
    jobWait(...args: [...Target, reason: string]): Result<unknown, Context>;
    jobFail(
      ...args: [
        ...Target,
        total: number,
        fingerprint: string,
        retentionMs: number,
        status: number,
        body: string,
        orderedBy: string,
      ]
    ): Result<unknown, Context>;
  }
}

const COMMANDS = {
  jobRead: scripts.READ,
  jobReadItems: scripts.READ_ITEMS,
  jobEnqueue: scripts.ENQUEUE,
  jobClaim: scripts.CLAIM,
  jobRenew: scripts.RENEW,
  jobCheckpoint: scripts.CHECKPOINT,
  jobFinish: scripts.FINISH,
  jobRelease: scripts.RELEASE,
  jobFail: scripts.FAIL,
  jobCancel: scripts.CANCEL,
  jobWait: scripts.WAIT,
} as const;

/** Teaches a client the commands that read and change records. */
export function defineRecordCommands(client: RedisClient): void {
  for (const [name, lua] of Object.entries(COMMANDS)) client.defineCommand(name, { numberOfKeys: 2, lua });
}
