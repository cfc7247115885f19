/** Calendar day of a report. */
export interface DrivingDay {
  /** `yyyy-mm-dd` in the offset of the original date. */
  readonly day: string;
  /** First moment of the day, inclusive: RFC 3339 with the same offset. */
  readonly from: string;
  /** End of the day, exclusive: 24 hours after `from`, RFC 3339 with the same offset. */
  readonly to: string;
  /** Minutes east of UTC. */
  readonly offsetMinutes: number;
}

const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** First and last day with a beginning and end within the RFC 3339 years 0000 to 9999, in UTC and in any offset. */
const FIRST_DAY = '0001-01-02';
const LAST_DAY = '9999-12-30';

/**
 * Returns the driving day of a report request: the calendar day of `date` in its own UTC offset. The offset is fixed
 * within a request, so the day is always 24 hours long, also at clock changes.
 *
 * @param date RFC 3339 date and time with `Z` or a numeric offset (RFC 3339 section 5.6)
 * @throws {RangeError} if `date` is not one, or names a day that does not exist or is not from 0001-01-02 to 9999-12-30
 */
export function drivingDay(date: string): DrivingDay {
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
  const offset = sign === undefined ? 'Z' : `${sign}${offsetHour}:${offsetMinute}`;
  const minutes = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0);
  return {
    day,
    from: `${day}T00:00:00${offset}`,
    to: `${isoDay(midnight + 86_400_000)}T00:00:00${offset}`,
    offsetMinutes: sign === '-' && minutes > 0 ? -minutes : minutes,
  };
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
