import { changesBetween, offsetsIn, startOfDay, type OffsetAt } from './time-zone.js';

/** Calendar day of a report. */
export interface DrivingDay {
  /** `yyyy-mm-dd`. */
  readonly day: string;
  /** First moment of the day, inclusive: RFC 3339 with the offset that holds then. */
  readonly from: string;
  /** End of the day, exclusive, in the same form: the first moment of the day after. */
  readonly to: string;
  /** First moment of the day before, in epoch milliseconds. */
  readonly beforeFrom: number;
  readonly offsetAt: OffsetAt;
  /** Moments within the day at which clocks change, in epoch milliseconds. */
  readonly changes: readonly number[];
}

const DAY = 86_400_000;
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
 * @throws {RangeError} if `date` is not one, or names a day that does not exist or is not from 0001-01-02 to 9999-12-30
 */
export function drivingDay(date: string, timeZone?: string): DrivingDay {
  const match = RFC_3339.exec(date);
  if (match === null) throw notADate(date);
  const [, year, month, dayOfMonth, hour, minute, second, sign, offsetHour, offsetMinute] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw notADate(date);
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) throw notADate(date);
  // Not `Date.UTC`, which maps the years 0 to 99 to the twentieth century.
  const midnight = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(dayOfMonth));
  const day = `${year}-${month}-${dayOfMonth}`;
  if (isoDay(midnight) !== day) throw new RangeError(`The report date ${JSON.stringify(date)} does not exist.`);
  if (day < FIRST_DAY || day > LAST_DAY) {
    throw new RangeError(`The report date ${JSON.stringify(date)} must be from ${FIRST_DAY} to ${LAST_DAY}.`);
  }
  if (timeZone !== undefined) return dayInZone(Date.parse(date), offsetsIn(timeZone));
  const offset = sign === undefined ? 'Z' : `${sign}${offsetHour}:${offsetMinute}`;
  const size = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  const minutes = sign === '-' && size > 0 ? -size : size;
  return {
    day,
    from: `${day}T00:00:00${offset}`,
    to: `${isoDay(midnight + DAY)}T00:00:00${offset}`,
    beforeFrom: midnight - minutes * 60_000 - DAY,
    offsetAt: () => minutes,
    changes: [],
  };
}

function dayInZone(instant: number, offsetAt: OffsetAt): DrivingDay {
  const start = (midnight: number): number => startOfDay(offsetAt, midnight);
  let midnight = Math.floor((instant + offsetAt(instant) * 60_000) / DAY) * DAY;
  // Just after a midnight that clocks have reached twice.
  if (instant < start(midnight)) midnight -= DAY;
  else if (instant >= start(midnight + DAY)) midnight += DAY;
  // Farther days cannot be written as a timestamp.
  midnight = Math.min(Math.max(midnight, Date.parse(FIRST_DAY)), Date.parse(LAST_DAY));
  const [from, to] = [start(midnight), start(midnight + DAY)];
  return {
    day: isoDay(midnight),
    from: timestamp(from, offsetAt),
    to: timestamp(to, offsetAt),
    beforeFrom: start(midnight - DAY),
    offsetAt,
    changes: changesBetween(offsetAt, from, to),
  };
}

/** Formats a whole minute as RFC 3339 with the offset that holds then. */
function timestamp(epoch: number, offsetAt: OffsetAt): string {
  const offset = offsetAt(epoch);
  return `${new Date(epoch + offset * 60_000).toISOString().slice(0, -5)}${offset === 0 ? 'Z' : offsetText(offset)}`;
}

/** Formats minutes east of UTC as `+09:00`. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const digits = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

function isoDay(utcMilliseconds: number): string {
  const text = new Date(utcMilliseconds).toISOString();
  return text.slice(0, text.indexOf('T'));
}

function notADate(date: string): RangeError {
  return new RangeError(
    `The report date ${JSON.stringify(date)} is not an RFC 3339 date and time; write it as 2024-05-17T00:00:00+09:00.`,
  );
}
