/** The example that front-end developers copy from, against a gateway with simulated backends. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { VARIABLES } from '../../src/base/config/variables.js';
import type { ErrorCode } from '../../src/base/error-table.js';
import { awaitReport, downloadReport, orderReport, startOfDay } from '../examples/front-end/driving-report.js';
import { TypedDocumentString, type DrivingReportsInput } from '../examples/front-end/generated/graphql.js';
import { createGraphQLClient } from '../examples/front-end/graphql-client.js';
import { listMobiles } from '../examples/front-end/mobiles.js';
import { type Waiting } from '../examples/front-end/patience.js';
import { isRefused, RequestError, wordsFor } from '../examples/front-end/request-error.js';
import { logIn, Session, type AskForCode } from '../examples/front-end/session.js';
import { startTestGateway } from '../support/gateway.js';
import { serveOnLoopback } from '../support/loopback.js';
import { closeAfterTest, forAllTests, gatewayForAllTests, temporaryDirectory } from '../support/resources.js';
import { ofNginx, startRouter, type Treatment } from '../support/router.js';

const DEMO = { loginId: 'demo', password: 'demo-password' };
const REPORT: DrivingReportsInput = {
  date: startOfDay('2026-11-19', '+09:00'),
  drivers: [{ mobileId: '1', employeeCode: 'E-1001', employeeName: '佐藤 健一' }],
};

const noCode: AskForCode = () => Promise.reject(new Error('nobody was to be asked for a code'));

/** A person who waits, with the messages shown and the times waited; time passes quickly. */
function patient(
  meanwhile: (milliseconds: number) => unknown = () => undefined,
): Waiting & { readonly told: string[]; readonly waited: number[] } {
  const told: string[] = [];
  const waited: number[] = [];
  return {
    told,
    waited,
    tell: (words) => told.push(words),
    signal: new AbortController().signal,
    pause: async (milliseconds) => {
      waited.push(milliseconds);
      meanwhile(milliseconds);
      await delay(10);
    },
  };
}

async function wordsAfter(doing: () => Promise<unknown>): Promise<[code: string | undefined, words: string]> {
  try {
    await doing();
    throw new Error('Nothing was refused.');
  } catch (error) {
    return [error instanceof RequestError ? error.code : undefined, wordsFor(error)];
  }
}

const gateway = gatewayForAllTests({ JOBS_MAX_OPEN_PER_ORG: '1', LOGIN_RATE_PER_MINUTE: '2' });
const client = forAllTests(() => createGraphQLClient({ gatewayUrl: gateway.url }));

