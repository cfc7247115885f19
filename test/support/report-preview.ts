import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readReportForms } from '../../src/programs/app/configured-files.js';
import type { ReadForms } from '../../src/reports/report-form.js';
import { createReportRenderer } from '../../src/reports/render/renderer.js';
import { SAMPLE_DATE, sampleOutcomes } from './sample-report.js';

const USAGE = `Usage: npm run report:preview -- [options]

Writes a driving report of made-up drivers as a PDF, without a server, and a picture of each of its pages
where poppler's pdftoppm is installed.

  --drivers N    drivers of the report, 1 to 10000 (3)
  --locale L     en or ja (en)
  --trips N      trips of each driver, 0 to 500 (a few, as they come)
  --limit KMH    speed limit, 1 to 300 (80)
  --form FILE    form to fill in by hand, as REPORT_FORM_FILE names it (by default the language's)
  --out DIR      where the PDF and its pages go (.)
  --help         this text`;
/** Exit code of a wrong option. */
const EXIT_USAGE = 2;

interface Options {
  readonly drivers: number;
  readonly locale: 'en' | 'ja';
  readonly trips?: number;
  readonly limit: number;
  readonly form?: string;
  readonly out: string;
}

const options = readOptions();
if (options !== undefined) await preview(options);

async function preview({ drivers, locale, trips, limit, form, out }: Options): Promise<void> {
  const { forms, faults }: Pick<ReadForms, 'forms' | 'faults'> =
    form === undefined ? { forms: {}, faults: [] } : await readReportForms(form);
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  const directory = resolve(out);
  const file = join(directory, `driving-report-${locale}-${drivers}.pdf`);
  await mkdir(directory, { recursive: true });
  const renderer = createReportRenderer({ workers: 1, maxTaggedPages: 300 });
  const report = {
    jobId: '018f8a3e-7c1d-7e2a-9b54-2f1d6c0a8e91',
    org: locale === 'ja' ? '東都運輸株式会社 第二営業所' : 'Tohto Transport Co., Ltd. – Branch 2',
    createdAt: new Date('2024-05-17T21:00:00Z'),
    date: SAMPLE_DATE,
    driverCount: drivers,
    locale,
    speedLimitKmh: limit,
    overLimitMinSeconds: 10,
    drivingRules: locale === 'ja' ? 'japan-2024' : 'off',
    form: forms[locale],
  } as const;
  const sample = { locale, trackPoints: 1_200, ...(trips !== undefined && { tripsPerDriver: trips }) };
  try {
    const never = new AbortController().signal;
    const bytes = renderer.render(
      report,
      () => sampleOutcomes(drivers, sample),
      never,
      ({ missingCharacters }) => {
        if (missingCharacters.size > 0) say(`Characters without a font: ${[...missingCharacters.keys()].join(' ')}`);
      },
    );
    await pipeline(Readable.from(bytes), createWriteStream(file));
  } finally {
    await renderer.close();
  }
  say(file);
  say(drawPictures(file));
}

/** Draws the pages beside the file; @returns what became of it */
function drawPictures(file: string): string {
  const prefix = file.replace(/\.pdf$/, '');
  const { error, status, stderr } = spawnSync('pdftoppm', ['-png', '-r', '100', file, prefix], { encoding: 'utf8' });
  if (error !== undefined) return 'No pictures: install poppler-utils (pdftoppm) to get the pages as PNG.';
  return status === 0 ? 'Pictures of the pages are beside it.' : `No pictures: pdftoppm failed. ${stderr}`;
}

/** @returns undefined when help was asked for or an option is wrong, which has been said then */
function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        drivers: { type: 'string', default: '3' },
        locale: { type: 'string', default: 'en' },
        trips: { type: 'string' },
        limit: { type: 'string', default: '80' },
        form: { type: 'string' },
        out: { type: 'string', default: '.' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      say(USAGE);
      return undefined;
    }
    const { locale, out, trips, form } = values;
    if (locale !== 'en' && locale !== 'ja') throw new RangeError(`--locale is en or ja, not ${locale}.`);
    return {
      locale,
      out,
      drivers: within('--drivers', values.drivers, 1, 10_000),
      limit: within('--limit', values.limit, 1, 300),
      ...(form !== undefined && { form }),
      ...(trips !== undefined && { trips: within('--trips', trips, 0, 500) }),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
    process.exitCode = EXIT_USAGE;
    return undefined;
  }
}

function within(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${option} is a whole number from ${min} to ${max}, not ${text}.`);
  }
  return value;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
