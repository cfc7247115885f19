/** Days on which something goes wrong between a client and its gateway. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { productionAt } from '../support/gateway.js';
import { closeAfterTest, temporaryDirectory } from '../support/resources.js';
import { ofNginx, startRouter, type Treatment } from '../support/router.js';
import { startBackends } from '../support/successive-gateways.js';
import { deferred, waitFor } from '../support/wait-for.js';
import { asLoadedPage, POLL_MS, withFrontEnd } from './front-end.js';
import { Session } from './session.js';

const PATIENCE_SECONDS = 20;

type Environment = Parameters<typeof withFrontEnd>[0];

const json = (status: number, body: object): Treatment => ({
  status,
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
  body: JSON.stringify(body),
});

function refusal(code: string, reason: string, more: object = {}): Treatment {
  const extensions = { code, reason, status: 503, path: ['job'], ...more };
  return json(200, { data: { job: null }, errors: [{ message: 'Refused.', path: ['job'], extensions }] });
}

const BUSY = { message: 'Busy', path: [], extensions: { code: 'ServiceUnavailable', reason: 'Busy' } };

export const ASK_TO_LOAD = 'This operation is not in the list of persisted operations; load the page again.';

export const NOT_LISTED = json(400, {
  errors: [
    { message: ASK_TO_LOAD, path: [], extensions: { code: 'BadInput', reason: 'OperationNotListed', status: 400 } },
  ],
});

const RUNNING = { __typename: 'DrivingReportsStatus', id: '1', completed: false, state: 'RUNNING', status: null };

/** Each with the seconds before which it wants no other poll. */
const BAD_DAYS: Readonly<Record<string, readonly [Treatment, number]>> = {
  'the gateway is away': ['cut', 0],
  'an answer is lost': ['forward-and-cut', 0],
  'a proxy answers in its place': [ofNginx(502), 0],
  'the gateway is busy': [json(503, { errors: [BUSY] }), 0],
  'backend-api is down': [refusal('ServiceUnavailable', 'BackendUnavailable'), 0],
  'it is asked too often': [refusal('TooManyRequests', 'TooManyJobLists', { retryAfterSeconds: 1 }), 1],
  'a status asks for patience': [
    json(200, { data: { job: { ...RUNNING, pollAfterSeconds: PATIENCE_SECONDS, downloadUrl: null } } }),
    (PATIENCE_SECONDS * POLL_MS) / 1_000,
  ],
};

/** Statuses with which something in front of the gateway refuses an order, and how often the order is sent then. */
const IN_FRONT = [
  [413, 1],
  [403, 1],
  [408, 2],
  [425, 2],
  [429, 2],
  [502, 2],
] as const;

const SPOILT = 3;

/** A client's way to order a report and to poll it. */
interface Page {
  order(): Promise<string>;
  /** Reads the list of jobs. */
  list(): Promise<unknown>;
  /** Ids of the jobs in the list that it shows. */
  listed(): readonly string[];
  poll(jobId: string, signal?: AbortSignal): Promise<{ status: string | null }>;
}

type PageOf = (gatewayUrl: string, session: Session) => Page;

