/** Conclusions of the page about driving time: as many as the record bears, and no more. */
import { describe, expect, it } from '@jest/globals';
import type { PersonMobile, ReportTrip, WeighedTrips } from '../../../src/reports/model.js';
import { dayOf, draw, firstPage, printed, read, trip, words } from './drawn.js';

type Rules = 'japan-2024' | 'eu-561' | 'eu-561-occasional' | 'off';
const PLACE = { lat: 35.65, lng: 139.75 };
const MIDNIGHT = Date.parse('2024-05-17T00:00:00+09:00');
const at = (minute: number): string => new Date(MIDNIGHT + minute * 60_000).toISOString();
const HOUR = 60;

/** A trip at 30 km/h between two minutes of the day at one place, without a track. */
function drive(from: number, to: number, changes: Partial<ReportTrip> = {}): ReportTrip {
  const [start, end] = [from, to].map((minute) => ({ ...PLACE, time: at(minute) }));
  const distanceMeters = 500 * (to - from);
  return trip({ ...(start && end && { start, end }), track: [], idleSeconds: 0, distanceMeters, ...changes });
}

/**
 * A track of a reading a minute; the speed is that of the minute, and so is the way to and fro before it unless `moves`
 * says otherwise, in km/h.
 */
function tracked(
  from: number,
  to: number,
  speedAt: (minute: number) => number | undefined,
  moves: (minute: number) => number = (minute) => speedAt(minute) ?? 50,
): ReportTrip {
  let north = 0;
  const track = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((minute) => {
    const speedKmh = speedAt(minute);
    north += (Math.floor(minute / 30) % 2 === 0 ? 1 : -1) * (moves(minute) / 60 / 111.32);
    return speedKmh === undefined ? [] : [{ ...PLACE, lat: PLACE.lat + north, time: at(minute), speedKmh }];
  });
  return drive(from, to, { track });
}

/** A day from 09:30 on: minutes of driving and of breaks in turn. */
function dayFrom(...minutes: readonly number[]): ReportTrip[] {
  let now = 9.5 * HOUR;
  return minutes.flatMap((length, index) => {
    const from = now;
    now += length;
    return index % 2 === 0 ? [drive(from, now)] : [];
  });
}

const own = (before: PersonMobile['before'], changes: Partial<PersonMobile> = {}): PersonMobile => ({
  mobileId: '100001',
  trips: [],
  before,
  isShared: false,
  ...changes,
});

async function told(
  drivingRules: Rules,
  trips: readonly ReportTrip[],
  weighed?: WeighedTrips,
  more: object = {},
): Promise<string> {
  const outcome = { ...dayOf(trips), ...(weighed && { weighed }), ...more };
  return (await printed([outcome], { drivingRules })).pages.map(words).join('\n').replaceAll('\n', ' ');
}

const CONTINUOUS = 'At the wheel without a break';
const JAPAN = `${CONTINUOUS} (Art. 4(1)(7))`;
const EUROPE = `${CONTINUOUS} (Art. 7)`;

