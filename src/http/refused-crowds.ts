import type { Logger } from '../logging/logger.js';
import { clientOf } from '../wire/client-address.js';

/** Interval of lines in milliseconds, and the least number of refusals in it that gets one. */
const [EVERY_MS, LEAST] = [60_000, 30];

/** Limit of clients that are counted, because their number is theirs to choose. */
const MAX_CLIENTS = 1_000;

/**
 * Names the client that had most of its requests refused, once a minute at most. Only the load balancer can stop it.
 *
 * @returns counts a refused request; `reason` is `shed` or the code of the error
 */
export function refusedCrowds(logger: Logger): (address: string, reason: string) => void {
  const crowds = new Map<string, { readonly address: string; readonly reason: string; requests: number }>();
  let of = 0;
  const tell = (): void => {
    const [largest] = [...crowds.values()].sort((one, other) => other.requests - one.requests);
    if (largest && largest.requests >= LEAST) logger.event('requests.refused_often', { ...largest, of });
    crowds.clear();
    of = 0;
  };
  return (given, reason) => {
    if (of === 0) setTimeout(tell, EVERY_MS).unref();
    of += 1;
    const address = clientOf(given);
    const crowd = crowds.get(`${reason} ${address}`);
    if (crowd !== undefined) crowd.requests += 1;
    else if (crowds.size < MAX_CLIENTS) crowds.set(`${reason} ${address}`, { address, reason, requests: 1 });
  };
}
