import { describe, expect, it } from '@jest/globals';
import { readableTrip } from '../../../src/clients/backend-api/service-calls.js';
import type { ReportTrip } from '../../../src/reports/model.js';
import { dayOf, draw, firstPage, printed, trip, tripsInARow, words } from './drawn.js';

/** A trip of the day of the report, or of another one, without a track. */
function between(start: string, end: string, changes: Partial<ReportTrip> = {}): ReportTrip {
  const at = (text: string): string => (text.length > 5 ? text : `2024-05-17T${text}`) + ':00+09:00';
  const { start: from, end: to } = trip();
  return trip({ start: { ...from, time: at(start) }, end: { ...to, time: at(end) }, track: [], ...changes });
}

const pageOf = (trips: readonly ReportTrip[], locale: 'en' | 'ja' = 'en'): Promise<string> =>
  firstPage([dayOf(trips)], { locale });

const AFTERNOON = between('14:00', '14:30');

/** Such a trip in breach of the contract, as it is read. */
function unreadable(changes: object): ReportTrip {
  const sent = between('09:00', '09:30');
  return { ...sent, ...readableTrip({ ...sent, ...changes }) };
}

describe('a trip that cannot be true', () => {
  it.each([
    ['overlaps another', between('08:20', '08:50'), '× Excluded: overlaps trip 1.'],
    ['is there twice', trip({ distanceMeters: 15_000 }), '× Excluded: the same times as trip 1.'],
    ['is of another day', between('2024-05-10T09:00', '2024-05-10T09:30'), 'a trip of another day'],
    ['has no end', unreadable({ end: { ...trip().end, time: '' } }), 'a time is missing or cannot be true'],
    ['ends before its start', between('09:30', '09:00'), 'a time is missing or cannot be true'],
  ])('because it %s is flagged on its row, counted beside it, and in no sum', async (_, wrong, reason) => {
    const page = await pageOf([trip(), wrong, AFTERNOON]);
    expect(page).toPrint(reason);
    expect(page).toPrint('× 1 trip excluded');
    expect(page).toPrint(/\n\([12]\)\n/);
    // Two trips of 15.3 km and half an hour.
    expect(page).toPrint(/\nTotal\n30\.6\n1:00\n0:06\n6\n/);
  });

  it('is written in Japanese too, and counted on the cover, whose sums leave it out', async () => {
    expect(await pageOf([trip(), between('08:20', '08:50')], 'ja')).toPrint('× 除外：No.1と時間が重複');
    const outcomes = [dayOf([trip(), between('08:20', '08:50')]), dayOf([], { employeeCode: 'E2', mobileId: '2' })];
    const cover = await firstPage(outcomes);
    expect(cover).toPrint('× 1 trip excluded');
    expect(cover).toPrint(/\nTotal\n1\n15\.3\n0:27\n65\n× 1\n/);
  });

  it('does not make the others impossible: of trips that overlap as many count as can be true', async () => {
    const page = await pageOf([between('06:00', '20:00', { distanceMeters: 300_000 }), trip(), AFTERNOON]);
    expect(page).toPrint('× 1 trip excluded');
    expect(page).toPrint(/\n\(1\)\n06:00\n/);
  });
});

