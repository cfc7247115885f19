import { ServiceUnavailableError } from '../../errors.js';
import type { RedisConnection } from './connection.js';

/** Written and removed by the check, in the slot of the queue. */
const PROBE_KEY = '{gateway}:check';
const MIN_VERSION = 7;

/**
 * Checks at start-up that Redis can be used.
 *
 * @returns one line per fault, with what to change; empty when all is well
 */
export async function checkRedis(redis: RedisConnection): Promise<readonly string[]> {
  try {
    await redis.ready();
    const settings = parseInfo(await redis.run(() => redis.client.info()));
    const faults = faultsOf(settings);
    await redis.run(() => redis.client.set(PROBE_KEY, '', 'PX', 1));
    return faults;
  } catch (error) {
    const cause = error instanceof ServiceUnavailableError ? error.cause : undefined;
    if (cause instanceof Error) return [cause.message];
    throw error;
  }
}

function faultsOf(settings: ReadonlyMap<string, string>): string[] {
  const version = settings.get('redis_version') ?? '';
  const policy = settings.get('maxmemory_policy') ?? 'noeviction';
  const faults: string[] = [];
  if (Number.parseInt(version, 10) < MIN_VERSION) {
    faults.push(`Redis ${MIN_VERSION} or newer is needed, and this is ${version}.`);
  }
  if (policy !== 'noeviction') {
    faults.push(`Redis may throw jobs away. Set maxmemory-policy to noeviction; it is ${policy}.`);
  }
  return faults;
}

/** Lines of `name:value`, as the command INFO returns them. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split(/\r?\n/)
      .filter((line) => line.includes(':'))
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1)] as const;
      }),
  );
}
