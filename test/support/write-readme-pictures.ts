/** Writes the pictures of the pages, of the playground and of a page of a report: `npm run readme:pictures`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../src/programs/demo/run-demo.js';
import { launchBrowser } from './browser.js';
import { PICTURED_PAGE, picturedWords } from './pdf-words.js';

const PICTURES = fileURLToPath(new URL('../examples/pictures/', import.meta.url));
const REPORT_PREVIEW = fileURLToPath(new URL('report-preview.ts', import.meta.url));
const VIEWPORT = { width: 1280, height: 800 };
/** Dots an inch: small enough for a page of text, large enough to be read. */
const REPORT_RESOLUTION = '85';

/** First words of what has a number in `deploy/driving-reports.md`, in their order. */
const NUMBERED = [
  'Operations',
  'Employee',
  'Distance',
  'Departure',
  'Speed',
  'Route',
  'Trips',
  'Breaks between',
  'Roll',
  'Odometer',
  'Remarks',
  'Created',
];

await pictureReport(path.join(PICTURES, 'driving-report.png'));
await picturePlayground(path.join(PICTURES, 'playground.png'));

/** The playground with the outcome of a report, as the four tabs lead to it. */
async function picturePlayground(file: string): Promise<void> {
  const gateway = await startGateway((entry) => void process.stderr.write(`${entry}\n`));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: VIEWPORT });
    await page.goto(`${gateway.url}/playground`);
    for (const [tab, answer] of [
      ['LogIn', 'accessToken'],
      ['OrderReport', 'jobId'],
      ['ReportStatus', 'FINISHED'],
    ] as const) {
      await page.getByRole('button', { name: tab, exact: true }).click();
      await page.getByRole('button', { name: /^Execute query/ }).click();
      await page.locator('.result-window').getByText(answer).first().waitFor();
    }
    await page.locator('.result-window .detected-link').first().waitFor();
    await page.getByText('Download the report').waitFor();
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
    await gateway.close();
  }
}

/** Places on a page where these words begin, in points from its top left, and the size of the page. */
function placesOf(pdf: string, page: string) {
  const html = execFileSync('pdftotext', ['-bbox', '-f', page, '-l', page, pdf, '-'], { encoding: 'utf8' });
  const [, width = '', height = ''] = /<page width="([\d.]+)" height="([\d.]+)">/.exec(html) ?? [];
  const words = [...html.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>([^<]*)</g)];
  const places = NUMBERED.map((label) => {
    const wanted = label.split(' ');
    const at = words.findIndex((_, index) => wanted.every((word, offset) => words[index + offset]?.[3] === word));
    const [, x, y] = words[at] ?? [];
    if (x === undefined || y === undefined) throw new Error(`The page has no "${label}".`);
    return { x: Number(x), y: Number(y) };
  });
  return { width: Number(width), height: Number(height), places };
}

/** A driver's page of the sample report, as it is and with numbers, and its words. */
async function pictureReport(file: string): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'gateway-pictures-'));
  try {
    execFileSync(process.execPath, ['--import', 'tsx', REPORT_PREVIEW, '--drivers', '3', '--out', directory]);
    const pdf = path.join(directory, 'driving-report-en-3.pdf');
    const pages = ['-f', String(PICTURED_PAGE), '-singlefile', '-png', '-r', REPORT_RESOLUTION];
    execFileSync('pdftoppm', [...pages, pdf, file.replace(/\.png$/, '')]);
    writeFileSync(file.replace(/png$/, 'txt'), `${(await picturedWords(pdf)).join('\n')}\n`);
    const { width, height, places } = placesOf(pdf, String(PICTURED_PAGE));
    const marks = places.map(({ x, y }, index) => `<b style="left:${x - 17}pt;top:${y - 3}pt">${index + 1}</b>`);
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({
        viewport: { width: Math.ceil((width * 4) / 3), height: Math.ceil((height * 4) / 3) },
      });
      await page.setContent(`<style>
        body { margin: 0; background: url(data:image/png;base64,${readFileSync(file, 'base64')}) 0 0 / ${width}pt ${height}pt no-repeat }
        b { position: absolute; width: 14pt; height: 14pt; border-radius: 7pt; background: #c2185b; color: white;
            font: bold 9pt/14pt sans-serif; text-align: center }</style>${marks.join('')}`);
      await page.screenshot({ path: file.replace(/\.png$/, '-numbers.png') });
    } finally {
      await browser.close();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}
