import { MINUTES_OF_DAY } from '../day/day-totals.js';
import type { DrivingDay } from '../day/report-date.js';
import { hoursAndMinutes, shownOffset } from './number-format.js';

const MINUTE = 60_000;

/** Formats times, given in epoch milliseconds, as a wall clock shows them, in the offset that holds at each. */
export class WallClock {
  readonly #day: DrivingDay;
  readonly midnights: readonly [from: number, to: number];

  constructor(day: DrivingDay) {
    this.#day = day;
    this.midnights = [Date.parse(day.from), Date.parse(day.to)];
  }

  /**
   * Returns the parts of a printed minute since 1970: the date unless it is of the driving day; `HH:MM`; the offset, as
   * `+09:00`, unless all times of the day have the same. @param dateOf formats `yyyy-mm-dd`
   */
  partsOf(minute: number, dateOf: (day: string) => string): { date: string[]; time: string; offset: string[] } {
    const epoch = minute * MINUTE;
    const { offsetAt, changes } = this.#day;
    const [from, to] = this.midnights;
    const isOfDay = epoch >= from && epoch < to;
    const offset = offsetAt(epoch);
    return {
      date: isOfDay ? [] : [dateOf(this.date(epoch))],
      time: this.time(epoch),
      offset: changes.length > 0 || offset !== offsetAt(from) ? [shownOffset(offset)] : [],
    };
  }

  /** Returns the printed time of a minute with its date and its offset, as far as they are needed. */
  timeOfMinute(minute: number, dateOf: (day: string) => string): string {
    const { date, time, offset } = this.partsOf(minute, dateOf);
    return [...date, time, ...offset].join(' ');
  }

  /** Returns `yyyy-mm-dd`. */
  date(epoch: number): string {
    return new Date(this.local(epoch)).toISOString().slice(0, 10);
  }

  time(epoch: number): string {
    return timeOf(this.local(epoch));
  }

  /** Returns the `HH:MM` that clocks show when they are put forward or back. */
  timeBefore(change: number): string {
    return timeOf(this.local(change - MINUTE) + MINUTE);
  }

  /** Returns the time that the clocks show, as if it were UTC. */
  local(epoch: number): number {
    return epoch + this.#day.offsetAt(epoch) * MINUTE;
  }
}

function timeOf(local: number): string {
  const minutes = Math.floor(local / MINUTE);
  const ofDay = minutes - Math.floor(minutes / MINUTES_OF_DAY) * MINUTES_OF_DAY;
  return hoursAndMinutes(ofDay).padStart(5, '0');
}