describe('a figure that cannot be true', () => {
  const early = between('05:00', '07:30');
  it.each([
    ['a negative distance, after a reset', { distanceMeters: -184_310 }, 'distance'],
    ['a distance that no vehicle drives in the time', { distanceMeters: 900_000 }, 'distance'],
    ['a distance that is no number', unreadable({ distanceMeters: null }).distanceMeters, 'distance'],
    ['more idling than time', { idleSeconds: 9_001 }, 'idling'],
    ['no idling', unreadable({ idleSeconds: undefined }).idleSeconds, 'idling'],
  ])('costs itself and not its trip: %s', async (_, given, figure) => {
    const key = figure === 'distance' ? 'distanceMeters' : 'idleSeconds';
    const changes = typeof given === 'number' ? { [key]: given } : given;
    const page = await pageOf([{ ...early, ...changes }, trip(), AFTERNOON]);
    expect(page).not.toPrint(/Excluded:|trip excluded/);
    expect(page).toPrint(/\n1\n05:00\n/);
    expect(page).toPrint('\nDeparture 05:00\n');
    expect(page).toPrint(/\nDuty span\n9:30\n/);
    expect(page).toPrint(`§ Missing or cannot be true: ${figure} of No. 1.`);
    expect(page).toPrint('\n—§\n');
    const sums = figure === 'distance' ? '≥30.6\n3:30‡\n0:09' : '45.9\n3:30‡\n≥0:06';
    expect(page).toPrint(`\nTotal\n${sums}\n9\n—\n`);
    expect(page).toPrint(figure === 'distance' ? '\nDriving\n3:21‡\n' : '\nDriving\n≤3:24‡\n');
  });

  it('marks the sums of the cover, too, and hides no driving from the rules', async () => {
    const long = between('05:00', '09:40', { distanceMeters: -1 });
    const outcomes = [dayOf([long]), dayOf([AFTERNOON], { employeeCode: 'E2', mobileId: '2' })];
    const { pages } = await printed(outcomes, { drivingRules: 'japan-2024', locale: 'ja' });
    expect(words(pages[0])).toPrint(/\n合計\n2\n≥15.3\n/);
    expect(words(pages[1])).toPrint(/▲ [^\n]*4:37/);
    expect(words(pages[1])).toPrint('§ 欠けているか、あり得ない値：走行距離 No.1（');
  });
});

describe('a driver who is listed twice', () => {
  it('counts once: the second page says so, and so does the cover', async () => {
    const outcomes = [dayOf([trip()]), dayOf([trip()]), dayOf([trip()], { mobileId: '2' })];
    const [cover, first, second, third] = (await printed(outcomes)).pages.map(words);
    const told = '× Excluded: the same driver is counted on page 2.';
    expect(second).toPrint(told);
    expect(`${first} ${third}`).not.toPrint(told);
    expect(cover).toPrint(told);
    expect(cover).toPrint('× 1 driver listed again');
    expect(cover).toPrint(/\nTotal\n2\n30\.6\n0:54\n/);
  });
});

describe('a day that is not over', () => {
  const fetchedAt = new Date('2024-05-17T15:04:30+09:00');
  const page = async (trips: readonly ReportTrip[], locale: 'en' | 'ja' = 'en', at = fetchedAt): Promise<string> =>
    firstPage([dayOf(trips)], { locale, fetchedAt: at, drivingRules: 'japan-2024' });

  it('says so on the page and on the cover, and has no return and no duty span yet', async () => {
    const text = await page([trip()]);
    expect(text).toPrint('× The day was not over: its trips are those known at 15:04.');
    expect(text).toPrint(/\nDuty so far\n0:30\n/);
    expect(text).toPrint('\nLast stop so far 08:30\n');
    expect(text).not.toPrint(/Return|Duty span/);
    expect(await page([])).toPrint('× The day was not over: its trips are those known at 15:04.');
    const japanese = await page([trip()], 'ja');
    expect(japanese).toPrint('× 15:04時点の記録：この日は終わっていない');
    expect(japanese).toPrint(/現時点の運行時間[^]*現時点の最終停止 08:30/);
    const cover = await firstPage([dayOf([trip()]), dayOf([])], { fetchedAt });
    expect(cover).toPrint('× The day was not over: its trips are those known at 15:04.');
    const before = await page([], 'en', new Date('2024-05-16T15:04:00+09:00'));
    expect(before).toPrint('known at 16 May 15:04.');
    expect(await page([trip()], 'en', new Date('2024-05-18T00:00:00+09:00'))).toPrint(/Duty span[^]*Return/);
  });

  it('has figures of the rules so far as recorded', async () => {
    const late = new Date('2024-05-17T08:40:00+09:00');
    expect(await page([trip()], 'en', late)).toPrint('not longer than 4:00 so far as recorded.');
  });

  it('has no trip that begins more than an hour after the fetch: its times cannot be true', async () => {
    const [soon, ahead] = [between('16:04', '16:30'), between('16:05', '16:30')];
    expect(await page([trip(), soon])).not.toPrint('Excluded:');
    const text = await page([trip(), ahead]);
    expect(text).toPrint('× Excluded: a time is missing or cannot be true.');
    expect(text).toPrint('Left out because they cannot be true: 2 times.');
    expect(text).toPrint(/\nTotal\n15\.3\n0:30\n/);
  });
});

