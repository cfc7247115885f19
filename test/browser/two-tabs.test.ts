/** Two tabs that share the tokens of a session, with the example of a front end and the locks of a real browser. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { launchBrowser, servePage } from '../support/browser.js';
import { closeAfterTest, forAllTests, gatewayForAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** Offers `ask`, which lists mobiles with the tokens in `localStorage` and refreshes them if it has to. */
const tabOf = (gatewayUrl: string, locked: string): string => `
  import { createGraphQLClient } from './graphql-client.js';
  import { listMobiles } from './mobiles.js';
  import { Session } from './session.js';
  const shared = {
    read: () => JSON.parse(localStorage.getItem('tokens')),
    write: (tokens) => localStorage.setItem('tokens', JSON.stringify(tokens)),
    locked: ${locked},
  };
  const session = new Session(createGraphQLClient({ gatewayUrl: '${gatewayUrl}' }), shared.read(), shared);
  globalThis.ask = async () => (await listMobiles(session).next()).done;
`;

describeWith(['chromium'], 'Two tabs with one session', () => {
  const gateway = gatewayForAllTests();
  const browser = forAllTests(launchBrowser);

  const requests = (operation: string): number => gateway.sandbox.journal.requests({ operation }).length;

  it.each([
    ['refresh its tokens once, under a lock', "(work) => navigator.locks.request('refresh', work)", 1],
    ['would refresh them twice without one', '(work) => work()', 2],
  ])('%s', async (_name, locked, refreshes) => {
    const script = execFileSync(
      path.resolve('node_modules/.bin/esbuild'),
      ['--bundle', '--format=esm', '--loader=ts'],
      { cwd: 'test/examples/front-end', input: tabOf(gateway.url, locked), encoding: 'utf8' },
    );
    const html = `<!doctype html><script type="module">${script}</script>`;
    const site = closeAfterTest(await servePage(html));
    const { data } = await gateway.graphql(
      'mutation { userLogin(loginId: "demo", password: "demo-password") { session { accessToken refreshToken } } }',
    );
    const { session } = data?.['userLogin'] as { session: object }; // as selected
    const context = await browser.newContext();
    await context.addInitScript((tokens) => {
      if (localStorage.getItem('tokens') === null) localStorage.setItem('tokens', tokens);
    }, JSON.stringify(session));
    const first = await context.newPage();
    await first.goto(site.url);
    // Opened by the first, it shares its process: between processes, what one stores may reach the other late.
    const opened = context.waitForEvent('page');
    await first.evaluate(`void window.open('${site.url}')`);
    const second = await opened;
    await second.waitForLoadState();
    const tabs = [first, second];

    await gateway.sandbox.rotateKeys({ keepOld: false });
    gateway.sandbox.journal.clear();
    // Both tabs want new tokens before either has them.
    const hold = gateway.sandbox.faults.hold({ operation: 'refreshToken' });
    const asked = tabs.map((tab) => tab.evaluate<boolean>('ask()'));
    await waitFor('both to be refused', () => requests('getPublicKeys') === 2);
    await hold.held(refreshes);
    hold.release();
    // The second tab without a lock has used the token of the first.
    const found = await Promise.allSettled(asked);
    expect(requests('refreshToken')).toBe(refreshes);
    if (refreshes === 1) expect(found.map((one) => one.status === 'fulfilled' && one.value)).toEqual([false, false]);
    await context.close();
  });
});
