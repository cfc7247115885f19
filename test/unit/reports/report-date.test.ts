import { describe, expect, it } from '@jest/globals';
import { drivingDay } from '../../../src/reports/day/report-date.js';

describe('the driving day', () => {
  it('is the calendar day of the date in its own offset, also where it is another day in UTC', () => {
    expect(drivingDay('2024-05-17T00:30:00+09:00')).toEqual({
      day: '2024-05-17',
      from: '2024-05-17T00:00:00+09:00',
      to: '2024-05-18T00:00:00+09:00',
      offsetMinutes: 540,
    });
  });

  it('keeps a western offset and crosses the end of a year', () => {
    expect(drivingDay('2023-12-31T23:59:59.999-03:30')).toEqual({
      day: '2023-12-31',
      from: '2023-12-31T00:00:00-03:30',
      to: '2024-01-01T00:00:00-03:30',
      offsetMinutes: -210,
    });
  });

  it('is 24 hours long, also on the day that clocks change somewhere', () => {
    for (const date of ['2024-03-31T12:00:00+01:00', '2024-02-29T00:00:00Z', '2024-12-31T00:00:00-12:00']) {
      const { from, to } = drivingDay(date);
      expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
    }
  });

  it('writes Z for Z, whichever case it came in, and has no negative zero', () => {
    expect(drivingDay('2024-05-17t10:00:00z')).toMatchObject({ from: '2024-05-17T00:00:00Z', offsetMinutes: 0 });
    expect(drivingDay('2024-05-17T10:00:00-00:00').offsetMinutes).toBe(0);
  });

  it.each([
    ['0001-01-02T00:00:00+23:59', '0001-01-03T00:00:00+23:59', '0001-01-01T00:01:00.000Z'],
    ['0099-12-31T12:00:00Z', '0100-01-01T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-30T23:59:59-23:59', '9999-12-31T00:00:00-23:59', '9999-12-30T23:59:00.000Z'],
  ])('of %s ends at %s and begins at %s', (date, end, begin) => {
    const { from, to } = drivingDay(date);
    expect([to, new Date(from).toISOString()]).toEqual([end, begin]);
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
  });

  it.each(['2024-02-30T00:00:00Z', '2023-02-29T00:00:00Z', '2024-13-01T00:00:00Z', '2024-00-10T00:00:00Z'])(
    'refuses %j, which does not exist',
    (date) => {
      expect(() => drivingDay(date)).toThrow(new RangeError(`The report date "${date}" does not exist.`));
    },
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
