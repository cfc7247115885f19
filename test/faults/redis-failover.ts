import { afterAll, beforeAll, it } from '@jest/globals';
import { RedisSite } from './redis-site.js';

/** Servers one of which can be killed. */
export interface FailingServers {
  readonly url: string;
  /** Kills one that jobs lie in, and resolves when another one has taken its place. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

/** Orders that are there when a server fails. */
const ORDERS = 5;

export const STARTUP_MS = 240_000;
/** Long enough on a busy machine. */
export const LIMIT_MS = 240_000;

/**
 * Registers, within the `describe` of the caller, the test of a server that is killed while jobs run.
 *
 * @returns the site, for further tests
 */
export function survivesFailover(open: () => Promise<FailingServers>): () => RedisSite {
  let servers: FailingServers;
  let site: RedisSite;

  beforeAll(async () => {
    servers = await open();
    site = await RedisSite.start(servers.url);
  }, STARTUP_MS);

  afterAll(async () => {
    await site.close();
    await servers.stop();
  }, STARTUP_MS);

  it(
    'whose server with the queue is killed in the middle of jobs does all that was accepted, each item once',
    async () => {
      for (let count = 0; count < ORDERS; count += 1) await site.order();
      await site.created(5);
      const failing = servers.failOver();
      // Accepted while nobody serves, or when somebody does again.
      const meanwhile = site.order();
      await failing;
      await meanwhile;
      await site.order();
      await site.expectAllDoneOnce();
    },
    LIMIT_MS,
  );

  return () => site;
}
