import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { FORM_BLOCKS } from '../../../src/reports/report-form.js';
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
/** Version of poppler that drew the approved pictures. With the same one, no sample changes unless the page does. */
const APPROVED_WITH = '22.12.0';
/** Other versions smooth edges differently; a moved line or letter exceeds this, and a narrow column may not. */
const TOLERANCE = { mean: 1.5, worstSquare: 40 } as const;

const samples = (locale: 'en' | 'ja', count: number, trips?: number): DriverOutcome[] =>
  Array.from({ length: count }, (_, index) =>
    sampleOutcome(index, { locale, trackPoints: 1_200, ...(trips === undefined ? {} : { tripsPerDriver: trips }) }),
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
    const { bytes } = await draw(outcomes, { locale, drivingRules: RULES[locale] }, { compress: true });
    expectAsApproved(name, pictureOf(bytes, page));
  });

  it.each(['en', 'ja'] as const)('of both pages of the sample in %s is as it was approved', async (locale) => {
    const options = {
      locale,
      drivingRules: RULES[locale],
      org: ORGANISATIONS[locale],
      form: { blocks: FORM_BLOCKS, labels: {}, era: locale === 'ja' },
    };
    const { bytes, pages } = await draw([sampleDay(locale)], options, { compress: true });
    expect(pages).toBe(2);
    for (const page of [1, 2]) expectAsApproved(`sample-${locale}-${page}`, pictureOf(bytes, page, SAMPLE_RESOLUTION));
  });
});

const ORGANISATIONS = { en: 'Tohto Transport Co., Ltd. – Branch 2', ja: '東都運輸株式会社 第二営業所' } as const;
/** The rules that are usual in each language. */
const RULES = { en: 'off', ja: 'japan-2024' } as const;
/** Large enough to be read on a screen. */
const SAMPLE_RESOLUTION = 108;

/** A long day with whatever a page can say: a long break, a speed over the limit, a trip that came twice. */
function sampleDay(locale: 'en' | 'ja'): DriverOutcome {
  const outcome = sampleOutcome(0, { locale });
  const noon = Date.parse('2024-05-17T11:30:00+09:00');
  const after = <F extends { readonly time: string }>(fix: F): F =>
    Date.parse(fix.time) < noon ? fix : { ...fix, time: new Date(Date.parse(fix.time) + 40 * 60_000).toISOString() };
  const trips = sampleTrips(randomFrom(23), { locale, tripsPerDriver: 14, trackPoints: 1_200 }).map((each) =>
    Date.parse(each.start.time) < noon
      ? each
      : { ...each, start: after(each.start), end: after(each.end), track: each.track.map(after) },
  );
  const again = trips.slice(4, 5).map((each) => ({ ...each, distanceMeters: each.distanceMeters + 100 }));
  return { kind: 'day', driver: outcome.driver, trips: [...trips, ...again] };
}

function expectAsApproved(name: string, actual: Buffer): void {
  const approved = path.join(PICTURES, `${name}.png`);
  if (!existsSync(approved)) {
    if (version() !== APPROVED_WITH) throw new Error(`Draw ${approved} with poppler ${APPROVED_WITH}, as all others.`);
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(approved, actual);
    throw new Error(`There was no approved picture ${approved}; it has been drawn. Look at it before it is kept.`);
  }
  const expected = readFileSync(approved);
  // The same version of poppler writes the same bytes, and comparing pixels takes longer than drawing.
  if (actual.equals(expected)) return;
  const { mean, worstSquare, changed } = difference(readPng(actual), readPng(expected));
  if (version() === APPROVED_WITH) expect(changed).toBe(0);
  expect(mean).toBeLessThan(TOLERANCE.mean);
  expect(worstSquare).toBeLessThan(TOLERANCE.worstSquare);
}

function version(): string | undefined {
  return /version (\S+)/.exec(spawnSync('pdftoppm', ['-v'], { encoding: 'utf8' }).stderr)?.[1];
}

function pictureOf(bytes: Uint8Array, page: number, resolution = 72): Buffer {
  const range = ['-f', String(page), '-l', String(page), '-singlefile'];
  return execFileSync('pdftoppm', ['-png', '-r', String(resolution), ...range, '-'], { input: bytes });
}
