/** The example of a front end in a real browser: two tabs with one session, and requests that the browser repeats. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launchBrowser, servePage } from '../support/browser.js';
import { closeAfterTest, forAllTests, gatewayForAllTests } from '../support/resources.js';
import { startRouter } from '../support/router.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** Offers `ask`, which lists mobiles with the tokens in `localStorage` and refreshes them if it has to. */
const tabOf = (gatewayUrl: string, locked: string): string => `
  import { createGraphQLClient } from './graphql-client.js';
  import { listMobiles } from './mobiles.js';
  import { orderReport, startOfDay } from './driving-report.js';
  import { wordsFor } from './request-error.js';
  import { logIn, Session } from './session.js';
  // Pages without HTTPS lack it.
  delete Crypto.prototype.randomUUID;
  const shared = {
    read: () => JSON.parse(localStorage.getItem('tokens')),
    write: (tokens) => localStorage.setItem('tokens', JSON.stringify(tokens)),
    locked: ${locked},
  };
  const client = createGraphQLClient({ gatewayUrl: '${gatewayUrl}' });
  const session = new Session(client, shared.read(), shared);
  const drivers = [{ mobileId: '1', employeeCode: 'E-1', employeeName: 'A' }];
  // The example itself repeats nothing here: that would be told.
  const tell = (words) => { throw new Error(words); };
  const waiting = { tell, signal: new AbortController().signal };
  globalThis.order = () => orderReport(session, { date: startOfDay('2026-11-19', '+09:00'), drivers }, waiting);
  globalThis.logInByCode = (code) =>
    logIn(client, { loginId: 'otp', password: 'otp-password' }, async () => code).then(() => 'logged in', wordsFor);
  globalThis.ask = async () => (await listMobiles(session).next()).done;
  globalThis.askInWords = () => ask().catch(wordsFor);
  globalThis.store = (tokens) => shared.write({ ...tokens, logIn: 'another' });
  globalThis.logOut = () => localStorage.removeItem('tokens');
`;

describeWith(['chromium'], 'Two tabs with one session', () => {
  const gateway = gatewayForAllTests();
  const browser = forAllTests(launchBrowser);

  const requests = (operation: string): number => gateway.sandbox.journal.requests({ operation }).length;

  /** Opens two tabs with the tokens of a log-in. */
  async function openTabs(locked: string, url = gateway.url): Promise<readonly [Page, Page]> {
    const script = execFileSync(
      path.resolve('node_modules/.bin/esbuild'),
      ['--bundle', '--format=esm', '--loader=ts'],
      { cwd: 'test/examples/front-end', input: tabOf(url, locked), encoding: 'utf8' },
    );
    const html = `<!doctype html><script type="module">${script}</script>`;
    const site = closeAfterTest(await servePage(html));
    const context = closeAfterTest(await browser.newContext());
    await context.addInitScript(
      (tokens) => {
        if (localStorage.getItem('tokens') === null) localStorage.setItem('tokens', tokens);
      },
      JSON.stringify(await logIn('demo', 'demo-password')),
    );
    const first = await context.newPage();
    await first.goto(site.url);
    // Opened by the first, it shares its process: between processes, what one stores may reach the other late.
    const opened = context.waitForEvent('page');
    await first.evaluate(`void window.open('${site.url}')`);
    const second = await opened;
    await second.waitForLoadState();
    return [first, second];
  }

  async function logIn(loginId: string, password: string): Promise<object> {
    const { data } = await gateway.graphql(
      `mutation { userLogin(loginId: "${loginId}", password: "${password}") { session { accessToken refreshToken } } }`,
    );
    const { session } = data?.['userLogin'] as { session: object }; // as selected
    return session;
  }

  it('end with a log-out of one of them, or where another user logs in, and send nothing then', async () => {
    const [first, second] = await openTabs('(work) => work()');
    expect(await second.evaluate('askInWords()')).toBe(false);
    gateway.sandbox.journal.clear();
    await first.evaluate(`store(${JSON.stringify(await logIn('demo', 'demo-password'))})`);
    expect(await second.evaluate('askInWords()')).toBe('This page belongs to an earlier log-in: load it again.');
    await first.evaluate(`store({ accessToken: '.${Buffer.from('{"Org":"other"}').toString('base64url')}.' })`);
    expect(await second.evaluate('askInWords()')).toBe('Another user has logged in: load this page again.');
    await first.evaluate('logOut()');
    expect(await second.evaluate('askInWords()')).toBe('You have logged out. Log in again.');
    expect(requests('listMobiles')).toBe(0);
  });

  it.each([
    ['refresh its tokens once, under a lock', "(work) => navigator.locks.request('refresh', work)"],
    ['get the same tokens without one, because the gateway keeps the answer of a refresh', '(work) => work()'],
  ])('%s', async (_name, locked) => {
    const tabs = await openTabs(locked);

    await gateway.sandbox.rotateKeys({ keepOld: false });
    gateway.sandbox.journal.clear();
    // Both tabs want new tokens before either has them.
    const hold = gateway.sandbox.faults.hold({ operation: 'refreshToken' });
    const asked = tabs.map((tab) => tab.evaluate<boolean>('ask()'));
    await waitFor('both to be refused', () => requests('getPublicKeys') === 2);
    await hold.held();
    hold.release();
    expect(await Promise.all(asked)).toEqual([false, false]);
    expect(requests('refreshToken')).toBe(1);
  });

  it.each<[what: string, operation: string, doing: (tab: Page) => Promise<unknown>, done: () => number]>([
    [
      'an order, which is one job',
      'startDrivingReports',
      (tab) => tab.evaluate('order()'),
      () => gateway.logged().split('"event":"job.accepted"').length - 1,
    ],
    [
      'a refresh, which keeps its user logged in',
      'refreshUserToken',
      async (tab) => {
        await gateway.sandbox.rotateKeys({ keepOld: false });
        expect(await tab.evaluate('askInWords()')).toBe(false);
      },
      () => requests('refreshToken'),
    ],
    [
      'a right code, which stays right',
      'verifyOtp',
      async (tab) => {
        await gateway.graphql('mutation { sendOtp(loginId: "otp") { sentTo } }');
        const code = JSON.stringify(gateway.sandbox.otps.last('otp'));
        expect(await tab.evaluate(`logInByCode(${code})`)).toBe('logged in');
      },
      () => requests('verifyOtp'),
    ],
  ])('may repeat by themselves %s', async (_what, operation, doing, done) => {
    const way = closeAfterTest(await startRouter(gateway.url));
    const [tab] = await openTabs('(work) => work()', way.url);
    // A connection that was used before is one on which a browser repeats a request.
    expect(await tab.evaluate('askInWords()')).toBe(false);
    gateway.sandbox.journal.clear();
    const before = done();
    let sent = 0;
    way.answer((_request, body) => {
      if (!body.includes(`${operation}(`)) return 'forward';
      sent += 1;
      return sent === 1 ? 'forward-and-cut' : 'forward';
    });
    await doing(tab);
    expect([sent, done() - before]).toEqual([2, 1]);
  });
});