describe('the example of a front end', () => {
  it('logs in, orders a report, waits for it and downloads the PDF', async () => {
    const session = await logIn(client, DEMO, noCode);
    const waiting = patient();
    const jobId = await orderReport(session, REPORT, waiting);
    expect(await awaitReport(session, jobId, waiting)).toMatchObject({ status: 'Success', errors: null });
    const pdf = await downloadReport(session, jobId, gateway.url);
    expect(pdf?.type).toBe('application/pdf');
    expect(await pdf?.slice(0, 5).text()).toBe('%PDF-');
  });

  it('does so by the hashes of its documents where the gateway takes nothing else', async () => {
    const file = fileURLToPath(new URL('../examples/front-end/generated/persisted-documents.json', import.meta.url));
    const strict = closeAfterTest(
      await startTestGateway({ PERSISTED_OPERATIONS_FILE: file, PERSISTED_OPERATIONS: 'only' }),
    );
    const byText = createGraphQLClient({ gatewayUrl: strict.url });
    await expect(logIn(byText, DEMO, noCode)).rejects.toMatchObject({ code: 'BadInput' });
    const byHash = createGraphQLClient({ gatewayUrl: strict.url, sendsHashes: true });
    const session = await logIn(byHash, DEMO, noCode);
    const waiting = patient();
    const jobId = await orderReport(session, REPORT, waiting);
    expect((await awaitReport(session, jobId, waiting)).status).toBe('Success');
  });

  it('asks again by a hash that no gateway knows, then has the page loaded again', async () => {
    const PERSISTED_OPERATIONS_FILE = path.join(closeAfterTest(await temporaryDirectory()).path, 'other.json');
    const [document, hash] = ['{ serviceVersion }', createHash('sha256').update('{ serviceVersion }').digest('hex')];
    await writeFile(PERSISTED_OPERATIONS_FILE, JSON.stringify({ [hash]: document }));
    const strict = closeAfterTest(await startTestGateway({ PERSISTED_OPERATIONS_FILE, PERSISTED_OPERATIONS: 'only' }));
    const way = closeAfterTest(await startRouter(strict.url));
    const seen: string[] = [];
    way.answer(() => (seen.push('request'), 'forward'));
    const onOutdated = (): unknown => seen.push('load the page again');
    const outdated = createGraphQLClient({ gatewayUrl: way.url, sendsHashes: true, onOutdated });
    await expect(logIn(outdated, DEMO, noCode)).rejects.toMatchObject({ reason: 'OperationNotListed' });
    expect(seen).toEqual(['request', 'request', 'request', 'request', 'load the page again']);
  });

  it('asks for the code that was sent until it is right, and sends it again when asked to', async () => {
    const hints: string[] = [];
    const answers = [() => '-', () => undefined, () => gateway.sandbox.otps.last('otp')];
    const session = await logIn(client, { loginId: 'otp', password: 'otp-password' }, (hint) => {
      hints.push(hint);
      return Promise.resolve(answers[hints.length - 1]?.());
    });
    expect(hints).toEqual([
      'Enter the code that was sent to o***@sandbox.test.',
      'The one-time password is wrong or has expired.',
      'A code was sent to o***@sandbox.test a moment ago. Enter it, or have it sent again in a minute.',
    ]);
    expect((await listMobiles(session).next()).done).toBe(false);
  });

  it('refreshes a session once, however many requests find it expired', async () => {
    const session = await logIn(client, DEMO, noCode);
    await gateway.sandbox.rotateKeys({ keepOld: false });
    const refreshes = (): number => gateway.sandbox.journal.requests({ operation: 'refreshToken' }).length;
    const before = refreshes();
    const found = await Promise.all([listMobiles(session).next(), listMobiles(session).next()]);
    expect(found.map(({ done }) => done)).toEqual([false, false]);
    expect((await listMobiles(session).next()).done).toBe(false);
    expect(refreshes() - before).toBe(1);
  });

  it('orders once although the answer is lost', async () => {
    const session = await logIn(client, DEMO, noCode);
    const lost = jest.spyOn(globalThis, 'fetch');
    const { fetch } = globalThis;
    lost.mockImplementationOnce(async (url, init) => {
      await (await fetch(url, init)).text();
      throw new TypeError('The connection was closed.');
    });
    const waiting = patient();
    const jobId = await orderReport(session, REPORT, waiting);
    lost.mockRestore();
    expect(waiting.told).toEqual(['The service cannot be reached. Check your connection and try again.']);
    expect(gateway.logged().split('"event":"job.accepted"').at(-1)).toContain(jobId);
    expect((await awaitReport(session, jobId, patient())).status).toBe('Success');
  });

  it('orders once more after as long as TooManyRequests says', async () => {
    const session = await logIn(client, DEMO, noCode);
    const busy = gateway.sandbox.faults.hold({ operation: 'getDrivingRecord' });
    const first = await orderReport(session, REPORT, patient());
    const waiting = patient(() => busy.release());
    const second = await orderReport(session, REPORT, waiting);
    expect(waiting.waited[0]).toBe(30_000);
    expect(waiting.told[0]).toBe(
      'Your organisation already has as many unfinished jobs as it may have. Try again when one of them has ended.',
    );
    for (const jobId of [first, second]) {
      expect((await awaitReport(session, jobId, patient())).status).toBe('Success');
    }
  });
});

