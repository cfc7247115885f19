/** The recipes of all clients in tabs of a real browser that nobody looks at. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { print } from 'graphql';
import { ROOT } from '../support/built-programs.js';
import { launchBrowser, servePage } from '../support/browser.js';
import { startTestGateway } from '../support/gateway.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { startRouter } from '../support/router.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { ASK_TO_LOAD, NOT_LISTED } from './bad-days.js';
import { POLL_MS, REPORT } from './front-end.js';
import { ORDER } from './operations.js';

type Environment = NonNullable<Parameters<typeof startTestGateway>[0]>;

const ESBUILD = path.join(ROOT, 'node_modules/.bin/esbuild');

const MAX_SCRIPT_BYTES = 32 * 1024 * 1024;

/** Offers `poll`, and what came of it. @param client its lines in the page: `pollJob`, of `url`, `session` and `options` */
const pageOf = (gatewayUrl: string, tokens: object, client: string): string => `
  import { Session } from './session.js';
  const [url, session] = ['${gatewayUrl}', new Session('${gatewayUrl}', ${JSON.stringify(tokens)})];
  const options = { secondMs: ${POLL_MS} };
  ${client}
  globalThis.events = [];
  for (const name of ['visibilitychange', 'freeze']) {
    document.addEventListener(name, () => events.push(name === 'freeze' ? name : document.visibilityState));
  }
  globalThis.outcome = 'none';
  globalThis.poll = (jobId) => {
    pollJob(jobId).then(({ status }) => status, ({ message }) => message).then((end) => (outcome = end));
  };
`;

/**
 * Registers the tests of what every client does in a tab of a real browser that nobody looks at.
 *
 * @param settings of the gateway
 * @param client lines of the page that make `pollJob`
 */
export function pollsInTheBackground(settings: Environment, client: string): void {
  describeWith(['chromium'], 'in a tab that nobody looks at', () => registerTests(settings, client));
}

function registerTests(settings: Environment, client: string): void {
  const browser = forAllTests(launchBrowser);

  /** Opens a tab past Playwright, which keeps its own visible. */
  async function openTab(url: string) {
    const cdp = await browser.newBrowserCDPSession();
    const { browserContextId } = await cdp.send('Target.createBrowserContext');
    const { targetId } = await cdp.send('Target.createTarget', { url, browserContextId });
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: false });
    const answers: Record<number, (answer: CdpAnswer) => void> = {};
    cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message) as CdpAnswer & { id: number }; // Chrome DevTools Protocol
      answers[answer.id]?.(answer);
    });
    let id = 0;
    const send = async (method: string, params: object): Promise<CdpAnswer> => {
      id += 1;
      const answered = new Promise<CdpAnswer>((resolve) => (answers[id] = resolve));
      await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
      return answered;
    };
    const evaluate = async (expression: string): Promise<unknown> => {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return result?.result?.value;
    };
    return {
      evaluate,
      async hide() {
        const other = await cdp.send('Target.createTarget', { url: 'about:blank', browserContextId });
        await cdp.send('Target.activateTarget', { targetId: other.targetId });
      },
      turn: (state: 'active' | 'frozen') => send('Page.setWebLifecycleState', { state }),
      sees: (event: string) => waitFor(event, async () => (await evaluate('globalThis.events?.at(-1)')) === event),
    };
  }

  async function openPage() {
    const gateway = closeAfterTest(await startTestGateway(settings));
    const way = closeAfterTest(await startRouter(gateway.url));
    const accessToken = await gateway.sandbox.mintToken();
    const script = execFileSync(ESBUILD, ['--bundle', '--format=esm', '--loader=ts'], {
      cwd: path.join(ROOT, 'test/clients'),
      input: pageOf(way.url, { accessToken, refreshToken: '' }, client),
      encoding: 'utf8',
      maxBuffer: MAX_SCRIPT_BYTES,
    });
    const site = closeAfterTest(await servePage(`<!doctype html><script type="module">${script}</script>`));
    const tab = await openTab(site.url);
    await waitFor('the page', async () => (await tab.evaluate('typeof poll')) === 'function');
    return { gateway, way, tab, authorization: `Bearer ${accessToken}` };
  }

  it('polls on while it is hidden, stops while it is frozen, and has the end of its job after that', async () => {
    const { gateway, way, tab, authorization } = await openPage();
    let polls = 0;
    way.answer((request) => {
      if (request.startsWith('POST')) polls += 1;
      return 'forward';
    });
    const hold = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    const variables = { input: REPORT, idempotencyKey: randomUUID() };
    const { data } = await gateway.graphql(print(ORDER), variables, authorization);
    const { jobId } = data?.['startDrivingReports'] as { jobId: string }; // as selected
    await tab.hide();
    await tab.sees('hidden');
    await tab.evaluate(`poll('${jobId}')`);
    await waitFor('three polls of the hidden tab', () => polls > 2);
    await tab.turn('frozen');
    await tab.sees('freeze');
    hold.release();
    await waitFor('the end of the job', async () => {
      const status = await gateway.graphql(
        'query ($id: ID!) { job(jobId: $id) { completed } }',
        { id: jobId },
        authorization,
      );
      return (status.data?.['job'] as { completed: boolean }).completed; // as selected
    });
    expect(await tab.evaluate('outcome')).toBe('none');
    await tab.turn('active');
    await waitFor('the end of the polls', async () => (await tab.evaluate('outcome')) !== 'none');
    expect(await tab.evaluate('outcome')).toBe('Success');
  });

  it('is loaded again when no gateway lists its operations any more, and then shows the refusal', async () => {
    const { way, tab } = await openPage();
    way.answer((request) => (request.startsWith('POST') ? NOT_LISTED : 'forward'));
    await tab.evaluate('poll("1")');
    const loaded = 'performance.getEntriesByType("navigation")[0].type + typeof globalThis.poll';
    await waitFor('another load', async () => (await tab.evaluate(loaded)) === 'reloadfunction');
    await tab.evaluate('poll("1")');
    await waitFor('the end of the polls', async () => (await tab.evaluate('outcome')) !== 'none');
    expect(await tab.evaluate('outcome')).toBe(ASK_TO_LOAD);
  });
}

interface CdpAnswer {
  readonly result?: { readonly result?: { readonly value?: unknown } };
}
