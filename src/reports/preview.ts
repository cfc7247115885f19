import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createReportRenderer } from './render.js';
import { SAMPLE_DATE, sampleOutcomes } from './sample-report.js';

/**
 * Writes a sample report without a server, and its pages as pictures where poppler's pdftoppm is installed:
 * `npm run report:preview -- --drivers 5 --locale ja --out /tmp/preview`.
 */
const { values } = parseArgs({
  options: {
    drivers: { type: 'string', default: '3' },
    locale: { type: 'string', default: 'en' },
    trips: { type: 'string' },
    limit: { type: 'string', default: '80' },
    out: { type: 'string', default: '.' },
  },
});
const drivers = Number(values.drivers);
const locale = values.locale === 'ja' ? 'ja' : 'en';
const directory = resolve(values.out);
const file = join(directory, `driving-report-${locale}-${drivers}.pdf`);

await mkdir(directory, { recursive: true });
const renderer = createReportRenderer({
  workers: 1,
  onMissingCharacters: (_, characters) => say(`Characters without a font: ${[...characters.keys()].join(' ')}`),
});
const report = {
  jobId: '018f8a3e-7c1d-7e2a-9b54-2f1d6c0a8e91',
  org: locale === 'ja' ? '東都運輸株式会社 第二営業所' : 'Tohto Transport Co., Ltd. – Branch 2',
  createdAt: new Date('2024-05-17T21:00:00Z'),
  date: SAMPLE_DATE,
  driverCount: drivers,
  locale,
  speedLimitKmh: Number(values.limit),
} as const;
const trips = values.trips === undefined ? {} : { tripsPerDriver: Number(values.trips) };
try {
  const bytes = renderer.render(report, sampleOutcomes(drivers, { locale, ...trips }), new AbortController().signal);
  await pipeline(Readable.from(bytes), createWriteStream(file));
} finally {
  await renderer.close();
}
say(file);
const pictures = spawnSync('pdftoppm', ['-png', '-r', '100', file, file.replace(/\.pdf$/, '')], { encoding: 'utf8' });
say(
  pictures.error === undefined
    ? 'Pictures of the pages are beside it.'
    : 'No pictures: install poppler-utils (pdftoppm) to get the pages as PNG.',
);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
