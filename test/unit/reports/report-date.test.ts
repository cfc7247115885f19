import { describe, expect, it } from '@jest/globals';
import { readDriverDay } from '../../support/sample-report.js';
import { drivingDay } from '../../../src/reports/day/report-date.js';
import { trip } from './drawn.js';

describe('the driving day', () => {
  it('is the calendar day of the date in its own offset, also where it is another day in UTC', () => {
    const day = drivingDay('2024-05-17T00:30:00+09:00');
    expect(day).toMatchObject({
      day: '2024-05-17',
      from: '2024-05-17T00:00:00+09:00',
      to: '2024-05-18T00:00:00+09:00',
      beforeFrom: Date.parse('2024-05-16T00:00:00+09:00'),
      changes: [],
    });
    expect(day.offsetAt(0)).toBe(540);
  });

  it('writes Z for Z, whichever case it came in, keeps a western offset, and has no negative zero', () => {
    expect(drivingDay('2024-05-17t10:00:00z').from).toBe('2024-05-17T00:00:00Z');
    expect(drivingDay('2024-05-17T10:00:00-03:30').from).toBe('2024-05-17T00:00:00-03:30');
    expect(drivingDay('2024-05-17T10:00:00-03:30').offsetAt(0)).toBe(-210);
    expect(drivingDay('2024-05-17T10:00:00-00:00').offsetAt(0)).toBe(0);
  });

  it.each([
    ['0001-01-02T00:00:00+23:59', '0001-01-03T00:00:00+23:59', '0001-01-01T00:01:00.000Z'],
    // Clocks change on that day in a zone of this offset.
    ['2024-03-31T12:00:00+01:00', '2024-04-01T00:00:00+01:00', '2024-03-30T23:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2023-12-31T23:59:59.999-03:30', '2024-01-01T00:00:00-03:30', '2023-12-31T03:30:00.000Z'],
    ['0099-12-31T12:00:00Z', '0100-01-01T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-30T23:59:59-23:59', '9999-12-31T00:00:00-23:59', '9999-12-30T23:59:00.000Z'],
  ])('of %s ends at %s and begins at %s', (date, end, begin) => {
    const { from, to } = drivingDay(date);
    expect([to, new Date(from).toISOString()]).toEqual([end, begin]);
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
  });

  it.each(['2024-02-30T00:00:00Z', '2023-02-29T00:00:00Z', '2024-13-01T00:00:00Z', '2024-00-10T00:00:00Z'])(
    'refuses %j, which does not exist',
    (date) => expect(() => drivingDay(date)).toThrow(new RangeError(`The report date "${date}" does not exist.`)),
  );

  it.each(['0000-12-31T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z'])(
    'refuses %j, which has no beginning or end in some offset',
    (date) => {
      expect(() => drivingDay(date)).toThrow(
        new RangeError(`The report date "${date}" must be from 0001-01-02 to 9999-12-30.`),
      );
    },
  );

  it.each([
    '2024-05-17',
    '2024-05-17T00:00:00',
    '2024-05-17T24:00:00Z',
    '2024-05-17T10:60:00Z',
    '2024-05-17T10:00:60Z',
    '2024-05-17T10:00:00+24:00',
    ' 2024-05-17T10:00:00Z',
    'today',
  ])('refuses %j and says how to write it', (date) => {
    expect(() => drivingDay(date)).toThrow(RangeError);
    expect(() => drivingDay(date)).toThrow(/RFC 3339.*2024-05-17T00:00:00\+09:00/);
  });
});

const HOUR = 3_600_000;
const at = (time: string): number => Date.parse(time);