describe('the rules of Japan', () => {
  it.each([
    // Two breaks of ten minutes do not end continuous driving.
    [[230, 10, 30, 10, 180], `▲ ${JAPAN} 7:20, 09:30–17:10: longer than 4:30.`],
    [[230, 10, 30, 20, 180], `△ ${JAPAN} 4:20, 09:30–14:00: longer than 4:00, up to 4:30 where no parking place`],
    [[240, 30, 240], `${JAPAN} 4:00, 09:30–13:30: not longer than 4:00.`],
    // Nine minutes are about ten, eight may be, and five are not.
    [[100, 9, 100, 21, 120], `${JAPAN} 3:20, 09:30–12:59: not longer than 4:00.`],
    [[100, 8, 100, 22, 120], `? ${JAPAN} 3:20 to 5:20, 09:30–15:20: may be longer than 4:30.`],
    [[100, 5, 100, 25, 120], `▲ ${JAPAN} 5:20`],
    // Three in a row below ten minutes are none; with a halt of five it depends on whether that is one.
    [[60, 9, 60, 9, 60, 9, 60, 9, 60], `▲ ${JAPAN} 5:00, 09:30–15:06: longer than 4:30.`],
    [[60, 9, 60, 5, 60, 9, 60, 12, 100], `? ${JAPAN} 4:00 to 5:40`],
    [[200, 170, 200, 170, 80], '△ On duty (Art. 4(1)(3)) 13:40, 09:30–23:10: longer than 13:00, up to 15:00'],
    [
      [200, 30, 200, 30, 200],
      '△ At the wheel in the duty (Art. 4(1)(6)) 10:00, 09:30–20:30: longer than 9:00, the mean',
    ],
  ])('find in a day of %j', async (minutes, finding) => {
    expect(await told('japan-2024', dayFrom(...minutes))).toPrint(finding);
  });

  it('count a stand of three hours as rest that may be divided, and a crossing by ferry, in the lower end only', async () => {
    const page = await told('japan-2024', dayFrom(100, 300, 460));
    expect(page).toPrint('? On duty (Art. 4(1)(3)) 9:20 to 14:20');
    const [first, second] = [drive(570, 700), drive(760, 900)];
    const ferry = [first, { ...second, start: { ...second.start, lat: 36 } }];
    expect(await told('japan-2024', ferry)).toPrint('On duty (Art. 4(1)(3)) 4:30 to 5:30');
    expect(await told('japan-2024', ferry)).toPrint(`? ${JAPAN} 2:20 to 5:30, 09:30–15:00: may be longer than 4:30.`);
    // A ferry leaves both parts of a rest to the other stands.
    const [away, back, last] = [drive(340, 400), drive(610, 640), drive(840, 900)];
    const divided = [drive(0, 100), { ...away, start: { ...away.start, lat: 36 } }, back, last];
    expect(await told('japan-2024', divided)).toPrint('? On duty (Art. 4(1)(3)) 4:10 to 15:00');
  });
});

describe('the rules of Europe', () => {
  it.each([
    ['eu-561', [150, 15, 120, 30, 200], `${EUROPE} 4:30, 09:30–14:15: not longer than 4:30.`],
    // In this order they are no break, except for occasional services.
    ['eu-561', [150, 30, 120, 15, 200], `▲ ${EUROPE} 7:50, 09:30–18:05: longer than 4:30.`],
    ['eu-561-occasional', [150, 30, 120, 15, 200], `${EUROPE} 4:30, 09:30–14:30: not longer than 4:30.`],
    ['eu-561-occasional', [100, 15, 100, 15, 100, 15, 100], `▲ ${EUROPE} 6:40`],
    ['eu-561', [270, 45, 270], `${EUROPE} 4:30, 09:30–14:00: not longer than 4:30.`],
    ['eu-561', [200, 45, 200, 45, 190], '△ At the wheel in the duty (Art. 6(1)) 9:50, 09:30–20:50: longer than 9:00'],
    [
      'eu-561',
      [270, 45, 270, 45, 120],
      '▲ At the wheel in the duty (Art. 6(1)) 11:00, 09:30–22:00: longer than 10:00.',
    ],
  ] as const)('%s find in a day of %j', async (rules, minutes, finding) => {
    expect(await told(rules, dayFrom(...minutes))).toPrint(finding);
  });
});