describe('midnight', () => {
  const overEvening = between('23:20', '2024-05-18T00:25');
  const fromYesterday = between('2024-05-16T23:30', '00:20');

  it('does not end a trip: it counts on the day of its start, and its end has a date', async () => {
    const page = await pageOf([trip(), overEvening]);
    expect(page).toPrint(/\n2\n23:20\n[\s\S]*\n00:25\n18 May\n/);
    expect(page).toPrint(/\nTotal\n30\.6\n1:35‡\n/);
    // Both dates stand at the line in the chart.
    expect(page).toPrint(/\n17 May\n18 May\n/);
  });

  it('lies within a trip that is handed over again the day after, which is listed and not counted', async () => {
    const page = await pageOf([fromYesterday, trip()]);
    expect(page).toPrint(/\n\(1\)\n23:30\n16 May\n/);
    expect(page).toPrint('Carried over: began on 16 May and counts there.');
    expect(page).toPrint(/\nTotal\n15\.3\n0:30\n/);
    expect(page).not.toPrint('excluded');
    expect(page).toPrint(/\n16 May\n17 May\n/);
  });

  it('bounds no figure: one beyond 24:00 is printed and marked', async () => {
    const page = await pageOf([between('00:10', '01:00'), between('23:50', '2024-05-18T01:30')]);
    expect(page).toPrint(/Duty span\n▲\n25:20\n/);
    expect(page).toPrint('▲ h:mm: more than 24:00.');
  });
});

it('departure and return stand on the page with place and time, the return with its date when that is another day', async () => {
  const page = await pageOf([trip(), between('23:20', '2024-05-18T00:25')]);
  expect(page).toPrint(
    /\nDeparture 08:00\n東京都江東区豊洲三丁目3番3号\nReturn 18 May 00:25\n2-1-1 Hamacho, Funabashi\n/,
  );
});

const PLACE = { lat: 35.65, lng: 139.75 };

/** A trip that starts and ends at the same place. */
function roundTrip(start: string, end: string, changes: Partial<ReportTrip> = {}): ReportTrip {
  const made = between(start, end, changes);
  return { ...made, start: { ...made.start, ...PLACE }, end: { ...made.end, ...PLACE } };
}

describe('a break', () => {
  it('is time in which nothing drove: a trip that does not count ends it, too', async () => {
    const page = await pageOf([roundTrip('08:00', '12:00'), roundTrip('12:35', '12:05'), roundTrip('12:40', '16:30')]);
    expect(page).toPrint(/\nKind\n2 shorter ones\n0:10\n[^:]*\nTotal\n0:10\n/);
    expect(page).toPrint(/\nDuty span\n8:30\n/);
    expect(page).toPrint('× Duty span: 0:30 of it lies in excluded trips or was not recorded');
  });

  it.each([
    ['without an end', { end: { time: '', ...PLACE } }, '13:00'],
    ['without a start', { start: { time: '', ...PLACE } }, '12:30'],
  ])('is not what lies beside a trip %s', async (_, changes, from) => {
    const page = await pageOf([
      roundTrip('08:00', '12:00'),
      { ...roundTrip('12:05', '12:30'), ...changes },
      roundTrip('14:00', '16:30'),
    ]);
    expect(page.replaceAll('\n', ' ')).toPrint('× A trip beside it lacks a time: driving not recorded');
    expect(page).toPrint('× 1 gap: driving not recorded');
    if (from === '12:30') expect(page).toPrint(/\n12:30\n14:00\n1:30\n/);
  });

  it('is none where the next trip starts far from where the last one ended, on the page and on the cover', async () => {
    const there = { lat: 35.65, lng: 140.34 };
    const away = { ...roundTrip('12:40', '16:30'), start: { ...between('12:40', '16:30').start, ...there } };
    const near = { ...away, start: { ...away.start, lng: 139.755 } };
    const gap = [roundTrip('08:00', '12:00'), away];
    const page = await pageOf(gap);
    expect(page).toPrint('\n(1)\n');
    expect(page.replaceAll('\n', ' ')).toPrint(
      '(0:40) × Next trip starts 53 km away: driving not recorded ________________ Total 0:00',
    );
    expect(page).toPrint('× 1 gap: driving not recorded');
    expect(await pageOf([roundTrip('08:00', '12:00'), near])).toPrint('● □ break or sleep');
    const outcomes = [dayOf(gap), dayOf(gap, { employeeCode: 'E2', mobileId: '2' })];
    const cover = await firstPage(outcomes);
    expect(cover).toPrint('× 2 gaps: driving not recorded');
  });
});

