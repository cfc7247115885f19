import { execFileSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

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
