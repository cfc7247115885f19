import type { Result } from 'ioredis';
import type { RedisClient } from '../redis/clients.js';
import * as scripts from './ledger-scripts.js';

/*
 * The scripts as commands of a client: their names and arguments.
 */

/** What every command starts with: the keys, and the job. */
type Target = [entry: string, queued: string, held: string, delayed: string, dead: string, job: string];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sqsBeginSending(...args: [...Target, maxMs: number, onlyDead: 0 | 1]): Result<unknown, Context>;
    sqsSent(
      ...args: [...Target, generation: number, acceptedAt: number, retentionMs: number]
    ): Result<unknown, Context>;
    sqsNotSent(...args: [...Target, generation: number, rememberMs: number]): Result<unknown, Context>;
    sqsTake(
      ...args: [
        ...Target,
        generation: number,
        attempts: number,
        acceptedAt: number,
        movedBack: 0 | 1,
        leaseMs: number,
        holder: string,
        retentionMs: number,
      ]
    ): Result<unknown, Context>;
    sqsKeep(...args: [...Target, holder: string, leaseMs: number]): Result<unknown, Context>;
    sqsPutOff(...args: [...Target, holder: string, delayMs: number, attemptsBack: 0 | 1]): Result<unknown, Context>;
    sqsDone(...args: [...Target, generation: number, rememberMs: number]): Result<unknown, Context>;
    sqsDie(
      ...args: [
        ...Target,
        generation: number,
        reason: string,
        attempts: number,
        body: string,
        retentionMs: number,
        unlessHeld: 0 | 1,
      ]
    ): Result<unknown, Context>;
    sqsForget(...args: Target): Result<unknown, Context>;
  }
}

const COMMANDS = {
  sqsBeginSending: scripts.BEGIN_SENDING,
  sqsSent: scripts.SENT,
  sqsNotSent: scripts.NOT_SENT,
  sqsTake: scripts.TAKE,
  sqsKeep: scripts.KEEP,
  sqsPutOff: scripts.PUT_OFF,
  sqsDone: scripts.DONE,
  sqsDie: scripts.DIE,
  sqsForget: scripts.FORGET,
} as const;

/** Teaches a client the commands that note what becomes of messages. */
export function defineLedgerCommands(client: RedisClient): void {
  for (const [name, lua] of Object.entries(COMMANDS)) client.defineCommand(name, { numberOfKeys: 5, lua });
}
