import { describe, expect, it } from '@jest/globals';
import { LABELS } from '../../../src/reports/page/labels.js';
import { eraYear } from '../../../src/reports/page/labels/ja.js';
import { readForms, FORM_BLOCKS, type ReportForm } from '../../../src/reports/report-form.js';
import type { ReportOptions, ReportTrip } from '../../../src/reports/model.js';
import { dayOf, firstPage, type PlacedText, printed, trip, tripsInARow } from './drawn.js';

/** Two trips with a pause of 40 minutes between them. */
const TRIPS: readonly ReportTrip[] = [
  trip(),
  trip({
    start: { ...trip().end, time: '2024-05-17T09:10:00+09:00' },
    end: { ...trip().end, time: '2024-05-17T09:40:00+09:00' },
    track: [],
  }),
];

async function pageWith(form: Partial<ReportForm> | undefined, options: Partial<ReportOptions> = {}): Promise<string> {
  const whole = form && { blocks: FORM_BLOCKS, labels: {}, era: false, ...form };
  return firstPage([dayOf(TRIPS)], { form: whole, ...options });
}

describe('the form that is filled in by hand', () => {
  it.each(['en', 'ja'] as const)('is all that has to be recorded, in %s', async (locale) => {
    const page = (await pageWith(undefined, { locale })).replaceAll(/\s/g, '');
    const { form, stamps } = LABELS[locale];
    for (const shown of [...Object.values(form), ...stamps]) expect(page).toPrint(shown.replaceAll(/\s/g, ''));
    if (locale === 'en') {
      expect(page).toPrint('□breakorsleep□waiting□loading□unloading');
      expect(page).toPrint('arr.:begin:end:□ancillaryworkbegin:end:consignor:yes/noplaceofpickup__________');
    }
    // The distance that was measured stands beside the odometer.
    expect(page).toPrint('30.6km');
  });

  it.each([
    [
      'en',
      '● □ break or sleep　□ loading　□ unloading',
      '1 shorter one\n0:05\n□ loading　□ unloading　________________\n',
    ],
    ['ja', '● □ 休憩・睡眠　□ 積込み　□ 取卸し', '短い休止 1件\n0:05\n□ 積込み　□ 取卸し　________________\n'],
  ] as const)(
    'has boxes from ten minutes on, a line for shorter stops, and one beside a gap: %s',
    async (locale, boxes, shorter) => {
      const { end } = trip();
      const at = (from: string, to: string, lat = end.lat): ReportTrip =>
        trip({
          start: { ...end, lat, time: `2024-05-17T${from}:00+09:00` },
          end: { ...end, time: `2024-05-17T${to}:00+09:00` },
          track: [],
        });
      const trips = [trip(), at('08:40', '09:00'), at('09:05', '09:20'), at('10:00', '10:30', end.lat + 0.1)];
      const page = (await firstPage([dayOf(trips)], { locale })).replaceAll(/\s/g, '');
      expect(page).toPrint(`0:10${boxes}`.replaceAll(/\s/g, ''));
      expect(page).toPrint(shorter.replaceAll(/\s/g, ''));
      expect(page).toPrint(/\(0:40\)×[^_]*_{16}/);
    },
  );

  it('is nothing at all with no blocks', async () => {
    const page = await pageWith({ blocks: [] });
    for (const left of ['Operations', 'Roll call', 'Odometer', 'Weather', 'Remarks', 'Registration', '□', '__']) {
      expect(page).not.toPrint(left);
    }
    expect(page).toPrint('● break candidate');
  });

  it.each(Array.from({ length: 24 }, (_, index) => index + 4))(
    'is there as a whole, once, however full the page of %i trips is',
    async (count) => {
      const { pages } = await printed([dayOf(tripsInARow(count))]);
      const texts = pages.flatMap((page) => page.map(({ text }) => text));
      for (const word of ['Roll call, alcohol check', 'Odometer out', 'Weather', 'Main points on the way', 'Remarks']) {
        expect(texts.filter((text) => text === word)).toHaveLength(1);
      }
      // A page of its own only if the others are full.
      const isForm = (page: readonly PlacedText[]): boolean => page.some(({ text }) => text === 'Remarks');
      expect(pages.findIndex(isForm)).toBeGreaterThanOrEqual(pages.length - 2);
    },
  );

  it('has the blocks, words and stamps that were configured, in their order', async () => {
    const form = {
      blocks: ['remarks', 'conditions'],
      labels: { remarks: 'Notes', rest: 'pause' },
      stamps: ['Boss'],
    } as const;
    const page = await pageWith(form);
    expect(page).toPrint(/□ pause[\s\S]*Notes[\s\S]*Weather[\s\S]*Boss/);
    for (const left of ['Operations', 'Roll call', 'Remarks']) expect(page).not.toPrint(left);
  });
});