describe('what people are told', () => {
  const wrong = { loginId: 'nobody', password: 'wrong' };
  const accounts = new TypedDocumentString<unknown, object>(
    '{ fetchBulkOperationUserAccountStatus(jobId: "1") { completed } }',
  );
  const asDriver = { loginId: 'driver', password: 'driver-password' };
  const order = async (input: DrivingReportsInput): Promise<unknown> =>
    orderReport(await logIn(client, DEMO, noCode), input, patient());
  const guessOn = async (guess: typeof wrong): Promise<never> => {
    for (;;) {
      await logIn(client, guess, noCode).catch((error: unknown) => {
        if (!isRefused(error, 'InvalidCredentials')) throw error;
      });
    }
  };
  const unreachable = createGraphQLClient({ gatewayUrl: 'http://127.0.0.1:1' });

  const refusals: Record<ErrorCode, [words: RegExp, doing: () => Promise<unknown>]> = {
    UnAuthenticated: [
      /^Your session has ended\. Log in again\.$/,
      () => listMobiles(new Session(client, { accessToken: 'expired', refreshToken: 'used' })).next(),
    ],
    Forbidden: [/administrator/i, async () => (await logIn(client, asDriver, noCode)).request(accounts, {})],
    NotFound: [
      /^There are no such mobiles: 999999\.$/,
      () => order({ ...REPORT, drivers: [{ mobileId: '999999', employeeCode: '', employeeName: '' }] }),
    ],
    BadInput: [/^This cannot be used as it is\. .*date/, () => order({ ...REPORT, date: 'yesterday' })],
    InvalidCredentials: [/^The login id or the password is wrong\.$/, () => logIn(client, wrong, noCode)],
    TooManyRequests: [
      /^There were too many attempts to log in to this account\. Try again in \d+ seconds?\.$/,
      () => guessOn({ ...wrong, loginId: 'guessed' }),
    ],
    ServiceUnavailable: [/^The service cannot be reached\./, () => logIn(unreachable, DEMO, noCode)],
    InternalError: [
      /^Something went wrong\. If that does not help, tell us this number: 4711$/,
      () => Promise.reject(new RequestError('InternalError', 'Something went wrong.', { requestId: '4711' })),
    ],
  };

  it.each(Object.entries(refusals))(
    'of %s says what happened, and names no setting of ours',
    async (code, [words, doing]) => {
      const [refused, told] = await wordsAfter(doing);
      expect([refused, told]).toEqual([code, expect.stringMatching(words)]);
      expect(Object.keys(VARIABLES).filter((name) => told.includes(name))).toEqual([]);
    },
  );

  it.each<[what: string, how: Treatment, words: RegExp]>([
    ['that cannot be reached', 'cut', /^The report cannot be reached\. Check your connection/],
    ['for which a proxy has a page', ofNginx(200), /^The report could not be downloaded\./],
  ])('of a download %s is to try again', async (_what, how, words) => {
    const session = await logIn(client, DEMO, noCode);
    const jobId = await orderReport(session, REPORT, patient());
    await awaitReport(session, jobId, patient());
    const way = closeAfterTest(await startRouter(gateway.url));
    way.answer(() => how);
    const { fetch } = globalThis;
    const onTheWay = jest.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url);
      return fetch(pathname === '/graphql' ? url : way.url + pathname + search, init);
    });
    expect(await wordsAfter(() => downloadReport(session, jobId, gateway.url))).toEqual([
      'ServiceUnavailable',
      expect.stringMatching(words),
    ]);
    onTheWay.mockRestore();
  });

  it('of a limit on time names no setting either', async () => {
    const hasty = closeAfterTest(await startTestGateway({ REQUEST_TIMEOUT_SECONDS: '1' }));
    hasty.sandbox.faults.hold({ operation: 'login' });
    const [code, told] = await wordsAfter(() => logIn(createGraphQLClient({ gatewayUrl: hasty.url }), DEMO, noCode));
    expect([code, told]).toEqual([
      'ServiceUnavailable',
      'This took longer than 1 s, and may have been done. Load the page again to see whether it was.',
    ]);
  });

  it.each([
    ['text/html', '<h1>Bad gateway</h1>'],
    ['application/json', '{"message":"Bad Gateway"}'],
    ['application/json', '{"errors":[{"message":"upstream"}]}'],
    ['application/json', ''],
  ])('of a proxy that answers %s in its place is to try again, when the proxy says', async (type, body) => {
    const proxy = await serveOnLoopback((_request, response) => {
      response.writeHead(502, { 'content-type': type, 'retry-after': '7' }).end(body);
    });
    const { url: gatewayUrl } = closeAfterTest(proxy);
    await expect(logIn(createGraphQLClient({ gatewayUrl }), DEMO, noCode)).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: 'The service cannot be reached. Check your connection and try again.',
      retryAfterSeconds: 7,
    });
  });

  it.each([
    [
      'a mistake of the page itself',
      new TypeError('undefined is not a function'),
      /^This page made a mistake\. Reload it/,
    ],
    // The enum of a later gateway has it.
    [
      'a code that it does not know',
      new RequestError('Later' as ErrorCode, 'Later.'),
      /Load the page again\..* Later\.$/,
    ],
  ])('of %s is to load the page again', (_what, error, words) => {
    expect(wordsFor(error)).toMatch(words);
  });
});
