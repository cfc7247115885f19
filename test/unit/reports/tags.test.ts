import { execFileSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { DriverOutcome } from '../../../src/reports/model.js';
import { coverColumns } from '../../../src/reports/page/cover-layout.js';
import { breakColumns, tripColumns } from '../../../src/reports/page/driver-layout.js';
import { LABELS } from '../../../src/reports/page/labels.js';
import { describeWith } from '../../support/system-tools.js';
import { dayOf, draw, failed, read, trip, tripsInARow, withFile, words } from './drawn.js';

const OUTCOMES = [dayOf(tripsInARow(30, 20)), failed('No such mobile.'), dayOf([], { employeeCode: 'E20022' })];

/** The columns of the tables of this report. */
const COLUMNS = [coverColumns(LABELS.en, OUTCOMES.length, false), tripColumns(LABELS.en), breakColumns(LABELS.en)];

describeWith(['pdfinfo'], 'a screen reader', () => {
  it('hears the heading of every section first', async () => {
    const sections = (await structureOf(OUTCOMES)).split(/^ {2}Sect\b.*$/m).slice(1);
    expect(sections).toHaveLength(3);
    for (const section of sections) expect(section.trimStart()).toMatch(/^H1/);
  });

  it('finds every row of a table as wide as its heading', async () => {
    const tables = (await structureOf(OUTCOMES)).split(/^ {4}Table\b.*$/m).slice(1);
    const widths = tables.map((table) =>
      table
        .split(/^ {6}TR\b.*$/m)
        .slice(1)
        .map(columnsOf),
    );
    const rowsOfWidth = (rows: number, width: number): number[] => Array.from({ length: rows }, () => width);
    // The cover has a head, three drivers and a total. The first driver has a head, thirty trips, a row that is carried
    // forward and a total; then a head, twenty-nine breaks and a total.
    const [cover = 0, trips = 0, breaks = 0] = COLUMNS.map(({ length }) => length);
    expect(widths).toEqual([rowsOfWidth(5, cover), rowsOfWidth(33, trips), rowsOfWidth(31, breaks)]);
  });

  it('hears what each heading and row name is for, and figures apart from their units', async () => {
    const structure = await structureOf(OUTCOMES);
    // Totals of three tables, what one of them carries forward, and three drivers.
    expect(structure.match(/^ {8}TH\b.*\n.*Scope \/Row/gm)).toHaveLength(4 + 3);
    // A column of addresses has no heading of its own.
    const headings = COLUMNS.flat().filter(({ heading }) => heading !== '');
    expect(structure.match(/Scope \/Column/g)).toHaveLength(headings.length);
    const text = Buffer.from((await draw(OUTCOMES)).bytes).toString('latin1');
    expect(text).toContain('/ActualText (Distance km)');
    expect(text).toContain('/ActualText (39.0 km)');
  });
});

describeWith(['pdfinfo'], 'a tagged report', () => {
  it('has the words of a logo once a section, and its picture once', async () => {
    const samples = deflateSync(Buffer.alloc(50 * 20 * 3));
    const entries = { ColorSpace: 'DeviceRGB', BitsPerComponent: 8 };
    const logo = { width: 50, height: 20, alternative: 'ACME, a blue bird', samples, entries };
    const { bytes } = await draw(OUTCOMES, { logo, organisation: 'ACME Ltd' });
    const text = Buffer.from(bytes).toString('latin1');
    expect(text.match(/\/Alt \(ACME, a blue bird\)/g)).toHaveLength(3);
    expect(text.match(/\/Subtype \/Image/g)).toHaveLength(1);
    const { pages } = await read(bytes);
    for (const page of pages.slice(0, 2)) expect(words(page)).toPrint('ACME Ltd');
    expect(words(pages.flat())).not.toPrint('Tohto');
  });

  it('says for each cell of the cover which headings it belongs to', async () => {
    const structure = await structureOf(OUTCOMES);
    expect(structure).toMatch(/TH <driver 1>/);
    expect(structure).toContain('/Headers [(column 5) (driver 1)]');
    // The reason why there is no report stands under all headings that it takes the place of.
    expect(structure).toMatch(/\/Headers \[\(column 4\).*\(column 10\) \(driver 2\)\]/);
  });

  it('has its links among its elements, with words for them', async () => {
    const structure = await structureOf(OUTCOMES);
    expect(structure.match(/^ {10}Link \(inline\)\n +Object \d+/gm)).toHaveLength(2);
    const file = await plainFile();
    const links = [...file.matchAll(/\/Subtype \/Link [^\n]*/g)].map(([link]) => link);
    expect(links).toHaveLength(2);
    for (const link of links) {
      expect(link).toMatch(/\/Contents \(.+\)/);
      const [, key = ''] = /\/StructParent (\d+)/.exec(link) ?? [];
      const [, element = ''] =
        new RegExp(`\\b${key} (\\d+) 0 R`).exec(/\/ParentTree <<.*?>>/.exec(file)?.[0] ?? '') ?? [];
      expect(file).toMatch(new RegExp(`\\n${element} 0 obj\\n<</S /Link .*/Type /OBJR`));
    }
  });

  it('reads the lines of a wrapped cell with a space between them', async () => {
    const startAddress = 'Distribution Centre Daikoku, Berth 4, Daikokufuto 15, Tsurumi-ku, Yokohama';
    expect(await plainFile([dayOf([trip({ startAddress })])])).toContain(`/ActualText (${startAddress})`);
  });

  it('reads from right to left what runs so', async () => {
    const employeeName = 'משה בן ארי';
    const file = await plainFile([dayOf([trip()], { employeeName })]);
    const bytes = Buffer.from(`\ufeff${employeeName}`, 'utf16le').swap16().toString('latin1');
    expect(file).toContain(`/ActualText (${bytes})`);
  });
});

describe('every report', () => {
  it('says that its colours are those of sRGB, and not that it is PDF/A', async () => {
    const file = await plainFile();
    expect(file).toMatch(/\/Type \/OutputIntent [^\n]*\/DestOutputProfile \d+ 0 R/);
    expect(file).toContain('sRGB IEC61966-2.1');
    expect(file).not.toContain('pdfaid');
  });
});

describeWith(['qpdf'], 'the objects of a report', () => {
  it('are compressed together, which takes less than a third of the space that tags take otherwise', async () => {
    const outcomes = Array.from({ length: 28 }, (_, index) => dayOf(tripsInARow(18), { employeeCode: `E${index}` }));
    const { bytes } = await draw(outcomes, {}, { compress: true });
    const unpacked = withFile(bytes, (file) =>
      execFileSync('qpdf', ['--object-streams=disable', '--stream-data=preserve', file, '-'], { maxBuffer: 2 ** 28 }),
    );
    expect(bytes.length).toBeLessThan(unpacked.length / 3);
  });
});

/** The file as it stands when nothing is compressed. */
async function plainFile(outcomes: readonly DriverOutcome[] = OUTCOMES): Promise<string> {
  return Buffer.from((await draw(outcomes)).bytes).toString('latin1');
}

/** The tag tree, two spaces a level, in poppler's notation. */
async function structureOf(outcomes: readonly DriverOutcome[]): Promise<string> {
  const { bytes } = await draw(outcomes, {}, { compress: true });
  return execFileSync('pdfinfo', ['-struct', '-'], { encoding: 'utf8', input: bytes });
}

function columnsOf(row: string): number {
  const cells = row.split(/^ {8}T[HD]\b/m).slice(1);
  return cells.reduce((sum, cell) => sum + Number(/ColSpan (\d+)/.exec(cell)?.[1] ?? 1), 0);
}