/** Readings so many seconds apart, from 08:00 on, on a way out and back that is as long as the speeds make it. */
function every(seconds: number, speeds: readonly number[], from = '08:00', scale = 1): ReportTrip['track'] {
  const first = Date.parse(`2024-05-17T${from}:00+09:00`);
  let { lat } = PLACE;
  return speeds.map((speedKmh, index) => {
    const meters = (((speeds[index - 1] ?? speedKmh) + speedKmh) / 7.2) * (index === 0 ? 0 : seconds) * scale;
    lat += ((index < speeds.length / 2 ? 1 : -1) * meters) / 111_320;
    return { time: new Date(first + index * seconds * 1000).toISOString(), ...PLACE, lat, speedKmh };
  });
}
const constant = (kmh: number, count: number): number[] => Array.from({ length: count }, () => kmh);

describe('a speed over the limit', () => {
  const { track } = trip();
  const peak = (kmh: number): ReportTrip['track'] =>
    track.map((point, index) => ({ ...point, speedKmh: index === 3 ? kmh : 40 }));

  it.each([
    [1, '1× 4 h'],
    [30, '1× 4 h'],
    [60, '241 readings'],
    [300, '49 readings'],
    [303, '48 readings'],
    [600, '25 readings'],
  ])('with a reading every %i seconds lasts or was measured: %s', async (seconds, times) => {
    const readings = every(seconds, constant(95, Math.floor(4 * (3600 / seconds)) + 1));
    const page = await pageOf([
      roundTrip('08:00', '12:01', { maxSpeedKmh: 95, distanceMeters: 380_000, track: readings }),
    ]);
    expect(page).toPrint(`over the limit, ${times}\n`);
    expect(page).toPrint(
      seconds > 30
        ? `▲ Over 80 km/h: ${times}, for how long is not known.`
        : '▲ Over 80 km/h: 1 time for 10 s or longer, longest 4 h, highest 95.',
    );
    expect(page).not.toPrint(/Dashed|‡/);
  });

  it('has the same figures on the row of a trip that does not count and in the note of the page', async () => {
    const fast = roundTrip('08:00', '08:30', { maxSpeedKmh: 95, track: every(1, constant(95, 61)) });
    const page = await pageOf([fast, roundTrip('08:10', '08:20'), roundTrip('08:22', '08:50')]);
    expect(page).toPrint(/\n\(1\)\n[^]*\n▲ 95\n1× 1 min\n× Excluded: overlaps trip 2\.\n/);
    expect(page).toPrint('▲ Over 80 km/h: 1 trip over the limit not counted here.');
    expect(await pageOf([fast, roundTrip('08:10', '08:20'), roundTrip('08:22', '08:50')], 'ja')).toPrint(
      '▲ 制限80 km/h超過：他に計上しない運行 1件',
    );
  });

  it('is counted in readings where its length is not known', async () => {
    const readings = [...every(60, constant(60, 20)), ...every(3_600, constant(95, 3), '09:30')];
    const page = await pageOf([roundTrip('08:00', '12:01', { maxSpeedKmh: 95, track: readings })]);
    expect(page).toPrint(/▲ 95\n3 readings\n/);
    expect(page).toPrint('▲ 1 trip over the limit, 3 readings');
    expect(page).toPrint('3 readings, for how long is not known');
  });

  it('is read once from a reading that comes twice, whatever came in between', async () => {
    const readings = every(60, constant(95, 241));
    const made = { maxSpeedKmh: 95, distanceMeters: 380_000 };
    const once = await pageOf([roundTrip('08:00', '12:01', { ...made, track: readings })]);
    expect(once).toPrint('241 readings, for how long is not known');
    expect(await pageOf([roundTrip('08:00', '12:01', { ...made, track: [...readings, ...readings] })])).toBe(once);
  });

  it('is summed in seconds, and short times are not blown up', async () => {
    const second = (from: string): ReportTrip['track'] => every(1, [79.5, 80.5, 80.5, 79.5], from);
    const trips = Array.from({ length: 20 }, (_, index) => {
      const start = `${String(index + 2).padStart(2, '0')}:00`;
      return roundTrip(start, start.replace(':00', ':20'), { maxSpeedKmh: 80.5, track: second(start) });
    });
    const outcomes = [dayOf(trips), dayOf(trips, { employeeCode: 'E2', mobileId: '2' })];
    const [cover, ...pages] = (await printed(outcomes)).pages.map(words);
    expect(pages[0]).toPrint('▲ 20 trips over the limit, 40 s');
    expect(pages.join('\n')).toPrint('never for 10 s or longer');
    expect(cover).toPrint(/\n1 min 20 s\n/);
  });

  it('is a stretch from ten seconds on, and what is closer than that is one', async () => {
    const speeds = [70, ...constant(95, 8), 70, 70, ...constant(97, 8), ...constant(60, 20), ...constant(90, 4), 60];
    const made = roundTrip('08:00', '08:30', { maxSpeedKmh: 97, track: every(1, speeds) });
    expect(await pageOf([made])).toPrint(/Over 80 km\/h: 1 time for 10 s or longer, longest 16 s, highest 97\./);
    expect(await firstPage([dayOf([made])], { overLimitMinSeconds: 3 })).toPrint(
      '2 times for 3 s or longer, longest 16 s, highest 97.',
    );
  });

  it('is not a reading that no vehicle can have had beside its neighbours, which is left out and counted', async () => {
    const spike = every(1, [...constant(50, 60), 279, ...constant(50, 60)]);
    for (const maxSpeedKmh of [51, 279]) {
      const page = await pageOf([roundTrip('08:00', '08:30', { maxSpeedKmh, track: spike })]);
      expect(page).not.toPrint('▲');
      expect(page).toPrint('Left out because they cannot be true: 1 speed reading.');
    }
    const fast = every(60, [...constant(50, 5), 130, ...constant(50, 5)]);
    expect(await pageOf([roundTrip('08:00', '08:30', { maxSpeedKmh: 130, track: fast })])).toPrint('▲ 130');
  });

  it('keeps its count in its cell', async () => {
    const speeds = Array.from({ length: 20_000 }, (_, index) => (index % 26 < 13 ? 60 : 90));
    const drive = roundTrip('08:00', '14:00', { maxSpeedKmh: 90, distanceMeters: 400_000, track: every(1, speeds) });
    const { pages } = await printed([dayOf([drive])], { overLimitMinSeconds: 5 });
    const cell = (pages[0] ?? []).find(({ text }) => /^\d+×/.test(text));
    expect(cell?.text).toBe('769×');
    expect(cell?.x).toBeGreaterThan(510);
  });

  it('is never printed as the limit', async () => {
    for (const [kmh, printed] of [
      [80.4, '80.4'],
      [80.01, '80.1'],
      [80.6, '81'],
    ] as const) {
      expect(await pageOf([trip({ maxSpeedKmh: kmh, track: peak(kmh) })])).toPrint(`\n▲ ${printed}\n`);
    }
    expect(await pageOf([trip({ maxSpeedKmh: 80, track: peak(79.6) })])).not.toPrint('▲');
  });

  it('is counted in stretches and seconds as the chart draws them', async () => {
    const fast = roundTrip('08:00', '08:30', {
      maxSpeedKmh: 120,
      track: every(30, [...constant(40, 25), ...constant(120, 11), ...constant(40, 25)]),
    });
    const page = await pageOf([fast]);
    expect(page).toPrint('▲ 1 trip over the limit, 1× 5 min 30 s');
    expect(page).toPrint(/▲ 120\n1×\n5 min 30 s\n/);
    const inJapanese = await pageOf([fast], 'ja');
    expect(inJapanese).toPrint('▲ 制限超過の運行 1件（1回 5分30秒）');
    expect(inJapanese).toPrint('10秒以上 1回、最長 5分30秒、最高 120 km/h');
  });

  it('that nothing measured is a dash, and hides no mean that is known', async () => {
    const page = await pageOf([
      roundTrip('08:00', '16:00', { maxSpeedKmh: 0, idleSeconds: 0, distanceMeters: 645_000 }),
    ]);
    expect(page).toPrint(/\nAverage\n80\.6\nkm\/h\nTop\n—\n/);
  });

  it('is the greater of what the vehicle and its track say, with a mark of where it comes from', async () => {
    const reported = await pageOf([trip({ maxSpeedKmh: 97 })]);
    expect(reported).toPrint('\n▲ 97*\n');
    expect(reported).toPrint('* Top speed that the vehicle reported');
    const tracked = await pageOf([trip({ maxSpeedKmh: 60, track: peak(91) })]);
    expect(tracked).toPrint('\n▲ 91†\n');
    expect(tracked).toPrint('† Top speed of the track');
  });
});

