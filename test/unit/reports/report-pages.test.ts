import { describe, expect, it } from '@jest/globals';
import type { DriverOutcome } from '../../../src/reports/model.js';
import { sampleOutcome } from '../../support/sample-report.js';
import { REASONS } from './worst-days.js';
import { rowsOf, type TableName } from './printed-tables.js';
import { dayOf, draw, DRIVER, failed, printed, read, trip, tripsInARow, words } from './drawn.js';

describe('the pages of a report', () => {
  it('carry a cover when there is more than one driver, with the failed ones first', async () => {
    expect((await printed([dayOf(tripsInARow(2))])).pages).toHaveLength(1);
    const outcomes = [
      dayOf([trip()]),
      failed('The mobile was not found.', { employeeName: 'Seán O’Brien' }),
      dayOf([], { employeeCode: 'E20022', employeeName: 'Zoë', mobileId: '100002' }),
    ];
    const { pages, bookmarks } = await printed(outcomes);
    expect(pages).toHaveLength(3);
    expect(words(pages[0])).toPrint(/\n2\nSeán O’Brien\n[^]*\n1\n齋藤 健一郎\n[^]*\n3\nZoë\n/);
    expect(bookmarks).toEqual(['Daily driving reports', 'E20021 齋藤 健一郎', 'E20022 Zoë']);
  });

  it('make a report of no drivers, which says so', async () => {
    const { pages } = await printed([]);
    expect(pages).toHaveLength(1);
    expect(words(pages[0])).toPrint('No driver was requested.');
  });

  it.each([
    [1, 1],
    [30, 1],
    [100, 3],
  ])('list %i failed drivers on %i pages, each under the same headings', async (count, expected) => {
    const outcomes = Array.from({ length: count }, (_, index) => failed(`reason ${index}.`));
    const { pages } = await printed(outcomes);
    expect(pages).toHaveLength(expected);
    const reasons = pages.flat().filter(({ text }) => text.startsWith('× Mobile not found'));
    const inOrder = Array.from({ length: count }, (_, index) => `× Mobile not found: reason ${index}.`);
    expect(reasons.map(({ text }) => text)).toEqual(inOrder);
    for (const page of pages) expect(words(page)).toPrint('Employee code');
    expect(words(pages.at(-1))).toPrint('Total');
  });

  it.each([
    [1, 1],
    [2, 1],
    [11, 1],
    [20, 2],
    [60, 3],
    [150, 5],
  ])('print %i trips and the breaks between them on %i pages, each once and in order', async (count, expected) => {
    const { pages } = await printed([dayOf(tripsInARow(count))]);
    expect(pages).toHaveLength(expected);
    const rows = pages.flatMap((page) => rowsOf(page, 'en', 1)).filter(({ name }) => name !== 'Carried forward');
    const namesIn = (table: TableName): string[] => rows.filter((row) => row.table === table).map(({ name }) => name);
    const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
    expect(namesIn('trips')).toEqual([...numbers, 'Total']);
    // All of them are of three minutes.
    const shorter = count === 2 ? '1 shorter one' : `${count - 1} shorter ones`;
    expect(namesIn('breaks')).toEqual(count === 1 ? [] : [shorter, 'Total']);
    for (const [index, page] of pages.entries()) {
      expect(words(page)).toPrint(new RegExp(`Page ${index + 1} of[\\s]*${expected}`));
      const text = words(page);
      for (const shown of ['E20021', 'TK-1042', 'Tohto Transport', '17 May 2024']) expect(text).toPrint(shown);
      if (index > 0) expect(text).toPrint(`Page ${index + 1} of ${expected} of this driver`);
    }
  });

  it('leave no single row to a page of its own', async () => {
    const counts = Array.from({ length: 51 }, (_, index) => 10 + index);
    const days = counts.map((count) => dayOf(tripsInARow(count, 20), { employeeCode: `${count} trips` }));
    const { pages } = await printed(days);
    let seen = 0;
    const left = pages.flatMap((page) => {
      const rows = rowsOf(page, 'en', days.length).filter(({ name }) => /^\d+$/.test(name));
      return (['trips', 'breaks'] as const).flatMap((table) => {
        const { length } = rows.filter((row) => row.table === table);
        seen += length;
        return length === 1 || length === 2 ? [[...words(page).matchAll(/^\d+ trips$/gm)].flat(), table] : [];
      });
    });
    expect(left).toEqual([]);
    expect(seen).toBe(counts.reduce((sum, count) => sum + count + count - 1, 0));
  });

  it('count the pages of the cover for any number of drivers', async () => {
    for (const count of [2, 37, 38, 40, 41, 90]) {
      const { bytes, pages: total } = await draw(Array.from({ length: count }, () => dayOf([])));
      const { pages } = await read(bytes);
      expect(pages).toHaveLength(total);
      const covers = total - count;
      pages.forEach((page, index) => expect(words(page)).toPrint(new RegExp(`Page ${index + 1} of\\s*${total}$`, 'm')));
      const listed = pages
        .slice(0, covers)
        .map((page) => rowsOf(page, 'en', count).filter(({ name }) => /^\d+$/.test(name)));
      expect(listed.flat()).toHaveLength(count);
      // A page with one or two drivers is no page.
      if (covers > 1) expect(listed.at(-1)?.length).toBeGreaterThan(2);
      expect(words(pages[covers - 1])).toPrint('Total');
      expect(words(pages[0])).toPrint(new RegExp(`^${covers + 1}$`, 'm'));
    }
  });

  it('have the speed axis of their own driver', async () => {
    const upTo = (kmh: number): DriverOutcome =>
      dayOf([trip({ track: trip().track.map((point) => ({ ...point, speedKmh: kmh })) })]);
    const { pages } = await printed([upTo(100), upTo(112)]);
    expect(words(pages[1])).toPrint(/^0\n20\n40\n60\n80\n100\n120$/m);
    expect(words(pages[2])).toPrint(/^0\n30\n60\n90\n120$/m);
  });

  it('refuse another number of drivers than was announced, since the cover has counted them', async () => {
    await expect(draw([dayOf([])], { driverCount: 2 })).rejects.toThrow(/announced with 2 drivers, but only 1 came/);
    await expect(draw([dayOf([]), dayOf([])], { driverCount: 1 })).rejects.toThrow(
      /announced with 1 drivers, but more/,
    );
  });

  it.each([
    ['en', /^[\x20-\x7e×]+$/],
    ['ja', /[\u3040-\u30ff\u4e00-\u9fff]/],
  ] as const)('say in %s why a driver has no page, with all that the backend said', async (locale, language) => {
    const detail = 'sealed by the court of the district, see the letter of 3 May, reference 2024/118-B, page 4';
    for (const reason of REASONS) {
      const outcomes: DriverOutcome[] = [
        dayOf([]),
        { kind: 'failed', driver: { ...DRIVER, employeeCode: 'E2' }, reason },
        { kind: 'failed', driver: DRIVER, reason, detail },
      ];
      const [cover = []] = (await printed(outcomes, { locale })).pages;
      const own = cover.find(({ text, size }) => text.startsWith('× ') && size === 7)?.text ?? '';
      expect(own).toPrint(language);
      expect(words(cover).replaceAll('\n', ' ')).toPrint(detail);
    }
  });

  it.each(['en', 'ja'] as const)('cut none of their own words in %s', async (locale) => {
    const outcomes = Array.from({ length: 13 }, (_, index) => sampleOutcome(index, { locale }));
    const { pages } = await printed(outcomes, { locale });
    expect(pages.flat().filter(({ text }) => text.includes('…'))).toEqual([]);
  });

  it('name the vehicle everywhere, and the mobile alone where it is not known', async () => {
    const unknown = { employeeCode: 'E2', mobileId: '4711', vehicle: undefined };
    const pages = (await printed([dayOf([trip()]), dayOf([trip()], unknown)])).pages.map(words);
    const [cover = '', known = '', other = ''] = pages;
    expect(cover).toPrint('\nTK-1042\n');
    expect(cover).not.toPrint('100001');
    expect(known).toPrint('\nTK-1042\nRefrigerated truck, 4 t\n');
    for (const page of [cover, other]) expect(page).toPrint('\n4711\n');
  });

  it('leave out the middle of an address that is too long, never its building', async () => {
    const address = `${'東京都江東区豊洲'.repeat(12)}3-3-3 センタービル12階`;
    const { pages } = await printed([dayOf([trip({ startAddress: address })])]);
    const cut = (pages[0] ?? []).filter(({ text }) => text.includes('…'));
    // At the departure and in the row of the trip.
    expect(cut).toHaveLength(2);
    for (const { text } of cut) expect(text).toPrint(/^….*3-3-3 センタービル12階$/);
    // And in full below.
    expect(words(pages[0]).replaceAll('\n', '')).toPrint(`No. 1: ${address}`);
  });

  it('print in full below what is too long for its place', async () => {
    const driver = {
      employeeName: `${'長'.repeat(60)}最後`,
      employeeCode: `${'E'.repeat(60)}99`,
      vehicle: { num: `${'v'.repeat(60)}98`, name: `${'w'.repeat(60)}97` },
    };
    const { pages } = await printed([dayOf([trip()], driver), dayOf([])], { org: `${'o'.repeat(250)}end` });
    for (const page of pages.slice(0, 2)) {
      const text = words(page).replaceAll('\n', '');
      for (const whole of [driver.employeeName, driver.employeeCode, driver.vehicle.num]) expect(text).toPrint(whole);
    }
    expect(words(pages[1]).replaceAll('\n', '')).toPrint(driver.vehicle.name);
    expect(words(pages[1]).replaceAll('\n', '')).toPrint(`${'o'.repeat(250)}end`);
  });
});