describe('the driving day of a time zone', () => {
  it.each([
    // The instant of `date` decides, and not the day it is written with.
    ['Asia/Tokyo', '2026-11-19T15:00:00.000Z', '2026-11-20T00:00:00+09:00', '2026-11-21T00:00:00+09:00', []],
    ['Asia/Tokyo', '2026-11-19T14:59:59Z', '2026-11-19T00:00:00+09:00', '2026-11-20T00:00:00+09:00', []],
    ['Europe/Berlin', '2026-03-29T12:00:00+09:00', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', [1]],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', [1]],
    ['Europe/London', '2026-03-29T12:00:00Z', '2026-03-29T00:00:00Z', '2026-03-30T00:00:00+01:00', [1]],
    ['America/New_York', '2026-03-09T03:59:59Z', '2026-03-08T00:00:00-05:00', '2026-03-09T00:00:00-04:00', [7]],
    ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00', [6]],
    ['Australia/Lord_Howe', '2026-04-05T00:00:00Z', '2026-04-05T00:00:00+11:00', '2026-04-06T00:00:00+10:30', [-9]],
    ['Australia/Lord_Howe', '2026-10-04T00:00:00Z', '2026-10-04T00:00:00+10:30', '2026-10-05T00:00:00+11:00', [-8.5]],
    // Midnight did not exist there, and came twice.
    ['America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04T01:00:00-02:00', '2018-11-05T00:00:00-02:00', []],
    ['America/Sao_Paulo', '2018-02-18T01:30:00Z', '2018-02-17T00:00:00-02:00', '2018-02-18T00:00:00-03:00', [26]],
    ['America/St_Johns', '2006-10-29T02:31:00Z', '2006-10-28T00:00:00-02:30', '2006-10-29T00:00:00-03:30', [26.52]],
  ])('in %s at %s is from %s until %s', (zone, date, from, to, changes) => {
    const day = drivingDay(date, zone);
    expect(day).toMatchObject({ day: from.slice(0, 10), from, to });
    // In hours of the same day in UTC.
    const hours = day.changes.map((change) => (change - at(`${day.day}T00:00:00Z`)) / HOUR);
    expect(hours.map((hour) => Math.round(hour * 100) / 100)).toEqual(changes);
  });

  it('of the last and first days that can be written is one of them', () => {
    expect(drivingDay('9999-12-30T23:00:00Z', 'Asia/Tokyo').day).toBe('9999-12-30');
    expect(drivingDay('0001-01-02T00:00:00Z', 'America/New_York').day).toBe('0001-01-02');
  });

  it.each([
    ['Europe/Berlin', '2026-03-28T00:10:00+01:00', [23, 24, 24]],
    ['Europe/Berlin', '2026-10-24T00:10:00+02:00', [25, 24, 24]],
    ['America/New_York', '2026-03-07T00:10:00-05:00', [23, 24, 24]],
    ['America/New_York', '2026-10-31T00:10:00-04:00', [25, 24, 24]],
    ['Asia/Tokyo', '2026-10-24T00:10:00+09:00', [24, 24, 24]],
    ['Australia/Lord_Howe', '2026-04-04T00:10:00+11:00', [24.5, 24, 24]],
    ['Australia/Lord_Howe', '2026-10-03T00:10:00+10:30', [23.5, 24, 24]],
    ['America/St_Johns', '2006-10-28T00:10:00-02:30', [25, 24, 24]],
  ])('in %s from %s on counts a trip of every quarter of an hour once, in one report', (zone, first, lengths) => {
    const days = [drivingDay(first, zone)];
    while (days.length < 4) days.push(drivingDay(days.at(-1)?.to ?? '', zone));
    const hours = days.map(({ from, to }) => (at(to) - at(from)) / HOUR);
    expect(hours.toSorted((a, b) => a - b)).toEqual([...lengths, 24].toSorted((a, b) => a - b));
    const [begin, end] = [at(days[0]?.from ?? ''), at(days.at(-1)?.to ?? '')];
    const trips = Array.from({ length: (end - begin) / 900_000 }, (_, index) => {
      const time = (minute: number): string => new Date(begin + index * 900_000 + minute * 60_000).toISOString();
      const { start, end: last } = trip();
      return trip({ start: { ...start, time: time(5) }, end: { ...last, time: time(14) }, track: [] });
    });
    const counts = days.map((day) => {
      const { totals } = readDriverDay(trips, day, { limitKmh: 80, minSeconds: 10 });
      expect(totals.carriedOver).toBe(0);
      return totals.trips;
    });
    expect(counts).toEqual(hours.map((length) => length * 4));
    // A moment belongs to the day that its date is asked for.
    for (const { start } of trips.filter((_, index) => index % 3 === 0)) {
      const { from, to } = drivingDay(start.time, zone);
      expect(at(from) <= at(start.time) && at(start.time) < at(to)).toBe(true);
    }
  });

  it('takes a trip of its first hour as carried over on the day after, also where that is 24 hours later', () => {
    const { start, end } = trip();
    const long = trip({
      start: { ...start, time: '2026-10-25T00:15:00+02:00' },
      end: { ...end, time: '2026-10-26T00:05:00+01:00' },
    });
    const verdict = (date: string): unknown =>
      readDriverDay([long], drivingDay(date, 'Europe/Berlin'), { limitKmh: 80, minSeconds: 10 }).trips[0]?.verdict;
    expect(verdict('2026-10-25T12:00:00Z')).toEqual({ kind: 'counted' });
    expect(verdict('2026-10-26T12:00:00Z')).toEqual({ kind: 'carried over' });
  });
});