describe('the track of a trip', () => {
  const UNSUPPORTED = '‡ The record does not support the figure: No. 1:';
  const eightHours = (speeds: readonly number[], scale = 1): Partial<ReportTrip> => ({
    track: every(60, speeds, '08:00', scale),
    maxSpeedKmh: Math.max(...speeds),
  });
  it.each<[string, Partial<ReportTrip>, string, string]>([
    [
      'a round of 160 km with a distance of 2',
      { ...eightHours(constant(20, 480)), distanceMeters: 2_000 },
      ' distance 2.0 km, track 159.7 km.',
      '\n2.0‡\n8:00\n',
    ],
    [
      'a round of 80 km with a distance of 160',
      { ...eightHours(constant(10, 480)), distanceMeters: 160_000 },
      ' distance 160.0 km, track 79.8 km.',
      '\n160.0‡\n8:00\n',
    ],
    [
      'driving for eight hours at 0 km/h',
      { ...eightHours(constant(0, 480)), distanceMeters: 100 },
      ' driving 7:57, track at most 0:01.',
      '\n0.1\n8:00‡\n',
    ],
    [
      'driving for eight hours without a reading',
      { track: [...every(60, [0, 20, 0]), ...every(60, [20, 0], '15:58')], distanceMeters: 100_000 },
      ' no reading for 7:56.',
      '\n100.0\n8:00‡\n',
    ],
    [
      'idling for seven hours of eight that it drove',
      { ...eightHours(constant(20, 480)), distanceMeters: 160_000, idleSeconds: 7 * 3600 },
      ' driving 1:00, track at least 7:59.',
      '\n160.0\n8:00‡\n',
    ],
    [
      'speeds in knots',
      { ...eightHours(constant(30, 480), 1.852), distanceMeters: 444_000 },
      ' mean of its speeds 30 km/h, of its way 56 km/h.',
      '\n30‡\n',
    ],
  ])('is held against its figures, and the mark has both: %s', async (_, changes, note, row) => {
    const page = await pageOf([roundTrip('08:00', '16:00', { idleSeconds: 180, ...changes })]);
    expect(page).toPrint(UNSUPPORTED + note);
    expect(page).toPrint(row);
    expect(page).not.toPrint(/xcluded|▲/);
    // The mark stands wherever the figure does.
    const figure = /distance|mean/.test(note) ? /\nDriving\n\d:\d\d\n/ : /\nDriving\n\d:\d\d‡\n/;
    expect(page).toPrint(/at most|no reading/.test(note) ? /\nDriving\n≤7:57‡\n/ : figure);
    expect(page).toPrint(note.includes(' distance') ? /\nDistance\n\d+\.\d‡\nkm\n/ : /\nDistance\n\d+\.\d\nkm\n/);
    expect(page).toPrint(note.includes(' distance') ? /\n\d+\.\d‡ km\n/ : /\n\d+\.\d km\n/);
    expect(page).toPrint(/ driving|reading/.test(note) ? /\nTotal\n\d+\.\d\n8:00‡\n/ : /\nTotal\n\d+\.\d‡?\n8:00\n/);
    expect(page).toPrint(note.includes(' mean') ? /\nTop\n30‡\nkm\/h\n/ : /\nTop\n[\d—]+\nkm\/h\n/);
  });

  it.each([
    [1, '08:02', '40‡'],
    [60, '10:02', '40‡'],
  ])('shows that three readings of 255 km/h at one place, %i s apart, are no top speed', async (seconds, end, top) => {
    const track = every(seconds, [...constant(40, 60), ...constant(255, 3), ...constant(40, 60)]);
    const still = track.map((point) => ({ ...point, ...PLACE }));
    const page = await pageOf([
      roundTrip('08:00', end, { track: still, maxSpeedKmh: 255, distanceMeters: 0, idleSeconds: 9 }),
    ]);
    expect(page.replaceAll('\n', ' ')).toPrint(
      '3 readings up to 255 km/h left out: the places beside them are too near.',
    );
    // A receiver that stays at a place and reports speeds is told, too.
    expect(page.includes('No. 1: 2:02 at 45 km/h within 100 m. No. 1: 3 readings')).toBe(seconds === 60);
    expect(page).toPrint(`\n${top}\n`);
    expect(page).toPrint('Left out because they cannot be true: 3 speed readings.');
    expect(page).not.toPrint('▲');
  });

  it('has its marks on the cover, too, which says where the reason is', async () => {
    const wrong = roundTrip('08:00', '16:00', { ...eightHours(constant(30, 480), 1.852), idleSeconds: 28_000 });
    const outcomes = [
      dayOf([{ ...wrong, distanceMeters: 2_000 }]),
      dayOf([trip()], { employeeCode: 'E2', mobileId: '2' }),
    ];
    const cover = await firstPage(outcomes);
    expect(cover).toPrint('\n1\n2.0‡\n0:13‡\n30‡\n2\n');
    expect(cover).toPrint('\n1\n15.3\n0:27\n65\n3\n');
    expect(cover).toPrint('\nTotal\n2\n17.3‡\n0:40‡\n65‡\n');
    expect(cover).toPrint('\nDistance\n17.3‡\n');
    expect(cover).toPrint('≥, ≤, ‡: the page of the driver says why.');
    expect(await firstPage([dayOf([trip()]), dayOf([])])).not.toPrint('‡');
  });

  it('has no mark for a distance that is right but for the shape of the earth', async () => {
    const there = (lat: number): ReportTrip =>
      between('08:00', '12:00', {
        track: [],
        distanceMeters: 200_000,
        start: { ...PLACE, time: '2024-05-17T08:00:00+09:00' },
        end: { ...PLACE, lat, time: '2024-05-17T12:00:00+09:00' },
      });
    const degrees = 200_000 / 111_320;
    expect(await pageOf([there(PLACE.lat + 1.009 * degrees)])).not.toPrint('‡');
    expect(await pageOf([there(PLACE.lat + 1.02 * degrees)])).toPrint('distance 200.0 km, straight line 204.0 km');
  });

  it('is marked in Japanese, too', async () => {
    const made = (changes: Partial<ReportTrip>): Promise<string> =>
      pageOf([roundTrip('08:00', '16:00', { idleSeconds: 180, ...changes })], 'ja');
    expect(await made({ ...eightHours(constant(20, 480)), distanceMeters: 2_000 })).toPrint(
      '‡ 記録で裏付けられない値：No.1：走行距離 2.0 km・軌跡 159.7 km',
    );
    expect(await made({ ...eightHours(constant(0, 480)), distanceMeters: 100 })).toPrint('走行 7:57・軌跡では0:01以下');
    expect(await made({ ...eightHours(constant(30, 480), 1.852), distanceMeters: 444_000 })).toPrint(
      '速度の平均 30 km/h・軌跡の平均 56 km/h',
    );
  });
});