describe('a date in the Japanese era', () => {
  it('is printed where it is configured, and nowhere else', async () => {
    const [plain, inEra] = [await pageWith({}, { locale: 'ja' }), await pageWith({ era: true }, { locale: 'ja' })];
    expect(plain).toPrint('2024年5月17日（金）');
    expect(inEra).toPrint('令和6年5月17日（金）');
    expect(inEra).toPrint('作成 令和6年5月18日（土） 06:00');
  });

  it.each([
    ['2026-11-22', '令和8年'],
    ['2019-05-01', '令和元年'],
    ['2019-04-30', '平成31年'],
    ['1989-01-08', '平成元年'],
    ['1989-01-07', '昭和64年'],
    ['1926-12-25', '昭和元年'],
    ['1912-07-30', '大正元年'],
    ['1873-01-01', '明治6年'],
    ['1872-12-31', '1872年'],
  ])('of %s is %s', (day, year) => expect(eraYear(day)).toBe(year));
});

describe('a file of forms', () => {
  it('may leave out whatever is to be as in the language', () => {
    expect(readForms({ ja: {} })).toEqual({
      forms: { ja: { blocks: FORM_BLOCKS, labels: {}, era: false } },
      organisations: new Map(),
      faults: [],
    });
    const given = { blocks: ['remarks'], labels: { remarks: 'Notes' }, stamps: [], era: true };
    expect(readForms({ ja: given, en: {} })).toMatchObject({ forms: { ja: given }, faults: [] });
    const acme = { name: 'ACME', locale: 'ja', timeZone: 'Asia/Tokyo', drivingRules: 'off' };
    const organisations = { acme, a: {}, toString: { logo: { file: 'a.png', alternative: 'A' } } };
    expect(readForms({ organisations })).toEqual({
      forms: {},
      organisations: new Map(Object.entries(organisations)),
      faults: [],
    });
  });

  it.each([
    [[], 'must hold an object with a form by language'],
    [{ de: {} }, 'has a form for "de"; there are en, ja.'],
    [{ ja: [] }, 'ja must be an object.'],
    [{ ja: { block: [] } }, 'ja has "block"; there are blocks, labels, stamps, era.'],
    [{ en: { blocks: 'remarks' } }, 'en.blocks must be a list of rollCall'],
    [{ en: { blocks: ['remark'] } }, 'en.blocks holds "remark"; there are rollCall'],
    [{ en: { blocks: ['remarks', 'remarks'] } }, 'en.blocks holds "remarks" twice.'],
    [{ en: { labels: { stamp: 'x' } } }, 'en.labels holds "stamp"; there are registration'],
    [{ en: { labels: { load: ' ' } } }, 'en.labels.load must be a text of 1 to 24 characters.'],
    [{ en: { labels: { load: 'x'.repeat(25) } } }, 'en.labels.load must be'],
    [{ en: { stamps: ['a', 'b', 'c', 'd', 'e', 'f'] } }, 'en.stamps must be a list of up to 5 texts'],
    [{ en: { stamps: ['運'.repeat(13)] } }, 'en.stamps must be'],
    [{ en: { era: true } }, 'en.era can be true for ja alone.'],
    [{ ja: { era: 1 } }, 'ja.era must be true or false.'],
    [{ organisations: [] }, 'organisations must be an object with settings by code.'],
    [{ organisations: { acme: 'ACME' } }, 'organisations.acme must be an object.'],
    [{ organisations: { acme: { zone: 'UTC' } } }, 'organisations.acme has "zone"; there are name, logo, locale'],
    [{ organisations: { acme: { name: '' } } }, 'organisations.acme.name must be a text of 1 to 100 characters.'],
    [{ organisations: { acme: { logo: 'a.png' } } }, 'organisations.acme.logo must be { "file", "alternative" }'],
    [{ organisations: { acme: { logo: { file: 'a.png' } } } }, 'organisations.acme.logo must be'],
    [{ organisations: { acme: { locale: 'de' } } }, 'organisations.acme.locale must be en or ja.'],
    [{ organisations: { acme: { timeZone: '+09:00' } } }, 'organisations.acme.timeZone must be a time zone'],
    [{ organisations: { acme: { drivingRules: 'eu' } } }, 'organisations.acme.drivingRules must be japan-2024 or'],
  ])('such as %j is refused, naming the place', (given, fault) => {
    expect(readForms(given).faults).toEqual([expect.stringContaining(fault)]);
  });

  it('has all of its faults reported at once', () => {
    expect(readForms({ ja: { blocks: [1, 2], era: 'yes' }, fr: {} }).faults).toHaveLength(4);
  });
});
