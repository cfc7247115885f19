import { chromium } from 'playwright-core';
import { createGateway } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { mkdtempSync } from 'node:fs';
const config = loadConfig({ PORT: '0', DATA_DIR: mkdtempSync('/tmp/expl-'), LOG_LEVEL: 'warn' });
const gateway = await createGateway({ config, logger: createLogger({ level: 'warn', pretty: false }), version: 'x' });
const url = await gateway.listen();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless','--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] });
for (const drop of [null, ["blob:;", ';'], [' data:; style', '; style'], ["'self' data:", "'self'"], ['img-src data:', "img-src 'none'"], ["font-src data:", "font-src 'none'"]] as const) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  console.log('=== drop', drop);
  page.on('console', (m) => console.log('CONSOLE', m.type(), m.text().slice(0, 250)));
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message));
  await page.route('**/playground', async (route) => {
    const r = await route.fetch();
    const h = r.headers();
    if (drop) { const before = h['content-security-policy']!; h['content-security-policy'] = before.replace(drop[0], drop[1]); if (before === h['content-security-policy']) console.log('NOT CHANGED'); }
    await route.fulfill({ response: r, headers: h });
  });
  await page.goto(`${url}/playground`);
  await page.locator('[role=tab]').first().waitFor();
  await page.waitForTimeout(2500);
  await page.locator('.graphiql-execute-button').click();
  await page.waitForTimeout(1000);
  const text = await page.locator('.result-window').innerText();
  console.log(text.slice(0, 120).replace(/\s+/g, ' '));
  await page.locator('[role=tab]').nth(2).click();
  await page.waitForTimeout(1500);
  await page.getByRole('button', { name: 'Docs' }).or(page.getByLabel(/documentation/i)).first().click().catch((e) => console.log(String(e).slice(0, 100)));
  await page.waitForTimeout(500);
  if (!drop) await page.screenshot({ path: '/tmp/shot3.png' });
  await context.close();
}
await browser.close();
await gateway.close();