describe('unknown ground', () => {
  it('after three times the usual interval without a fix is drawn dashed, and not before', async () => {
    const { track } = trip();
    const dashed = 'Dashed: no track, straight line';
    expect(await pageOf([trip()])).not.toPrint(dashed);
    expect(await pageOf([trip({ track: track.toSpliced(3, 2) })])).not.toPrint(dashed);
    expect(await pageOf([trip({ track: track.toSpliced(2, 3) })])).toPrint(dashed);
    expect(await pageOf([trip({ track: track.slice(4) })])).toPrint(dashed);
  });
});

describe('a day on which clocks change', () => {
  const night = [
    between('2026-10-25T08:10', '2026-10-25T09:20'),
    between('2026-10-25T09:30', '2026-10-25T10:40'),
    between('2026-10-26T07:40', '2026-10-26T08:20'),
  ];
  const options = { timeZone: 'Europe/Berlin', date: '2026-10-25T12:00:00Z' } as const;

  it('prints each time with its offset, and says when it changes, on the page and on the chart', async () => {
    const { pages } = await printed([dayOf(night)], { ...options, drivingRules: 'eu-561' });
    const page = words(pages[0]);
    expect(page).toPrint('Sunday, 25 October 2026\nAll times UTC+02:00 until 03:00, then UTC+01:00');
    // From 01:10 to 02:20 by the first clock, and from 02:30 by it to 02:40 by the second.
    expect(page).toPrint(/\n1\n01:10\n\+02:00\n[^]*?02:20\n\+02:00\n[^]*?\n1:10\n/);
    expect(page).toPrint(/\n2\n02:30\n\+02:00\n[^]*?02:40\n\+01:00\n[^]*?\n1:10\n/);
    expect(page).toPrint(/\n3\n23:40\n\+01:00\n[^]*?00:20\n26 Oct\n\+01:00\n/);
    expect(page).toPrint('Departure 01:10 +02:00');
    expect(page).toPrint('At the wheel without a break (Art. 7) 2:14 to 24:01, 01:10 +02:00–26 Oct 00:20 +01:00');
    const ticks = (pages[0] ?? []).filter(({ text, size }) => /^[+]0[12]:00$/.test(text) && Math.abs(size - 6.5) < 0.1);
    expect(ticks.map(({ text }) => text)).toEqual(['+02:00', '+01:00']);
    expect((ticks[0]?.x ?? 0) < (ticks[1]?.x ?? 0)).toBe(true);
  });

  it('has ticks at round times on both sides of the change', async () => {
    const { pages } = await printed([dayOf(night)], options);
    const ticks = (pages[0] ?? []).filter(({ text, size }) => /^\d\d:00$/.test(text) && Math.abs(size - 6.5) < 0.1);
    // Those of the band are above the chart.
    const lowest = Math.max(...ticks.map(({ y }) => y));
    const hours = ['00', '03', '06', '09', '12', '15', '18', '21', '00', '03'];
    expect(ticks.filter(({ y }) => y === lowest).map(({ text }) => text)).toEqual(hours.map((hour) => `${hour}:00`));
  });

  it('is written in Japanese too, and leaves other days of the zone as they are', async () => {
    expect(await firstPage([dayOf(night)], { ...options, locale: 'ja' })).toPrint(
      '時刻は03:00までUTC+02:00、以後UTC+01:00',
    );
    const tokyo = { timeZone: 'Asia/Tokyo', date: '2024-05-16T15:00:00Z' };
    expect(await firstPage([dayOf([trip()])], tokyo)).toBe(await pageOf([trip()]));
  });
});

it.each(['ja', 'en'] as const)(
  'a round of 150 stops takes five pages, rules about driving included: %s',
  async (locale) => {
    expect((await draw([dayOf(tripsInARow(150))], { locale, drivingRules: 'japan-2024' })).pages).toBe(5);
  },
);
