import { describe, expect, it } from '@jest/globals';
import type { ReportTrip } from '../../../src/reports/model.js';
import { dayOf, draw, read, trip, words } from './drawn.js';

/** A trip of the day of the report, or of another one, without a track. */
function between(start: string, end: string, changes: Partial<ReportTrip> = {}): ReportTrip {
  const at = (text: string): string => (text.length > 5 ? text : `2024-05-17T${text}`) + ':00+09:00';
  const { start: from, end: to } = trip();
  return trip({ start: { ...from, time: at(start) }, end: { ...to, time: at(end) }, track: [], ...changes });
}

async function pageOf(trips: readonly ReportTrip[], locale: 'en' | 'ja' = 'en'): Promise<string> {
  return words((await read((await draw([dayOf(trips)], { locale })).bytes)).pages[0]);
}

const AFTERNOON = between('14:00', '14:30');

describe('a trip that cannot be true', () => {
  it.each([
    ['overlaps another', between('08:20', '08:50'), '× Excluded: overlaps trip 1.'],
    ['is there twice', trip({ distanceMeters: 15_000 }), '× Excluded: the same times as trip 1.'],
    [
      'idles for longer than it takes',
      between('09:00', '09:30', { idleSeconds: 1_801 }),
      'idling is longer than the trip',
    ],
    ['is of another day', between('2024-05-10T09:00', '2024-05-10T09:30'), 'a trip of another day'],
    ['is faster than anybody drives', between('09:00', '09:10', { distanceMeters: 90_000 }), 'nobody drives so far'],
    ['has no distance', between('09:00', '09:30', { distanceMeters: -1 }), 'is missing or cannot be true'],
  ])('because it %s is flagged on its row, counted beside it, and in no sum', async (_, wrong, reason) => {
    const page = await pageOf([trip(), wrong, AFTERNOON]);
    expect(page).toContain(reason);
    expect(page).toContain('× 1 trip excluded');
    expect(page).toMatch(/\n\([12]\)\n/);
    // Two trips of 15.3 km and half an hour.
    expect(page).toMatch(/\nTotal\n30\.6\n1:00\n0:06\n6\n/);
  });

  it('is told in Japanese too, and counted on the cover, whose sums leave it out', async () => {
    expect(await pageOf([trip(), between('08:20', '08:50')], 'ja')).toContain('× 除外：No.1と時間が重複');
    const outcomes = [dayOf([trip(), between('08:20', '08:50')]), dayOf([], { employeeCode: 'E2' })];
    const [cover] = (await read((await draw(outcomes)).bytes)).pages;
    expect(words(cover)).toContain('× 1 trip excluded');
    expect(words(cover)).toMatch(/\nTotal\n1\n15\.3\n0:27\n65\n× 1\n/);
  });

  it('does not make the others impossible: of trips that overlap as many count as can be true', async () => {
    const page = await pageOf([between('06:00', '20:00', { distanceMeters: 300_000 }), trip(), AFTERNOON]);
    expect(page).toContain('× 1 trip excluded');
    expect(page).toMatch(/\n\(1\)\n06:00\n/);
  });
});

describe('a driver who is listed twice', () => {
  it('counts once: the second page says so, and so does the cover', async () => {
    const outcomes = [dayOf([trip()]), dayOf([trip()]), dayOf([trip()], { mobileId: '2' })];
    const [cover, first, second, third] = (await read((await draw(outcomes)).bytes)).pages.map(words);
    const told = '× Excluded: the same driver is counted on page 2.';
    expect(second).toContain(told);
    expect(`${first} ${third}`).not.toContain(told);
    expect(cover).toContain(told);
    expect(cover).toContain('× 1 driver listed again');
    expect(cover).toMatch(/\nTotal\n2\n30\.6\n0:54\n/);
  });
});

describe('midnight', () => {
  const overEvening = between('23:20', '2024-05-18T00:25');
  const fromYesterday = between('2024-05-16T23:30', '00:20');

  it('does not end a trip: it counts on the day of its start, and its end has a date', async () => {
    const page = await pageOf([trip(), overEvening]);
    expect(page).toMatch(/\n2\n23:20\n[\s\S]*\n00:25\n18 May\n/);
    expect(page).toMatch(/\nTotal\n30\.6\n1:35\n/);
    // Both dates stand at the line in the chart.
    expect(page).toMatch(/\n17 May\n18 May\n/);
  });

  it('lies within a trip that is handed over again the day after, which is listed and not counted', async () => {
    const page = await pageOf([fromYesterday, trip()]);
    expect(page).toMatch(/\n\(1\)\n23:30\n16 May\n/);
    expect(page).toContain('Carried over: began on 16 May and counts there.');
    expect(page).toMatch(/\nTotal\n15\.3\n0:30\n/);
    expect(page).not.toContain('excluded');
    expect(page).toMatch(/\n16 May\n17 May\n/);
  });

  it('bounds no figure: one beyond 24:00 is printed and marked', async () => {
    const page = await pageOf([between('00:10', '01:00'), between('23:50', '2024-05-18T01:30')]);
    expect(page).toMatch(/Duty span\n▲\n25:20\n/);
    expect(page).toContain('▲ h:mm: more than 24:00.');
  });
});

it('departure and return stand on the page with place and time, the return with its date when that is another day', async () => {
  const page = await pageOf([trip(), between('23:20', '2024-05-18T00:25')]);
  expect(page).toMatch(
    /\nDeparture 08:00\n東京都江東区豊洲三丁目3番3号\nReturn 18 May 00:25\n2-1-1 Hamacho, Funabashi\n/,
  );
});

describe('a speed over the limit', () => {
  const { track } = trip();
  const peak = (kmh: number): ReportTrip['track'] =>
    track.map((point, index) => ({ ...point, speedKmh: index === 3 ? kmh : 40 }));

  it('is never printed as the limit', async () => {
    for (const [kmh, printed] of [
      [80.4, '80.4'],
      [80.01, '80.1'],
      [80.6, '81'],
    ] as const) {
      expect(await pageOf([trip({ maxSpeedKmh: kmh, track: peak(kmh) })])).toContain(`\n▲ ${printed}\n`);
    }
    expect(await pageOf([trip({ maxSpeedKmh: 80, track: peak(79.6) })])).not.toContain('▲');
  });

  it('is counted in stretches and minutes as the chart draws them', async () => {
    const page = await pageOf([trip({ maxSpeedKmh: 120, track: peak(120) })]);
    expect(page).toContain('▲ 1 trip over the limit, 1× 0:05');
    expect(page).toMatch(/▲ 120\n1× 0:05\n/);
  });

  it('is the greater of what the vehicle and its track say, with a mark of where it comes from', async () => {
    const reported = await pageOf([trip({ maxSpeedKmh: 97 })]);
    expect(reported).toContain('\n▲ 97*\n');
    expect(reported).toContain('* Top speed that the vehicle reported');
    const tracked = await pageOf([trip({ maxSpeedKmh: 60, track: peak(91) })]);
    expect(tracked).toContain('\n▲ 91†\n');
    expect(tracked).toContain('† Top speed of the track');
  });
});

describe('unknown ground', () => {
  it('after more than five minutes without a fix is drawn dashed, and not before', async () => {
    const { track } = trip();
    const dashed = 'Dashed: no track, straight line';
    expect(await pageOf([trip()])).not.toContain(dashed);
    expect(await pageOf([trip({ track: track.toSpliced(3, 1) })])).toContain(dashed);
    expect(await pageOf([trip({ track: track.slice(2) })])).toContain(dashed);
  });
});
