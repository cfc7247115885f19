import { expect, it } from '@jest/globals';
import { launchBrowser, servePage } from '../support/browser.js';
import { gatewayForAllTests, closeAfterTest, forAllTests } from '../support/resources.js';
import { everyMinute, Promtool } from '../support/promtool.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const OPERATIONS = 'gateway_graphql_operation_duration_seconds_count';

/** A page that searches at each key, and aborts the search before. */
const pageOf = (gatewayUrl: string, authorization: string): string => `<!doctype html>
<label>Search <input id="search"></label>
<script>
  let before;
  document.querySelector('input').addEventListener('input', ({ target: { value } }) => {
    before?.abort();
    before = new AbortController();
    fetch('${gatewayUrl}/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: '${authorization}' },
      body: JSON.stringify({
        query: 'query Search($word: String) { mobiles(search: $word) { edges { node { id } } } }',
        variables: { word: value },
      }),
      signal: before.signal,
    })
      .then((response) => response.json())
      .then(({ data }) => document.body.append(' found ' + data.mobiles.edges.length))
      .catch(() => undefined);
  });
</script>`;

const WORDS = 'truck van bus car tram bike crane lorry taxi ferry'.split(' ');

describeWith(['chromium', 'promtool'], 'A search box in a browser', () => {
  const gateway = gatewayForAllTests({ METRICS_PORT: '0' });
  const browser = forAllTests(launchBrowser);
  const promtool = forAllTests(() => Promtool.open());

  it('aborts the search before at each key, and neither an error nor an alert comes of it', async () => {
    const html = pageOf(gateway.url, await gateway.bearer());
    const site = closeAfterTest(await servePage(html));
    // Longer than it takes to type the next letter.
    gateway.sandbox.faults.set({ operation: 'listMobiles', fault: { kind: 'slow', milliseconds: 400 } });
    const page = await browser.newPage();
    await page.goto(site.url);
    for (const word of WORDS) {
      await page.locator('#search').fill('');
      await page.locator('#search').pressSequentially(word, { delay: 40 });
      await page.getByText('found').first().waitFor();
    }
    const scraped = await waitFor('all to end', async () => {
      const now = await gateway.scrape();
      return now.value('http_server_active_requests') === 0 && now;
    });
    expect(scraped.value(OPERATIONS, { outcome: 'abandoned' })).toBeGreaterThan(WORDS.length);
    const outcomes = scraped.values(OPERATIONS, 'outcome');
    expect(outcomes.filter((outcome) => !['ok', 'abandoned'].includes(outcome))).toEqual([]);
    expect(gateway.logged()).not.toMatch(/"level":"(warn|error)".*"requestId"/);
    const fires = { RequestsFail: false, RequestsSlow: false, BackendCallsFail: false, BackendCallsSlow: false };
    expect(await promtool.faultsOf({ series: everyMinute(scraped), fires })).toBe('');
  });
});