/** Registers the tests of what every client does on a bad day. @param settings of the gateway */
export function outlivesBadDays(settings: Environment, pageOf: PageOf): void {
  it('orders once although the answer is lost', () =>
    withFrontEnd(settings, async ({ gateway, session, loseAnswer, jobIds }) => {
      const page = pageOf(gateway.url, session);
      loseAnswer();
      expect([await page.order()]).toEqual(await jobIds());
    }));

  it('shows a new job on top of its list at once, and once although the order was repeated', () =>
    withFrontEnd(settings, async ({ gateway, session, loseAnswer, jobIds }) => {
      const page = pageOf(gateway.url, session);
      const older = await page.order();
      await page.list();
      expect(page.listed()).toEqual([older]);
      loseAnswer();
      const newer = await page.order();
      expect(page.listed()).toEqual([newer, older]);
      await page.list();
      expect([page.listed(), await jobIds()]).toEqual([
        [newer, older],
        [newer, older],
      ]);
    }));

  it('asks again by a hash that a gateway does not list, and loads the page again if no gateway does', () =>
    withFrontEnd(settings, async ({ gateway, session }) => {
      const reload = asLoadedPage();
      const way = closeAfterTest(await startRouter(gateway.url));
      const page = pageOf(way.url, session);
      let left = 2;
      way.answer(() => ((left -= 1) < 0 ? 'forward' : NOT_LISTED));
      expect(await page.order()).toMatch(/^[\da-f-]{36}$/);
      expect(reload).not.toHaveBeenCalled();
      way.answer(() => NOT_LISTED);
      const refusal = { extensions: { reason: 'OperationNotListed' } };
      for (let poll = 1; poll <= 2; poll += 1) {
        await expect(page.poll('1')).rejects.toMatchObject({ errors: [refusal] });
        expect(way.answered).toBe(2 + poll * 4);
      }
      // A page that is as old after it was loaded is not loaded again and again.
      expect(reload).toHaveBeenCalledTimes(1);
    }));

  it.each(Object.entries(BAD_DAYS))(
    'goes on polling when %s, and never sooner than it is asked to',
    (_day, [how, seconds]) =>
      withFrontEnd(settings, async ({ gateway, session }) => {
        const way = closeAfterTest(await startRouter(gateway.url));
        const page = pageOf(way.url, session);
        const jobId = await page.order();
        const times: number[] = [];
        way.answer(() => (times.push(performance.now()) > SPOILT ? 'forward' : how));
        expect((await page.poll(jobId)).status).toBe('Success');
        expect(times.length).toBeGreaterThan(SPOILT);
        const pauses = times.slice(1, SPOILT + 1).map((time, at) => time - (times[at] ?? 0));
        expect(Math.min(...pauses)).toBeGreaterThan(seconds * 1_000 - 10);
      }),
  );

  it('goes on polling when the gateway is killed for a second', () => expectToOutliveAKill(settings, pageOf));

  it('sends an order again that something in front of the gateway refuses, unless it would refuse it each time', () =>
    withFrontEnd(settings, async ({ gateway, session }) => {
      const way = closeAfterTest(await startRouter(gateway.url));
      for (const [status, times] of IN_FRONT) {
        let sent = 0;
        way.answer(() => ((sent += 1) === 1 ? ofNginx(status) : 'forward'));
        const ordered = pageOf(way.url, session).order();
        await (times === 1 ? expect(ordered).rejects.toThrow() : ordered);
        expect([status, sent]).toEqual([status, times]);
      }
    }));

  it('asks again with new tokens after those in use were refused, and refreshes once if a refusal comes late', () =>
    withFrontEnd(settings, async ({ gateway, session, delayAnswer }) => {
      const page = pageOf(gateway.url, session);
      const [first, second] = [await page.order(), await page.order()];
      await gateway.sandbox.rotateKeys({ keepOld: false });
      const refreshed = deferred();
      delayAnswer(refreshed.promise);
      const late = page.poll(first);
      await page.poll(second);
      refreshed.resolve();
      expect((await late).status).toBe('Success');
      expect(gateway.sandbox.journal.requests({ operation: 'refreshToken' })).toHaveLength(1);
    }));

  it('ends polling when the session has ended, with code and reason, after one refresh and one message', () =>
    withFrontEnd(settings, async ({ gateway }) => {
      const ends: unknown[] = [];
      const tokens = { accessToken: await gateway.sandbox.mintToken(), refreshToken: 'refused' };
      const session = new Session(gateway.url, tokens, (error) => void ends.push(error));
      const page = pageOf(gateway.url, session);
      const jobId = await page.order();
      await gateway.sandbox.rotateKeys({ keepOld: false });
      const refusal = { extensions: { code: 'InvalidCredentials', reason: 'WrongRefreshToken' } };
      for (let poll = 0; poll < 3; poll += 1) {
        await expect(page.poll(jobId)).rejects.toMatchObject({ errors: [refusal] });
      }
      expect(ends).toHaveLength(1);
      expect(gateway.sandbox.journal.requests({ operation: 'refreshToken' })).toHaveLength(1);
    }));

  it('ends polling when its page is left', () =>
    withFrontEnd(settings, async ({ gateway, session }) => {
      const hold = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
      const page = pageOf(gateway.url, session);
      const jobId = await page.order();
      await hold.held();
      const leaving = new AbortController();
      const polled = page.poll(jobId, leaving.signal);
      leaving.abort(new Error('The page was left.'));
      await expect(polled).rejects.toThrow('The page was left.');
      hold.release();
    }));

  it('ends polling with the refusal of a job that there is not', () =>
    withFrontEnd(settings, async ({ gateway, session }) => {
      await expect(pageOf(gateway.url, session).poll('none')).rejects.toThrow('There is no such job.');
    }));
}

const AWAY_MS = 1_000;

/** Kills the gateway (`kill -9`) while it is polled, starts it again, and expects that the polls go on to the end. */
async function expectToOutliveAKill(settings: Environment, pageOf: PageOf): Promise<void> {
  const programs = closeAfterTest(await BuiltPrograms.open());
  const sandbox = closeAfterTest(await startBackends());
  const { path: DATA_DIR } = closeAfterTest(await temporaryDirectory());
  const [port] = await freePorts(1);
  const place = { DATA_DIR, PORT: String(port), GATEWAY_URL: `http://127.0.0.1:${port}` };
  const environment = { ...productionAt(sandbox), ...place, ...settings };
  const gateway = await programs.startGateway(environment);
  const session = new Session(gateway.url, { accessToken: await sandbox.mintToken(), refreshToken: '' });
  const page = pageOf(gateway.url, session);
  const hold = sandbox.faults.hold({ operation: 'getDrivingRecord' });
  const jobId = await page.order();
  await hold.held();
  const polled = Promise.resolve(page.poll(jobId));
  polled.catch(() => undefined);
  await waitFor('a poll', async () => /"rootFields":\["job"\]/.test(await gateway.output()));
  await gateway.kill();
  await delay(AWAY_MS);
  await programs.startGateway(environment);
  hold.release();
  expect((await polled).status).toBe('Success');
}
