const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Larger than every offset there ever was. */
const MAX_OFFSET = 16 * HOUR;
/** Maximum cached offsets: more than the minutes that a report prints. */
const MAX_KEPT = 20_000;

/** Returns the minutes east of UTC that hold at an epoch time. */
export type OffsetAt = (epoch: number) => number;

/** Zones in use, of which a gateway has one: opening their data takes milliseconds. */
const zones = new Map<string, OffsetAt>();

/**
 * Returns the offsets of a time zone, in whole minutes: seconds of local mean times are left out.
 *
 * @param name of the IANA Time Zone Database
 * @throws {RangeError} if the name is unknown
 */
export function offsetsIn(name: string): OffsetAt {
  let offsetAt = zones.get(name);
  if (offsetAt === undefined) zones.set(name, (offsetAt = offsetsOf(name)));
  return offsetAt;
}

function offsetsOf(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const kept = new Map<number, number>();
  return (epoch) => {
    const minute = Math.floor(epoch / MINUTE);
    let offset = kept.get(minute);
    if (offset === undefined) {
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(minute, (offset = readOffset(format, minute * MINUTE)));
    }
    return offset;
  };
}

/** Returns the moments after `from` and before `to` from which another offset holds than in the minute before. */
export function changesBetween(offsetAt: OffsetAt, from: number, to: number): readonly number[] {
  const changes: number[] = [];
  for (let hour = from; hour < to; hour += HOUR) {
    const next = Math.min(hour + HOUR, to - MINUTE);
    const offset = offsetAt(next);
    if (offset !== offsetAt(hour)) changes.push(firstMinute(hour, next, (minute) => offsetAt(minute) === offset));
  }
  return changes;
}

/**
 * Returns the first moment of a day by the clocks of a zone, which may be 01:00 where they are put forward at midnight.
 *
 * @param midnight of the same day in UTC
 */
export function startOfDay(offsetAt: OffsetAt, midnight: number): number {
  const isReached = (epoch: number): boolean => epoch + offsetAt(epoch) * MINUTE >= midnight;
  let hour = midnight - MAX_OFFSET;
  while (!isReached(hour)) hour += HOUR;
  return firstMinute(hour - HOUR, hour, isReached);
}

/** Returns the first minute after `from`, and `to` at the latest, of which something is true. */
function firstMinute(from: number, to: number, isTrue: (minute: number) => boolean): number {
  for (let minute = from + MINUTE; minute < to; minute += MINUTE) if (isTrue(minute)) return minute;
  return to;
}

/** Reads `GMT+09:00`, or `GMT` of UTC. */
function readOffset(format: Intl.DateTimeFormat, epoch: number): number {
  const name = format.formatToParts(epoch).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}