describe('a possible break', () => {
  it('is standing within a trip by its track: it counts in one end of the figure, and no one is accused', async () => {
    const delivery = tracked(570, 843, (minute) => (minute % 27 < 10 ? 50 : 0));
    const page = await told('japan-2024', [delivery]);
    expect(page).toPrint(
      /\? At the wheel without a break \(Art\. 4\(1\)\(7\)\) 0:\d\d to 4:33, 09:30–14:03: may be longer than 4:30\./,
    );
    expect(page).not.toPrint('▲');
  });

  const isAtStop = (minute: number): boolean => minute > 690 && minute < 750;
  const stopped = (kmh: number) => (minute: number) => (isAtStop(minute) ? kmh : 50);
  it.each([
    // Standing by speed and place is no driving in Europe; elsewhere it may be a jam.
    ['eu-561', stopped(0), stopped(0), `${EUROPE} 2:01 to 4:02, 09:30–14:30: not longer than 4:30.`],
    ['japan-2024', stopped(0), stopped(0), `? ${JAPAN} 2:01 to 5:00`],
    // A receiver that repeats its last speed at one place.
    ['eu-561', () => 50, stopped(0), `? ${EUROPE} 2:01 to 5:00`],
    ['japan-2024', () => 50, stopped(0), `? ${JAPAN} 2:01 to 5:00`],
    // A ferry, or a tow.
    ['eu-561', stopped(0), () => 50, `? ${EUROPE} 2:01 to 5:00`],
    // Speeds that were not measured.
    ['eu-561', () => 0, () => 50, `▲ ${EUROPE} 5:00`],
    ['eu-561', () => -1, () => 50, `▲ ${EUROPE} 5:00`],
    ['eu-561', () => -1, stopped(0), `? ${EUROPE} 2:01 to 5:00`],
    // Walking pace is a jam, and a stand of two minutes a light.
    ['eu-561', stopped(4), stopped(4), `? ${EUROPE} 2:01 to 4:57`],
    [
      'eu-561',
      (minute: number) => (minute % 30 < 3 ? 0 : 50),
      (minute: number) => (minute % 30 < 3 ? 0 : 50),
      `▲ ${EUROPE} 4:31 to 5:00`,
    ],
  ] as const)('is standing by speed and place: %#', async (rules, speedAt, moves, finding) => {
    expect(await told(rules, [tracked(570, 870, speedAt, moves)])).toPrint(finding);
  });

  it('is marked where speed and place contradict each other', async () => {
    const parked = await told('eu-561', [tracked(570, 870, () => 50, stopped(0))]);
    expect(parked).toPrint('No. 1: 0:59 at 50 km/h within 100 m');
    expect(parked).toPrint(/Driving ≤5:00‡ .* 5:00‡ .* Total 150\.0 5:00‡ /);
    const carried = tracked(570, 870, stopped(0), () => 50);
    expect(await told('eu-561', [carried])).toPrint(/No\. 1: .*0:58 at 0 km\/h over 48\.3 km/);
    const japanese = await draw([dayOf([carried])], { locale: 'ja' });
    expect((await read(japanese.bytes)).pages.map(words).join('').replaceAll('\n', '')).toPrint(
      '0:58は速度 0 km/h・位置は48.3 km移動',
    );
    for (const sound of [tracked(570, 870, stopped(0)), tracked(570, 870, stopped(4))]) {
      expect(await told('eu-561', [sound])).not.toPrint(/ 0 km\/h over|within 100 m/);
    }
  });

  it('is the rest of a trip that is slower than any: its distance is its least driving', async () => {
    const open = drive(540, 540 + 14 * HOUR, { distanceMeters: 20_000, maxSpeedKmh: NaN });
    const page = await told('eu-561', [open]);
    expect(page).toPrint(`? ${EUROPE} 0:01 to 14:00`);
    expect(page).toPrint('No. 1: driving 14:00, at least 0:13 for 20.0 km');
    expect(page).toPrint(/Driving ≤14:00‡ /);
    expect(await told('eu-561', [{ ...open, maxSpeedKmh: 40 }])).toPrint(
      '? At the wheel in the duty (Art. 6(1)) 0:30 to 14:00',
    );
    // At walking pace it may have been driven.
    expect(await told('eu-561', [{ ...open, distanceMeters: 71_000 }])).toPrint(`▲ ${EUROPE} 14:00`);
  });

  it('is no trip of another day, which is listed and not counted', async () => {
    const long = drive(-1_600, 300);
    const weighed = { mobiles: [own([long])], isNoPerson: false };
    expect(await told('eu-561', [long, drive(310, 400)], weighed)).toPrint(`? ${EUROPE} 1:30 to 33:10`);
  });

  it('is a move of less than 100 m and a minute, which begins and ends nothing for certain', async () => {
    const move = (minute: number): ReportTrip => ({
      ...drive(minute, minute, { distanceMeters: 60, idleSeconds: 0 }),
      end: { ...PLACE, time: new Date(MIDNIGHT + minute * 60_000 + 40_000).toISOString() },
    });
    const page = await told('japan-2024', [move(300), drive(570, 700), move(710), drive(730, 850), move(1_300)]);
    expect(page).toPrint('On duty (Art. 4(1)(3)) 4:40 to 16:41');
    expect(page).toPrint(`${JAPAN} 2:10 to 4:11`);
    expect(page).toPrint(/ Duty span ≤16:40 .* Breaks ≤12:30 .* Departure¶ 09:30 .* Return¶ 14:10 /);
    expect(page).toPrint('¶ No. 1, 3, 5: less than 100 m and less than a minute, which is no departure and no return');
    const within = await told('japan-2024', [drive(570, 700), move(710), drive(730, 850)]);
    expect(within).toPrint(/ Duty span 4:40 .* Departure 09:30 /);
    expect(await told('off', [move(300)])).toPrint(/ Departure 05:00 .* Return 05:00 /);
  });

  it('is idling of unknown place, which is no driving', async () => {
    const [idle, unknown] = [3_600, NaN].map((idleSeconds) => [drive(570, 870, { idleSeconds })]);
    expect(await told('eu-561', unknown ?? [])).toPrint(`? ${EUROPE} 0:00 to 5:00`);
    expect(await told('eu-561', idle ?? [])).toPrint(`${EUROPE} 2:00 to 4:00, 09:30–14:30: not longer than 4:30.`);
  });

  it('is a silence within a track or at its ends, and an excluded trip', async () => {
    const silent = tracked(570, 870, (minute) => (minute > 690 && minute < 750 ? undefined : 50));
    expect(await told('eu-561', [silent])).toPrint(`? ${EUROPE} 2:00 to 5:00`);
    const ending = tracked(570, 960, (minute) => (minute > 600 ? undefined : 50));
    expect(await told('eu-561', [ending])).toPrint(`? ${EUROPE} 0:30 to 6:30`);
    const overlapped = [drive(570, 690), drive(600, 720), drive(730, 840)];
    expect(await told('japan-2024', overlapped)).toPrint(`? ${JAPAN}`);
  });
});

