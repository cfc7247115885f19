import { KEY_PREFIX } from '../../../src/engines/redis/script.js';
import { waitFor } from '../../support/wait-for.js';
import type { Site } from './site.js';

/** A mark among the commands, so that it is known when the last of them has been told. */
const END = 'capacity:end-of-sample';

/**
 * Which part of the commands that Redis runs meanwhile is on keys of the queue, those inside scripts included
 * (`MONITOR`, which costs Redis so much that nothing else is measured beside it).
 *
 * @returns from 0 to 1
 */
export async function shareOfQueue({ redis, settled }: Site, run: () => Promise<unknown>): Promise<number> {
  const monitor = await redis.monitor();
  let [all, ofQueue, ended] = [0, 0, false];
  monitor.on('monitor', (_time: string, args: readonly string[]) => {
    if (args.includes(END)) ended = true;
    else if (!ended) {
      all += 1;
      if (args.some((argument) => argument.startsWith(KEY_PREFIX))) ofQueue += 1;
    }
  });
  try {
    await run();
    await settled();
    await redis.exists(END);
    await waitFor('the last command to be told', () => ended);
  } finally {
    monitor.disconnect();
  }
  return all === 0 ? 0 : ofQueue / all;
}
