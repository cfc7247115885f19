import { MINUTES_OF_DAY } from '../day/day-totals.js';
import { offsetText, type DrivingDay } from '../day/report-date.js';
import { twoDigits } from './number-format.js';

const MINUTE = 60_000;

/** Formats times, given in epoch milliseconds, as a wall clock shows them, in the offset that holds at each. */
export class WallClock {
  readonly #day: DrivingDay;
  readonly #from: number;
  readonly #to: number;
  /** Offset at the start of the day. */
  readonly #offset: number;

  constructor(day: DrivingDay) {
    this.#day = day;
    this.#from = Date.parse(day.from);
    this.#to = Date.parse(day.to);
    this.#offset = day.offsetAt(this.#from);
  }

  /** Returns `HH:MM` of a minute since 1970 (see `shownMinute`), and its offset if the day has several. */
  timeOfMinute(minute: number): string {
    const epoch = minute * MINUTE;
    return [this.time(epoch), ...this.offsetBeside(epoch)].join(' ');
  }

  /** Returns `yyyy-mm-dd`. */
  date(epoch: number): string {
    return new Date(this.local(epoch)).toISOString().slice(0, 10);
  }

  /** Returns `HH:MM`. */
  time(epoch: number): string {
    return timeOf(this.local(epoch));
  }

  /** Returns the `HH:MM` that clocks show when they are put forward or back. */
  timeBefore(change: number): string {
    return timeOf(change + this.#day.offsetAt(change - MINUTE) * MINUTE);
  }

  /** Returns the offset to print beside a time, as `+09:00`; empty if all times of the day have the same offset. */
  offsetBeside(epoch: number): readonly string[] {
    const { offsetAt, changes } = this.#day;
    const offset = offsetAt(epoch);
    return changes.length > 0 || offset !== this.#offset ? [offsetText(offset)] : [];
  }

  /** Minutes east of UTC. */
  offset(epoch: number): number {
    return this.#day.offsetAt(epoch);
  }

  /** Returns the time that the clocks show, as if it were UTC. */
  local(epoch: number): number {
    return epoch + this.#day.offsetAt(epoch) * MINUTE;
  }

  /** Moments of the driving day at which clocks change. */
  get changes(): readonly number[] {
    return this.#day.changes;
  }

  /** Ends of the driving day, for the chart. */
  get midnights(): readonly [number, number] {
    return [this.#from, this.#to];
  }

  /** True for a moment of the driving day; others are printed with their date, such as 00:25 of the next day. */
  isOfDay(epoch: number): boolean {
    return epoch >= this.#from && epoch < this.#to;
  }
}

function timeOf(local: number): string {
  const minutes = Math.floor(local / MINUTE);
  const ofDay = minutes - Math.floor(minutes / MINUTES_OF_DAY) * MINUTES_OF_DAY;
  return `${twoDigits(Math.floor(ofDay / 60))}:${twoDigits(ofDay % 60)}`;
}