describe('a duty', () => {
  it('begins before midnight, by whoever drove then: in the upper end; a trip that crosses midnight is in both', async () => {
    const before = [drive(-300, -90), drive(-60, 60)];
    const weighed = { mobiles: [own(before)], isNoPerson: false };
    const page = await told('eu-561', [drive(65, 200)], weighed);
    expect(page).toPrint(`? ${EUROPE} 4:15 to 7:45, 16 May 19:00–03:20: may be longer than 4:30.`);
    expect(page).not.toPrint('The 24 hours before 00:00 are not known.');
    // These hours are in no sum of the day.
    expect(page).toPrint(/Duty span 2:15 /);
  });

  it('ends by a rest: shorter ones of Japan may be one, and are printed', async () => {
    const weighed = { mobiles: [own([drive(-700, -10)])], isNoPerson: false };
    const page = await told('japan-2024', [drive(8.5 * HOUR - 10, 900)], weighed);
    expect(page).toPrint('? Rest (Art. 4(1)(5)) 8:30: may be shorter than 9:00; 11:00 where possible.');
    expect(page).toPrint(/\? On duty \(Art\. 4\(1\)\(3\)\) 6:40 to 26:40/);
    const rested = await told('japan-2024', [drive(9 * HOUR, 900)], weighed);
    expect(rested).toPrint(/On duty \(Art\. 4\(1\)\(3\)\) 6:00, 09:00–15:00: not longer than 13:00\./);
  });

  it('without a trip in the 24 hours before is told so, with the least rest; not known is what was not fetched', async () => {
    const weighed = { mobiles: [own([])], isNoPerson: false };
    const page = await told('eu-561', [drive(9.5 * HOUR, 10 * HOUR)], weighed);
    expect(page).toPrint('Rest (Art. 8(2)) at least 33:30: 11:00 or longer. No trip in the 24 hours before 00:00.');
    expect(page).not.toPrint('are not known');
    const failed = await told('eu-561', [drive(9.5 * HOUR, 10 * HOUR)], {
      mobiles: [own(undefined)],
      isNoPerson: false,
    });
    expect(failed).toPrint('The 24 hours before 00:00 are not known.');
    expect(failed).not.toPrint(/No trip in the 24 hours|Rest \(/);
  });

  it('that is not over by midnight is so far within, and so is one whose begin is not known', async () => {
    const late = 'not longer than 13:00 so far as recorded.';
    expect(await told('japan-2024', [drive(1_200, 1_450)])).toPrint(late);
    const page = await told('japan-2024', [drive(60, 120), drive(320, 380)]);
    expect(page).toPrint(late);
    expect(page).toPrint('The 24 hours before 00:00 are not known.');
    expect(page).not.toPrint('Rest (');
    const failed = { mobiles: [own(undefined)], isNoPerson: false };
    expect(await told('eu-561', [drive(400, 500)], failed)).toPrint(
      `${EUROPE} 1:40, 06:40–08:20: not longer than 4:30 so far as recorded.`,
    );
  });
});

describe('a rest', () => {
  const CROSSING = drive(-60, 60);
  it.each([
    // Both trips are the person's, and no time is left for a longer one within 24 hours of the first.
    ['eu-561', [CROSSING], [drive(420, 1_000)], '▲ Rest (Art. 8(2)) 6:00: shorter than 9:00.'],
    ['eu-561', [CROSSING], [drive(420, 800)], '? Rest (Art. 8(2)) 6:00: may be shorter than 9:00.'],
    // A trip before 00:00 may be that of somebody else.
    ['eu-561', [drive(-300, -10)], [drive(350, 1_000)], '? Rest (Art. 8(2)) 6:00: may be shorter than 9:00.'],
    ['eu-561', [drive(-300, -10)], [drive(620, 1_000)], '? Rest (Art. 8(2)) 10:30: may be shorter than 11:00.'],
    ['eu-561', [CROSSING], [drive(660, 1_300)], '△ Rest (Art. 8(2)) 10:00: shorter than 11:00, 9:00 three times'],
    ['eu-561', [CROSSING], [drive(720, 1_300)], ' Rest (Art. 8(2)) 11:00: 11:00 or longer.'],
    // 3:00 before it may make it a divided one.
    [
      'eu-561',
      [drive(-400, -300), CROSSING],
      [drive(660, 1_300)],
      '? Rest (Art. 8(2)) 10:00: may be shorter than 11:00.',
    ],
    ['japan-2024', [CROSSING], [drive(570, 1_300)], '△ Rest (Art. 4(1)(5)) 8:30: shorter than 9:00, 8:00 twice a week'],
    [
      'japan-2024',
      [CROSSING],
      [drive(420, 1_300)],
      '▲ Rest (Art. 4(1)(5)) 6:00: shorter than 8:00; 11:00 where possible.',
    ],
    [
      'japan-2024',
      [CROSSING],
      [drive(300, 400), drive(760, 1_370)],
      '? Rest (Art. 4(1)(5)) 6:00: may be shorter than 8:00;',
    ],
  ] as const)('by %s: %#', async (rules, before, trips, finding) => {
    expect(await told(rules, trips, { mobiles: [own(before)], isNoPerson: false })).toPrint(finding);
  });

  it('is on the cover with its mark, and a vehicle with several drivers has none that is too short for certain', async () => {
    const trips = [drive(420, 1_000)];
    const day = dayOf(trips);
    const weighed = { mobiles: [own([CROSSING])], isNoPerson: false };
    const shared = { mobiles: [own([CROSSING], { isShared: true })], isNoPerson: false };
    const [ofOne, ofTwo] = [
      { ...day, weighed },
      { ...dayOf(trips, { mobileId: '2', employeeCode: 'E2' }), weighed: shared, isShared: true },
    ];
    const cover = words((await printed([ofOne, ofTwo], { drivingRules: 'eu-561' })).pages[0]).replaceAll('\n', ' ');
    expect(cover).toPrint(' Driving h:mm Rest h:mm Top km/h ');
    expect(cover).toPrint(/ 1 290\.0 9:40 ▲ 6:00 65 2 ▲ /);
    expect(cover).toPrint(/ 1 290\.0 9:40 \? 6:00 65 3 /);
    expect(cover).toPrint('▲ 1 page beyond a limit of Regulation (EC) No 561/2006');
    const failed = { ...day, weighed: { mobiles: [own(undefined)], isNoPerson: false } };
    const unknown = words((await printed([failed, ofTwo], { drivingRules: 'eu-561' })).pages[0]).replaceAll('\n', ' ');
    expect(unknown).toPrint(/ 1 290\.0 9:40 65 2 /);
    expect(await firstPage([ofOne, ofTwo])).not.toPrint('\nRest\n');
  });

  it('behind a gap in the record is a range, and what is marked for the gap alone says so', async () => {
    const [last, next] = [drive(-540, -420), drive(360, 480)];
    const moved = { ...next, start: { ...next.start, lat: PLACE.lat + 0.01078 } };
    const weighed = { mobiles: [own([last])], isNoPerson: false };
    const page = await told('eu-561', [moved], weighed);
    expect(page).toPrint('× 13:00 without a record before 06:00; the vehicle moved 1.2 km.');
    expect(page).toPrint('? Rest (Art. 8(2)) 0:00 to 13:00: may be shorter than 9:00, only because of the gap before.');
    expect(page).toPrint(
      `? ${EUROPE} 2:00 to 17:00, 16 May 15:00–08:00: may be longer than 4:30, only because of the gap`,
    );
    expect(page).toPrint(/Breaks between trips .* \(0\) — 17:00 16 May 06:00 \(13:00\) × Next trip starts 1 km away/);
    expect(page).toPrint(/ Breaks 0:00 /);
    const long = { ...moved, end: { ...moved.end, time: at(700) } };
    expect(await told('eu-561', [long], weighed)).toPrint(/▲ At the wheel without a break \(Art\. 7\) 5:40 to 20:40/);
    expect(await told('eu-561', [next], weighed)).not.toPrint(/without a record|only because/);
  });
});

describe('the mean of two days', () => {
  const day = [drive(300, 600), drive(630, 930)];
  it.each([
    [450, 'At the wheel in the duty (Art. 4(1)(6)) 10:00, 05:00–15:30: the mean with the duty before is at most 8:45.'],
    [
      570,
      '△ At the wheel in the duty (Art. 4(1)(6)) 10:00, 05:00–15:30: longer than 9:00, the mean of two days counts: at most 9:45 with',
    ],
  ])('with %i minutes of the duty before is named, and decides whether it may be longer', async (minutes, finding) => {
    const page = await told('japan-2024', day, {
      mobiles: [own([drive(-1_300, -1_300 + minutes)])],
      isNoPerson: false,
    });
    expect(page).toPrint(finding);
    // A duty that began before the record is not known.
    const crossing = { mobiles: [own([drive(-1_500, -1_300)])], isNoPerson: false };
    expect(await told('japan-2024', day, crossing)).toPrint('△ At the wheel in the duty (Art. 4(1)(6)) 10:00');
  });
});

describe('the exception for long distances', () => {
  it('says what would have to be true, with the distance of the day and whether it ends where it began', async () => {
    const day = [drive(60, 160), drive(330, 430), drive(600, 650), drive(820, 840), drive(930, 990)];
    const page = await told('japan-2024', day);
    expect(page).toPrint('longer than 13:00, up to 15:00, longer than 14:00 twice a week as a guide (目安)');
    expect(page).toPrint(
      '16:00 only if this day belongs to a run of 450 km or more with the rest away from home; this day has 165.0 km and ends where it began',
    );
    const [first, ...others] = day;
    const away = first && { ...first, start: { ...first.start, lat: 36 } };
    expect(await told('japan-2024', away ? [away, ...others] : [])).toPrint(/this day has 165\.0‡? km[;.]/);
  });
});

describe('a person', () => {
  const other = (trips: PersonMobile['trips']): WeighedTrips => ({
    mobiles: [own([drive(-1_000, -900)]), own([], { mobileId: 'TK-2', trips })],
    isNoPerson: false,
  });

  it('is weighed over all mobiles, and the page names the others', async () => {
    const page = await told('eu-561', [drive(570, 720)], other([drive(725, 860)]));
    expect(page).toPrint(`▲ ${EUROPE} 4:45, 09:30–14:20: longer than 4:30.`);
    expect(page).toPrint('Weighed together with mobile TK-2 of the same employee code.');
    expect(page).toPrint('Rest (Art. 8(2)) 24:30: 11:00 or longer.');
    const unused = await told('eu-561', [], other([drive(570, 900)]));
    expect(unused).toPrint(/No driving was recorded.*▲ At the wheel.* 5:30, .*Weighed together with mobile TK-2/);
  });

  it('drives one vehicle at a time: trips that overlap are told, and count once at most', async () => {
    const page = await told('eu-561', [drive(570, 720)], other([drive(660, 860)]));
    expect(page).toPrint(`? ${EUROPE} 2:30 to 4:50, 09:30–14:20: may be longer than 4:30.`);
    expect(page).toPrint('At the wheel in the duty (Art. 6(1)) 2:30 to 4:50');
    expect(page).toPrint('× Trips on two mobiles overlap, first at 11:00: one person cannot have driven both.');
    // Each of both is longer by itself.
    const both = await told('eu-561', [drive(570, 850)], other([drive(560, 860)]));
    expect(both).toPrint(`▲ ${EUROPE} 4:40 to 5:00, 09:20–14:20: longer than 4:30.`);
    expect(await told('eu-561', [drive(570, 720)], other([drive(720, 860)]))).not.toPrint('overlap');
    // On one mobile the record of one is wrong, and which is not known.
    expect(await told('eu-561', [drive(570, 600), drive(590, 880)])).toPrint(`? ${EUROPE} 0:30 to 5:10`);
  });

  it('whose other record is missing is within nothing, and neither is a code that is none', async () => {
    const page = await told('eu-561', [drive(570, 720)], other(undefined));
    expect(page).toPrint('× The record of mobile TK-2 of the same employee code could not be fetched.');
    expect(page).not.toPrint('Weighed together');
    expect(page).toPrint('not longer than 4:30 so far as recorded.');
    expect(await told('eu-561', [drive(570, 720)], { mobiles: [own([])], isNoPerson: true })).toPrint(
      'The employee code is on more than eight mobiles: only this one is weighed.',
    );
  });

  it('shares a vehicle: both are told, no figure is longer for certain, and the cover counts the vehicle once', async () => {
    const day = dayFrom(300);
    const outcomes = ['E1', 'E2'].map((employeeCode) => ({ ...dayOf(day, { employeeCode }), isShared: true }));
    const { pages } = await printed(outcomes, { drivingRules: 'eu-561' });
    const [cover, first, second] = pages.map((page) => words(page).replaceAll('\n', ' '));
    for (const page of [first, second]) {
      expect(page).toPrint('× This vehicle had two drivers or more. The record does not say who drove.');
      expect(page).toPrint(`? ${EUROPE} 0:00 to 5:00`);
    }
    expect(second).toPrint('× The same vehicle with another driver is counted on page 2.');
    expect(cover).toPrint('× The same vehicle with another driver is counted on page 2.');
    expect(cover).toPrint(/Total 1 150\.0 5:00 /);
    expect(cover).not.toPrint('▲');
  });
});

describe('the block', () => {
  it('says whose rules they are and what is not known; the cover names who is longer for certain; off says nothing', async () => {
    const day = dayFrom(60, 9, 60, 9, 60, 9, 60, 3, 60);
    const text = await told('japan-2024', day);
    expect(text).toPrint('Improvement standards for trucks (改善基準告示), Japan, April 2024');
    expect(text).toPrint('Nothing is deducted for unforeseen events (予期し得ない事象): see the remarks.');
    expect(text.match(/ 0:09 /g)).toHaveLength(3);
    expect(text).toPrint('1 shorter one 0:03');
    expect(text).not.toPrint(/lower bound|violat|beyond/);
    expect(await told('off', day)).not.toPrint(/without a break|roll call:/);
    const days = [dayOf(day), dayOf(day, { mobileId: '3' }), dayOf(dayFrom(60), { employeeCode: 'E2', mobileId: '2' })];
    const cover = await firstPage(days, { drivingRules: 'japan-2024' });
    expect(cover).toPrint('▲ 2 pages beyond a limit of Improvement standards for trucks');
    expect(cover.match(/\n\d\n▲\n/g)).toHaveLength(2);
    const japanese = (await firstPage([dayOf(day)], { drivingRules: 'japan-2024', locale: 'ja' })).replaceAll('\n', '');
    expect(japanese).toPrint('改善基準告示（トラック）2024年4月');
    expect(japanese).toPrint('▲ 連続運転時間（最長）（第4条第1項第7号） 5:00（09:30–15:00）：4:30より長い');
  });

  it('is drawn in time for a day of a thousand choices', async () => {
    const many = Array.from({ length: 120 }, (_, index) => drive(index * 12, index * 12 + 4));
    expect((await draw([dayOf(many)], { drivingRules: 'japan-2024' })).pages).toBeGreaterThan(1);
  });
});
