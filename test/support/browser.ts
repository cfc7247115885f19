import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { serveOnLoopback } from './loopback.js';

const BROWSER_OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but the gateway can be reached, whatever the browser would like to fetch.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Starts the installed Chromium, which reaches nothing but this machine. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  return chromium.launch({ executablePath, args: BROWSER_OPTIONS });
}

/** Serves one page on loopback. */
export const servePage = (html: string) =>
  serveOnLoopback((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html));

const AXE = new URL('../clients/node_modules/axe-core/axe.min.js', import.meta.url);

/** Looks for accessibility faults with axe. @param others' part of the page, selected by CSS */
export async function faultsForScreenReaders(page: Page, others: string): Promise<readonly string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = `axe.run({ exclude: ${JSON.stringify(others)} })`;
  return page.evaluate(`${found}.then(({ violations }) => violations.map(({ help, nodes }) => help + nodes[0].html))`);
}
