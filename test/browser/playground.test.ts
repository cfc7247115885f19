import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const LIMIT_MS = 240_000;

describeWith(['chromium'], 'The playground in a browser', () => {
  let gateway: TestGateway;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** URLs that the page asked for. */
  let requested: string[];
  /** Errors, warnings and refusals of the page: content security policy, scripts, requests. */
  let complaints: string[];

  beforeAll(async () => {
    gateway = await startTestGateway({ BASE_PATH: '/fleet' });
    browser = await launchBrowser();
  }, LIMIT_MS);
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  beforeEach(async () => {
    requested = [];
    complaints = [];
    context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
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
  }, LIMIT_MS);
  afterEach(() => context.close());

  /** Opens a tab. A click is lost while the page still arranges its tabs. */
  async function openTab(name: string): Promise<void> {
    const tab = page.getByRole('tab', { name });
    await waitFor(`tab ${name}`, async () => {
      await tab.getByRole('button', { name, exact: true }).click({ delay: 50 });
      return (await tab.getAttribute('aria-selected')) === 'true';
    });
  }

  /** Replaces the text of the editor for variables or headers. */
  async function write(section: 'Variables' | 'Headers', value: unknown): Promise<void> {
    await page.getByRole('button', { name: section, exact: true }).click();
    await page.getByLabel(section, { exact: true }).locator('.monaco-editor:visible').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(JSON.stringify(value));
    // The editor closed quotes and brackets by itself.
    await page.keyboard.press('ControlOrMeta+Shift+End');
    await page.keyboard.press('Delete');
  }

  /** Clicks Execute. @returns the answer, which is also shown once this resolves */
  async function execute(): Promise<{ data?: Record<string, Record<string, unknown>> }> {
    const [response] = await Promise.all([
      page.waitForResponse(`${gateway.url}/graphql`),
      page.getByRole('button', { name: /^Execute query/ }).click(),
    ]);
    return (await response.json()) as { data?: Record<string, Record<string, unknown>> }; // judged by the tests
  }

  const shown = (text: string): Promise<void> => page.locator('.result-window').getByText(text).first().waitFor();

  it(
    'opens with four tabs, without a complaint, and asks nobody but the gateway',
    async () => {
      expect(await page.getByRole('tab').allInnerTexts()).toEqual(['LogIn', 'Mobiles', 'OrderReport', 'ReportStatus']);
      // The schema is fetched at once and the editors' workers start: only then has everything been asked for.
      await waitFor('the schema', () => requested.includes(`${gateway.url}/graphql`));
      await page.getByText('userLogin').first().waitFor();
      const { origin } = new URL(gateway.url);
      expect(
        requested
          .map((url) => (url.startsWith('data:') ? 'data:' : new URL(url).origin))
          .filter((each) => each !== origin && each !== 'data:'),
      ).toEqual([]);
      expect(complaints).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'leads from the log-in over the mobiles to a finished report',
    async () => {
      const { data: loggedIn } = await execute();
      await shown('accessToken');
      const session = loggedIn?.['userLogin']?.['session'];
      expect(session).toEqual(expect.objectContaining({ accessToken: expect.stringMatching(/^ey/) }));
      const { accessToken } = session as { accessToken: string }; // checked above
      const headers = { Authorization: `Bearer ${accessToken}` };

      await openTab('Mobiles');
      await write('Headers', headers);
      const { data: listed } = await execute();
      await shown('M-0001');
      expect(listed?.['mobiles']?.['edges']).toHaveLength(10);

      await openTab('OrderReport');
      await write('Headers', headers);
      const { data: ordered } = await execute();
      await shown('jobId');
      const jobId = ordered?.['startDrivingReports']?.['jobId'];
      expect(typeof jobId).toBe('string');

      await openTab('ReportStatus');
      await write('Headers', headers);
      await write('Variables', { jobId });
      const status = await waitFor(
        'the report',
        async () => {
          const { data } = await execute();
          return data?.['fetchDrivingReportsStatus']?.['completed'] === true && data['fetchDrivingReportsStatus'];
        },
        LIMIT_MS,
      );
      expect(status).toMatchObject({ status: 'Success', downloadUrl: expect.stringContaining('/fleet/files/') });
      expect(complaints).toEqual([]);
    },
    2 * LIMIT_MS,
  );

  it(
    'marks a field that the schema does not have',
    async () => {
      await page.getByLabel('Operation Editor').locator('.monaco-editor').first().click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText('query Wrong { nothing }');
      await page.locator('.squiggly-error').first().waitFor();
      expect(complaints).toEqual([]);
    },
    LIMIT_MS,
  );
});
