import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import type { DriverOutcome } from '../../../src/reports/model.js';
import { randomFrom } from '../../../src/sandbox/seed/random.js';
import { sampleOutcome, sampleTrips } from '../../support/sample-report.js';
import { describeWith } from '../../support/system-tools.js';
import { dayOf, draw, trip } from './drawn.js';
import { difference, readPng } from './png-picture.js';

/**
 * Pictures of pages, to be looked at in review. After a wanted change delete those that differ and run the
 * test: it draws what is missing, fails once, and passes from then on.
 */
const PICTURES = fileURLToPath(new URL('./pictures/', import.meta.url));
/** Versions of poppler smooth edges differently; a moved line or letter exceeds this. */
const TOLERANCE = { mean: 1.5, worstSquare: 40 } as const;

const samples = (locale: 'en' | 'ja', count: number, trips?: number): DriverOutcome[] =>
  Array.from({ length: count }, (_, index) =>
    sampleOutcome(index, { locale, ...(trips === undefined ? {} : { tripsPerDriver: trips }) }),
  );

describeWith(['pdftoppm'], 'the picture of a page', () => {
  it.each([
    ['dense-en', samples('en', 1, 18), 'en', 1],
    ['dense-ja', samples('ja', 1, 18), 'ja', 1],
    ['continued-ja', samples('ja', 1, 60), 'ja', 2],
    ['sparse-en', [dayOf([trip({ maxSpeedKmh: 92 })])], 'en', 1],
    [
      'tracked-en',
      [dayOf(sampleTrips(randomFrom(7), { locale: 'en', tripsPerDriver: 9, trackPoints: 6_000 }))],
      'en',
      1,
    ],
    ['nothing-en', [dayOf([])], 'en', 1],
    ['cover-en', samples('en', 13), 'en', 1],
    ['cover-ja', samples('ja', 13), 'ja', 1],
  ] as const)('%s is as it was approved', async (name, outcomes, locale, page) => {
    const { bytes } = await draw(outcomes, { locale }, { compress: true });
    const actual = pictureOf(bytes, page);
    const approved = path.join(PICTURES, `${name}.png`);
    if (!existsSync(approved)) {
      mkdirSync(PICTURES, { recursive: true });
      writeFileSync(approved, actual);
      throw new Error(`There was no approved picture ${approved}; it has been drawn. Look at it before it is kept.`);
    }
    const { mean, worstSquare } = difference(readPng(actual), readPng(readFileSync(approved)));
    expect(mean).toBeLessThan(TOLERANCE.mean);
    expect(worstSquare).toBeLessThan(TOLERANCE.worstSquare);
  });
});

function pictureOf(bytes: Uint8Array, page: number): Buffer {
  const directory = mkdtempSync(path.join(tmpdir(), 'report-'));
  try {
    const file = path.join(directory, 'report.pdf');
    writeFileSync(file, bytes);
    const range = ['-f', String(page), '-l', String(page), '-singlefile'];
    execFileSync('pdftoppm', ['-png', '-r', '72', ...range, file, path.join(directory, 'page')]);
    return readFileSync(path.join(directory, 'page.png'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
