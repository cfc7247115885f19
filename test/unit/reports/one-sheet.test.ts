import { describe, expect, it } from '@jest/globals';
import type { DriverOutcome, ReportOptions, ReportTrip } from '../../../src/reports/model.js';
import { LABELS } from '../../../src/reports/page/labels.js';
import { dayOf, draw, printed, trip, tripsInARow, words } from './drawn.js';
import { rowsOf } from './printed-tables.js';

const ADDRESSES = {
  en: ['3-3-3 Toyosu, Koto City, Tokyo', '15 Daikoku Futo, Distribution Centre B, Berth 4, Tsurumi Ward, Yokohama'],
  ja: ['神奈川県川崎市川崎区東扇島22', '神奈川県横浜市鶴見区大黒ふ頭15 流通センターB棟 第4バース 北側搬入口'],
} as const;

/** Trips with pauses of 15 minutes, or so many, and one longer by 45 between them, and what rules weigh. */
function dayWith(count: number, address: string, mobileId = '100001', pause = 15): DriverOutcome {
  const later = (time: string): string => new Date(Date.parse(time) + 45 * 60_000).toISOString();
  const trips = tripsInARow(count, 4 + pause).map((each, index): ReportTrip => {
    const named = { ...each, startAddress: address, endAddress: address };
    if (index < count / 2) return named;
    const { start, end, track } = each;
    const moved = <Fix extends { readonly time: string }>(fix: Fix): Fix => ({ ...fix, time: later(fix.time) });
    return { ...named, start: moved(start), end: moved(end), track: track.map(moved) };
  });
  const weighed = { mobiles: [{ mobileId, trips: [], before: [], isShared: false }], isNoPerson: false };
  return { ...dayOf(trips, { mobileId, employeeCode: `E${mobileId}` }), weighed } as DriverOutcome; // of a day
}

const RULES = { en: ['eu-561', 'japan-2024'], ja: ['japan-2024'] } as const;
const DAYS = (['en', 'ja'] as const).flatMap((locale) =>
  RULES[locale].flatMap((drivingRules) => [
    { locale, drivingRules, count: 10, address: ADDRESSES[locale][0] },
    { locale, drivingRules, count: 5, address: ADDRESSES[locale][1] },
    { locale, drivingRules, count: 5, address: ADDRESSES[locale][1], pause: 40 },
  ]),
);

describe('a day', () => {
  it.each(DAYS)('of $count trips has one sheet in $locale by $drivingRules, with all that is signed', async (of) => {
    const { pages } = await printed([dayWith(of.count, of.address, undefined, of.pause)], of);
    expect(pages).toHaveLength(1);
    const [page = []] = pages;
    const text = words(page).replaceAll(/\s/g, '');
    const { form, stamps } = LABELS[of.locale];
    for (const word of [...Object.values(form), ...stamps]) expect(text).toPrint(word.replaceAll(/\s/g, ''));
    expect(page.filter(({ size }) => size < 6.5)).toEqual([]);
    const trips = rowsOf(page, of.locale, 1).filter(({ table }) => table === 'trips');
    expect(trips.flatMap(({ texts }) => texts).filter(({ size }) => size < 7)).toEqual([]);
    expect(trips).toHaveLength(of.count + 1);
  });

  it.each([12, 16, 25])(
    'of %i trips has what is signed and the stamps on one sheet, in the order of the form',
    async (count) => {
      const { pages } = await printed([dayWith(count, ADDRESSES.en[0])], { drivingRules: 'eu-561' });
      expect(pages.length).toBeGreaterThan(1);
      const before = pages.slice(0, -1).map(words).join('\n');
      const last = words(pages.at(-1));
      expect(last).toPrint(
        /Total[^]*Roll call[^]*Odometer out[^]*Weather[^]*Remarks[^]*Operations\nmanager\nAssistant/,
      );
      for (const word of ['Roll call', 'Odometer out', 'Weather', 'Remarks', 'Assistant'])
        expect(before).not.toPrint(word);
    },
  );

  it('of few trips leaves no mostly empty sheet: 50 drivers with 0 to 10 trips have 56 sheets at most', async () => {
    const drivers = Array.from({ length: 50 }, (_, index) =>
      dayWith(index % 11, ADDRESSES.en[0], String(100_001 + index)),
    );
    const { pages } = await draw(drivers, { drivingRules: 'eu-561' }, { compress: true, maxTaggedPages: 0 });
    expect(pages).toBeLessThanOrEqual(56);
  });
});