describe('the bytes of a report', () => {
  it('carry title, author, language and job, escaped where XML needs it', async () => {
    const { bytes } = await draw([dayOf([trip()])], { org: 'A & B <Transport>' });
    const { info } = await read(bytes);
    expect(info).toMatchObject({
      Title: 'Daily driving report 2024-05-17',
      Author: 'A & B <Transport>',
      Keywords: '018f8a3e-7c1d-7e2a-9b54-2f1d6c0a8e91',
      Language: 'en',
    });
    const file = Buffer.from(bytes).toString('latin1');
    expect(file.includes('<rdf:li>A &amp; B &lt;Transport&gt;</rdf:li>')).toBe(true);
  });

  it('are tagged up to the configured number of pages and not above it', async () => {
    // Two pages behind a cover.
    const outcomes = [dayOf([trip()]), dayOf([trip()])];
    const tagged = Buffer.from((await draw(outcomes, {}, { maxTaggedPages: 3 })).bytes).toString('latin1');
    expect(tagged.includes('/StructTreeRoot')).toBe(true);
    expect(/\/S \/Figure[^>]*\/Alt \(Speed over time\. Top 65 km\/h/.test(tagged)).toBe(true);
    expect(/\/S \/TH[\s\S]{0,80}\/Scope \/Column/.test(tagged)).toBe(true);
    const untagged = Buffer.from((await draw(outcomes, {}, { maxTaggedPages: 2 })).bytes).toString('latin1');
    expect(untagged.includes('/StructTreeRoot')).toBe(false);
    expect(untagged.includes('BDC')).toBe(false);
  });
});
