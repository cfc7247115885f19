import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it, jest } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { faultsForScreenReaders, launchBrowser } from '../support/browser.js';
import { freePorts } from '../support/child-program.js';
import { startTestGateway } from '../support/gateway.js';
import { readPdf } from '../support/pdf-text.js';
import { closeAfterTest, forAllTests, forEachTest } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const LIMIT_MS = 240_000;
jest.setTimeout(2 * LIMIT_MS);
const TABS = ['LogIn', 'Mobiles', 'OrderReport', 'ReportStatus'];

describeWith(['chromium'], 'The playground in a browser', () => {
  const gateway = forAllTests(() => startTestGateway({ BASE_PATH: '/fleet' }));
  const browser = forAllTests(launchBrowser);
  const context = forEachTest(() => browser.newContext({ viewport: { width: 1280, height: 800 } }));
  let page: Page;
  let requested: string[];
  /** Errors, warnings and refusals of the page: content security policy, scripts, requests. */
  let complaints: string[];

  beforeEach(async () => {
    requested = [];
    complaints = [];
    context.setDefaultTimeout(LIMIT_MS);
    context.on('request', (request) => void requested.push(request.url()));
    context.on('requestfailed', (request) => void complaints.push(`failed: ${request.url()}`));
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text().slice(0, 300));
    });
    page = await context.newPage();
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('websocket', (socket) => void requested.push(socket.url()));
    await page.goto(`${gateway.url}/playground`);
    await page.getByRole('tab').first().waitFor();
  });

  const openTab = (name: string): Promise<void> => tabButton(name).click();
  const tabButton = (name: string): Locator =>
    page.getByRole('tab', { name }).getByRole('button', { name, exact: true });

  /** Replaces the text of the editor for headers. */
  async function writeHeaders(headers: object): Promise<void> {
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    await page.getByLabel('Headers', { exact: true }).locator('.monaco-editor:visible').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify(headers));
    // The editor closed quotes and brackets by itself.
    await page.keyboard.press('ControlOrMeta+Shift+End');
    await page.keyboard.press('Delete');
  }

  const execute = (): Promise<void> => page.getByRole('button', { name: /^Execute query/ }).click();
  const shown = (text: string): Promise<void> => page.locator('.result-window').getByText(text).first().waitFor();
  const told = (text: string | RegExp): Promise<void> => page.getByRole('status').getByText(text).waitFor();

  it('opens with four tabs, asks only the gateway, and marks a field that the schema does not have, without a complaint', async () => {
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(TABS);
    // The schema is fetched at once and the editors' workers start: only then has everything been asked for.
    await waitFor('the schema', () => requested.includes(`${gateway.url}/graphql`));
    await page.getByText('userLogin').first().waitFor();
    const { origin } = new URL(gateway.url);
    expect(
      requested
        .map((url) => (url.startsWith('data:') ? 'data:' : new URL(url).origin))
        .filter((each) => each !== origin && each !== 'data:'),
    ).toEqual([]);
    await page.getByLabel('Operation Editor').locator('.monaco-editor').first().click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('query Wrong { nothing }');
    await page.locator('.squiggly-error').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('leads from the log-in over the mobiles to the PDF of a report without anything being typed, one click a step', async () => {
    await execute();
    await told('{{accessToken}}');

    await openTab('Mobiles');
    await execute();
    await shown('M-0001');

    await openTab('OrderReport');
    await execute();
    await told('{{jobId}}');

    await openTab('ReportStatus');
    await execute();
    await shown('FINISHED');
    const link = page.locator('.result-window .detected-link').first();
    const [inAnswer] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const [below] = await Promise.all([page.waitForEvent('download'), page.getByText('Download the report').click()]);
    for (const download of [inAnswer, below]) {
      expect(new URL(download.url()).pathname).toMatch(/^\/fleet\/files\/driving-reports\//);
      const { pages } = await readPdf(await readFile(await download.path()));
      expect(pages.join('\n')).toContain('Anna Schmidt');
    }
    expect(page.url()).toBe(`${gateway.url}/playground`);
    expect(complaints).toEqual([]);
  });

  it('asks for a job until another tab is opened, where no answer of it appears', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    await execute();
    await told('{{accessToken}}');
    await openTab('OrderReport');
    await execute();
    await told('{{jobId}}');
    await held.held();
    await openTab('ReportStatus');
    const asked = (): number => requested.filter((url) => url === `${gateway.url}/graphql`).length;
    await execute();
    await shown('RUNNING');
    const before = asked();
    await waitFor('it to be asked again', () => asked() > before);
    await openTab('LogIn');
    await page.getByRole('button', { name: /^Execute query/ }).waitFor();
    await execute();
    await shown('accessToken');
    expect(await page.locator('.result-window').getByText('RUNNING').count()).toBe(0);
    held.release();
  });

  it('says why a request was refused: no token, one without its prefix, one that is not valid', async () => {
    await openTab('Mobiles');
    await execute();
    await shown('Authorization header not set');
    await told('log in with the first tab');
    await writeHeaders({ Authorization: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' });
    await execute();
    await shown('token is invalid');
    await told('has to begin with “Bearer ”');
    await writeHeaders({ Authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln' });
    await execute();
    await told('log in again');
  });

  it('says in one sentence that the gateway is stopped, and goes on once it has been started', async () => {
    // No other program gets this port while nothing listens on it.
    const [port = 0] = await freePorts(1);
    const stopped = await startTestGateway({ PORT: String(port) });
    await page.goto(`${stopped.url}/playground`);
    try {
      await page.getByRole('tab').first().waitFor();
      await execute();
      await told('{{accessToken}}');
    } finally {
      await stopped.close();
    }
    await execute();
    const sentence = 'The gateway does not answer. Start it, and run this again.';
    await shown(sentence);
    const answer = await page.locator('.result-window .view-lines').innerText();
    // The editor breaks lines.
    const whole = JSON.stringify({ errors: [{ message: sentence }] });
    expect(answer.replaceAll(/\s/g, '')).toBe(whole.replaceAll(' ', ''));
    expect(await page.getByRole('status').innerText()).toBe('');

    closeAfterTest(await startTestGateway({ PORT: String(port) }));
    await execute();
    // The access token is the same if both log-ins were in one second; no refresh token is ever given twice.
    await told(/\{\{refreshToken\}\}/);
    await shown('refreshToken');
  });

  it('is where a browser comes that opens the gateway, is sent compressed, and not again as long as it is the same', async () => {
    const received = (): Promise<Record<string, number>> =>
      page.evaluate(() => {
        const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]; // of that type
        const large = files.filter(({ decodedBodySize }) => decodedBodySize > 100_000);
        return Object.fromEntries(large.map(({ name, transferSize }) => [new URL(name).pathname, transferSize]));
      });
    const first = await received();
    expect(Object.keys(first).toSorted()).toEqual(['/fleet/playground/page.css', '/fleet/playground/page.js']);
    expect(Object.values(first).reduce((sum, size) => sum + size)).toBeLessThan(3_000_000);
    for (const path of ['', '/', '/graphql']) {
      await page.goto(`${gateway.url}${path}`, { waitUntil: 'commit' });
      expect([path, page.url()]).toEqual([path, `${gateway.url}/playground`]);
    }
    await page.getByRole('tab').first().waitFor();
    expect(await received()).toEqual({ '/fleet/playground/page.css': 0, '/fleet/playground/page.js': 0 });
  });

  it('can be read: every line of its tabs in a small window, in the colours of the system, by a screen reader', async () => {
    for (const name of TABS) {
      await openTab(name);
      const editors = page.locator('.graphiql-editors .monaco-scrollable-element:visible');
      await page.getByLabel('Operation Editor').getByText(name).first().waitFor();
      if (['OrderReport', 'ReportStatus'].includes(name)) {
        await page.getByLabel('Variables', { exact: true }).locator('.monaco-editor:visible').waitFor();
      }
      const hidden = await editors.evaluateAll((all) =>
        all.flatMap((editor) => {
          const end = editor.getBoundingClientRect().right;
          const texts = [...editor.querySelectorAll('.view-line > span')];
          return texts.filter((text) => text.getBoundingClientRect().right > end).map((text) => text.textContent);
        }),
      );
      expect([name, hidden]).toEqual([name, []]);
    }

    const colors = (selector: string): Promise<number[]> =>
      page
        .locator(selector)
        .last()
        .evaluate((element) => {
          const { color, backgroundColor } = getComputedStyle(element);
          return [color, backgroundColor].map((each) => Number(/\d+/.exec(each)?.[0]));
        });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const selector of ['#playground-note', '.graphiql-container']) {
        await waitFor(`${selector} to be ${colorScheme}`, async () => {
          const [ink = 0, paper = 0] = await colors(selector);
          return ink > paper === (colorScheme === 'dark');
        });
      }
      expect(await page.getByRole('main').getByRole('heading', { level: 1 }).innerText()).toBe('Gateway playground');
      expect(await faultsForScreenReaders(page, '.graphiql-container')).toEqual([]);
    }
  });
});
