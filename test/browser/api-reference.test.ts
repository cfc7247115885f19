import { beforeEach, expect, it } from '@jest/globals';
import { DEVELOPMENT_CALLBACK_KEY } from '../../src/base/config/load-config.js';
import { faultsForScreenReaders, launchBrowser } from '../support/browser.js';
import { startTestGateway } from '../support/gateway.js';
import { forAllTests, forEachTest } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';

const LIMIT_MS = 240_000;

describeWith(['chromium'], 'The reference of the REST interface in a browser', () => {
  const gateway = forAllTests(() => startTestGateway({ BASE_PATH: '/fleet' }));
  const browser = forAllTests(launchBrowser);
  const page = forEachTest(() => browser.newPage({ viewport: { width: 1400, height: 900 } }));
  beforeEach(() => page.setDefaultTimeout(LIMIT_MS));

  it('shows the interface, asks only the gateway, and sends a request that it is given', async () => {
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => void requested.push(request.url()));
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text().slice(0, 300));
    });
    await page.goto(`${gateway.url}/docs`);
    await page.getByRole('heading', { name: 'Vehicle-location gateway' }).waitFor();

    await page.getByRole('button', { name: /Test Request.*jwks/ }).click();
    const answer = page.waitForResponse((reply) => reply.url().endsWith('/fleet/.well-known/jwks.json'));
    await page.getByRole('button', { name: /^Send get request/ }).click();
    expect((await answer).status()).toBe(200);

    expect(requested.filter((url) => !url.startsWith(gateway.url) && !/^(blob|data):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.content()).not.toContain(DEVELOPMENT_CALLBACK_KEY);
    expect(await faultsForScreenReaders(page, '#reference')).toEqual([]);

    await page.goto('about:blank');
    await page.goto(`${gateway.url}/docs#tag/callbacks/POST/api/v1/Mobile/BulkUpdateCallback`);
    const call = page.locator('code', { hasText: 'curl' }).filter({ hasText: 'BulkUpdateCallback' });
    expect(await call.first().innerText()).toMatch(/--header 'x-job-id: .+'[^]*--header 'x-org-id: acme'/);
  });
});
