import type { DrivingDay } from '../day/report-date.js';
import { twoDigits } from './number-format.js';

const DAY = 86_400_000;
const MINUTES_OF_DAY = 1_440;

/** All times of a day; building a text takes longer than finding it. */
const TIMES = Array.from(
  { length: MINUTES_OF_DAY },
  (_, minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`,
);

/** Formats times of a driving day as wall clock times, in the offset of the request. */
export class WallClock {
  readonly #midnight: number;
  readonly #offset: number;

  constructor(day: DrivingDay) {
    this.#midnight = Date.parse(day.from);
    this.#offset = day.offsetMinutes * 60_000;
  }

  /** Returns `HH:MM` of a minute since 1970, as made by `shown-figures`. */
  timeOfMinute(minute: number): string {
    return this.time(minute * 60_000);
  }

  /** Returns `yyyy-mm-dd` of an epoch time. */
  date(epoch: number): string {
    return new Date(epoch + this.#offset).toISOString().slice(0, 10);
  }

  /** Returns `HH:MM` of an epoch time. */
  time(epoch: number): string {
    const minutes = Math.floor((epoch + this.#offset) / 60_000);
    return TIMES[((minutes % MINUTES_OF_DAY) + MINUTES_OF_DAY) % MINUTES_OF_DAY] ?? '';
  }

  /** Returns the midnights between two epoch times: at most both ends of the driving day, for the chart. */
  midnightsBetween(start: number, end: number): readonly number[] {
    return [this.#midnight, this.#midnight + DAY].filter((midnight) => midnight > start && midnight < end);
  }

  /** Returns the days after the driving day, negative before it: a trip that ends at 00:25 of the next day gives 1. */
  dayOffset(epoch: number): number {
    return Math.floor((epoch - this.#midnight) / DAY);
  }

  /** Epoch time of the start of the driving day; ticks are counted from it. */
  get midnight(): number {
    return this.#midnight;
  }
}