describe('the band of 24 hours', () => {
  const altOf = async (outcome: DriverOutcome, options: Partial<ReportOptions> = {}): Promise<string> => {
    const file = Buffer.from((await draw([outcome], options)).bytes).toString('latin1');
    const texts = [...file.matchAll(/\/Alt \(((?:\\[^]|[^\\)])*)\)/g)].map(([, text = '']) => {
      const bytes = Buffer.from(
        text.replaceAll(/\\([^])/g, (_, each: string) => (each === 'r' ? '\r' : each)),
        'latin1',
      );
      return bytes[0] === 0xfe ? bytes.swap16().toString('utf16le').slice(1) : bytes.toString('latin1');
    });
    return texts.find((text) => text.startsWith('The 24 hours')) ?? '';
  };

  it('says in words what it shows: driving, standing, breaks and gaps', async () => {
    expect(await altOf(dayWith(4, ADDRESSES.en[0]))).toBe(
      'The 24 hours: driving 0:12, standing in trips 0:00, breaks 1:30, no record 0:00.',
    );
    const track = trip().track.map((point, index) => ({
      ...point,
      ...(index > 2 && index < 6 && { speedKmh: 0, lat: 35.67 }),
    }));
    expect(await altOf(dayOf([trip({ track })]))).toPrint(/standing in trips 0:1\d,/);
  });

  it('marks the stretch that is beyond a limit for certain', async () => {
    const at = (hour: number): string =>
      new Date(Date.parse('2024-05-17T00:00:00+09:00') + hour * 3_600_000).toISOString();
    const long = trip({
      start: { ...trip().start, time: at(8) },
      end: { ...trip().end, time: at(14) },
      track: [],
      idleSeconds: 0,
      distanceMeters: 300_000,
    });
    expect(await altOf(dayOf([long]), { drivingRules: 'eu-561' })).toPrint(', ▲ 08:00–14:00.');
  });
});

describe('a stop', () => {
  it('of six to nine minutes has boxes where rules weigh it, and shares a line elsewhere', async () => {
    const trips = tripsInARow(2, 11);
    const weighed = await printed([{ ...dayWith(1, ''), ...dayOf(trips) }], { drivingRules: 'japan-2024' });
    expect(words(weighed.pages[0]).replaceAll('\n', ' ')).toPrint(/0:07 □ break or sleep\s□ loading\s□ unloading/);
    const [page] = (await printed([dayOf(trips)])).pages;
    expect(words(page).replaceAll('\n', ' ')).toPrint(/1 shorter one 0:07 □ loading\s□ unloading/);
  });
});

describe('a time', () => {
  it('has the same minus sign in its offset everywhere', async () => {
    const { pages } = await printed([dayOf([trip()])], {
      date: '2024-11-03T12:00:00-03:30',
      timeZone: 'America/St_Johns',
    });
    const text = words(pages[0]);
    expect(text).toPrint('−03:30');
    expect(text).not.toPrint(/-0\d:\d\d/);
  });
});

describe('a name', () => {
  it.each([
    ['ია გამსახურდია', 'eu-561'],
    ['ნინო წერეთელიანი-გამსახურდია', 'eu-561'],
    ['Dr. Konstantinopoulos', 'off'],
  ] as const)('is not torn within a word, with the cover by %s', async (employeeName, drivingRules) => {
    const { pages } = await printed([dayOf([trip()], { employeeName }), dayOf([])], { drivingRules });
    for (const page of pages.slice(0, 2)) {
      for (const word of employeeName.split(/ |(?<=-)/)) expect(page.map(({ text }) => text).join('\n')).toPrint(word);
    }
  });
});
