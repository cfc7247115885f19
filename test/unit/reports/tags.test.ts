import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { DriverOutcome } from '../../../src/reports/model.js';
import { describeWith } from '../../support/system-tools.js';
import { dayOf, draw, failed, tripsInARow } from './drawn.js';

const OUTCOMES = [dayOf(tripsInARow(30)), failed('No such mobile.'), dayOf([], { employeeCode: 'E20022' })];

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
    // Of the cover: head, three drivers, total. Of the first driver: head, thirty trips, what is carried forward,
    // total; and head, twenty-nine breaks, total.
    expect(widths).toEqual([rowsOfWidth(5, 11), rowsOfWidth(33, 11), rowsOfWidth(31, 6)]);
  });

  it('hears what each heading and row name is for, and figures apart from their units', async () => {
    const structure = await structureOf(OUTCOMES);
    expect(structure.match(/^ {8}TH\b.*\n.*Scope \/Row/gm)).toHaveLength(4);
    expect(structure.match(/Scope \/Column/g)).toHaveLength(11 + 9 + 6);
    const text = Buffer.from((await draw(OUTCOMES)).bytes).toString('latin1');
    expect(text).toContain('/ActualText (Distance km)');
    expect(text).toContain('/ActualText (39.0 km)');
  });
});

/** The tag tree, two spaces a level, in poppler's notation. */
async function structureOf(outcomes: readonly DriverOutcome[]): Promise<string> {
  const { bytes } = await draw(outcomes, {}, { compress: true });
  const directory = mkdtempSync(path.join(tmpdir(), 'report-'));
  try {
    const file = path.join(directory, 'report.pdf');
    writeFileSync(file, bytes);
    return execFileSync('pdfinfo', ['-struct', file], { encoding: 'utf8' });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function columnsOf(row: string): number {
  const cells = row.split(/^ {8}T[HD]\b/m).slice(1);
  return cells.reduce((sum, cell) => sum + Number(/ColSpan (\d+)/.exec(cell)?.[1] ?? 1), 0);
}
