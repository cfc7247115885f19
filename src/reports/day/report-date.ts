import { LRUCache } from 'lru-cache';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Maximum cached offsets: more than the minutes that a report prints. */
const MAX_KEPT = 20_000;

/** Returns the minutes east of UTC that hold at an epoch time. */
type OffsetAt = (epoch: number) => number;

/** Zones by name, of which the configuration has one: loading the data of a zone takes milliseconds. */
const zones = new Map<string, OffsetAt>();

/**
 * Returns the offsets of a zone of the IANA Time Zone Database, in whole minutes: seconds of local mean times are left
 * out. @throws {RangeError} if the name is unknown
 */
function offsetsIn(timeZone: string): OffsetAt {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const kept = new LRUCache<number, number>({ max: MAX_KEPT });
  const offsetAt: OffsetAt = (epoch) => {
    const minute = Math.floor(epoch / MINUTE);
    const offset = kept.get(minute) ?? readOffset(format, minute * MINUTE);
    kept.set(minute, offset);
    return offset;
  };
  zones.set(timeZone, offsetAt);
  return offsetAt;
}

/** Returns the moments between `from` and `to` at which the offset changes. */
function changesBetween(offsetAt: OffsetAt, from: number, to: number): readonly number[] {
  const changes: number[] = [];
  for (let hour = from; hour < to; hour += HOUR) {
    const next = Math.min(hour + HOUR, to - MINUTE);
    const offset = offsetAt(next);
    if (offset !== offsetAt(hour)) changes.push(firstMinute(hour, next, (minute) => offsetAt(minute) === offset));
  }
  return changes;
}

/** Returns the first moment of a day: 01:00 where clocks are put forward at midnight. @param midnight of it in UTC */
function startOfDay(offsetAt: OffsetAt, midnight: number): number {
  const isReached = (epoch: number): boolean => epoch + offsetAt(epoch) * MINUTE >= midnight;
  // No UTC offset is as long as a day.
  let hour = midnight - DAY;
  while (!isReached(hour)) hour += HOUR;
  return firstMinute(hour - HOUR, hour, isReached);
}

/** Returns the first minute after `from` at which a condition is true; `to` at the latest. */
function firstMinute(from: number, to: number, isTrue: (minute: number) => boolean): number {
  for (let minute = from + MINUTE; minute < to; minute += MINUTE) if (isTrue(minute)) return minute;
  return to;
}

/** Reads `GMT+09:00`, or `GMT` of UTC. */
function readOffset(format: Intl.DateTimeFormat, epoch: number): number {
  const name = format.formatToParts(epoch).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return minutesEast(sign, hours, minutes);
}

function minutesEast(sign: string | undefined, hours = '0', minutes = '0'): number {
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' && size > 0 ? -size : size;
}

/** Calendar day of a report, from its first moment to that of the day after, exclusive. */
export type DrivingDay = Readonly<ReturnType<typeof dayOf>> & {
  /** Time of which the trips are, in epoch milliseconds; infinite if the day was over. */
  readonly fetchedAt: number;
};

/** True if a day was not over when its trips were fetched. */
export function isUnfinished({ to, fetchedAt }: Pick<DrivingDay, 'to' | 'fetchedAt'>): boolean {
  return fetchedAt < Date.parse(to);
}

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** First and last day with a beginning and end within the RFC 3339 years 0000 to 9999, in UTC and in any offset. */
const FIRST_DAY = '0001-01-02';
const LAST_DAY = '9999-12-30';

/**
 * Returns the driving day of a report request. Without a time zone it is the calendar day of `date` in its own UTC
 * offset, 24 hours long; with one, the calendar day there of the instant that `date` names, which is shorter or longer
 * where clocks change. Either way, each instant belongs to one day.
 *
 * @param date RFC 3339 date and time with `Z` or a numeric offset (RFC 3339 section 5.6)
 * @param timeZone name of the IANA Time Zone Database
 * @param fetchedAt time of which the trips are; after the day if absent
 * @throws {RangeError} if `date` has another form, or its day does not exist or is not from 0001-01-02 to 9999-12-30
 */
export function drivingDay(date: string, timeZone?: string, fetchedAt?: Date): DrivingDay {
  const [, year, month, dayOfMonth, hour, minute, second, sign, offsetHour = '0', offsetMinute = '0'] =
    RFC_3339.exec(date) ?? [];
  const isWithin = [hour, offsetHour].every((hours) => Number(hours) <= 23);
  if (!isWithin || ![minute, second, offsetMinute].every((sixtieths) => Number(sixtieths) <= 59)) {
    throw new RangeError(
      `The report date ${JSON.stringify(date)} is not an RFC 3339 date and time; write it as 2024-05-17T00:00:00+09:00.`,
    );
  }
  // Not `Date.UTC`, which maps the years 0 to 99 to the twentieth century.
  const midnight = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(dayOfMonth));
  const day = `${year}-${month}-${dayOfMonth}`;
  if (isoDay(midnight) !== day) throw new RangeError(`The report date ${JSON.stringify(date)} does not exist.`);
  if (day < FIRST_DAY || day > LAST_DAY) {
    throw new RangeError(`The report date ${JSON.stringify(date)} must be from ${FIRST_DAY} to ${LAST_DAY}.`);
  }
  const until = { fetchedAt: fetchedAt?.getTime() ?? Infinity };
  if (timeZone !== undefined) return { ...dayOf(Date.parse(date), offsetsIn(timeZone)), ...until };
  const minutes = minutesEast(sign, offsetHour, offsetMinute);
  return { ...dayOf(midnight - minutes * MINUTE, () => minutes), ...until };
}

function dayOf(instant: number, offsetAt: OffsetAt) {
  const start = (midnight: number): number => startOfDay(offsetAt, midnight);
  let midnight = Math.floor((instant + offsetAt(instant) * MINUTE) / DAY) * DAY;
  // The instant may lie just after a midnight that clocks reach twice.
  if (instant < start(midnight)) midnight -= DAY;
  else if (instant >= start(midnight + DAY)) midnight += DAY;
  // Days beyond these cannot be written as a timestamp.
  midnight = Math.min(Math.max(midnight, Date.parse(FIRST_DAY)), Date.parse(LAST_DAY));
  const [from, to] = [start(midnight), start(midnight + DAY)];
  return {
    /** `yyyy-mm-dd`. */
    day: isoDay(midnight),
    /** RFC 3339 with the offset that holds then, as is `to`. */
    from: timestamp(from, offsetAt),
    to: timestamp(to, offsetAt),
    /** First moment of the day before, and moments at which clocks change, in epoch milliseconds. */
    beforeFrom: start(midnight - DAY),
    changes: changesBetween(offsetAt, from, to),
    offsetAt,
  };
}

/** Formats a whole minute as RFC 3339 with the offset that holds then. */
export function timestamp(epoch: number, offsetAt: OffsetAt): string {
  const offset = offsetAt(epoch);
  return `${new Date(epoch + offset * MINUTE).toISOString().slice(0, -5)}${offset === 0 ? 'Z' : offsetText(offset)}`;
}

/** Formats minutes east of UTC as `+09:00`. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const digits = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

function isoDay(utcMilliseconds: number): string {
  return new Date(utcMilliseconds).toISOString().slice(0, 10);
}
