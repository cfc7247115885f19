/** Writes the README's pictures, of the playground and of a page of a report: `npm run readme:pictures`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from '../../src/programs/demo/run-demo.js';
import { launchBrowser } from './browser.js';

const PICTURES = fileURLToPath(new URL('../examples/pictures/', import.meta.url));
const REPORT_PREVIEW = fileURLToPath(new URL('report-preview.ts', import.meta.url));
const VIEWPORT = { width: 1280, height: 800 };
/** Dots an inch: small enough for a page of text, large enough to be read. */
const REPORT_RESOLUTION = '85';
/** Behind the cover. */
const FIRST_DRIVER_PAGE = '2';

await picturePlayground(path.join(PICTURES, 'playground.png'));
pictureReport(path.join(PICTURES, 'driving-report.png'));

/** The playground with the outcome of a report, as the four tabs lead to it. */
async function picturePlayground(file: string): Promise<void> {
  const gateway = await startGateway({}, (entry) => void process.stderr.write(`${entry}\n`));
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

/** A driver's page of the sample report. */
function pictureReport(file: string): void {
  const directory = mkdtempSync(path.join(tmpdir(), 'gateway-pictures-'));
  try {
    execFileSync(process.execPath, ['--import', 'tsx', REPORT_PREVIEW, '--drivers', '3', '--out', directory]);
    const pdf = path.join(directory, 'driving-report-en-3.pdf');
    const pages = ['-f', FIRST_DRIVER_PAGE, '-singlefile', '-png', '-r', REPORT_RESOLUTION];
    execFileSync('pdftoppm', [...pages, pdf, file.replace(/\.png$/, '')]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
