/** A way to the gateway on which something goes wrong for a while. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { serveOnLoopback } from '../support/loopback.js';
import { closeAfterTest, temporaryDirectory } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';
import { Session } from './session.js';

/** Answers a request in place of the gateway. @param forward sends it on, and answers with the reply */
type Spoil = (response: ServerResponse, forward: () => Promise<void>) => unknown;

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

function refusal(code: string, reason: string, more: object = {}): string {
  const extensions = { code, reason, status: 503, path: ['job'], ...more };
  return JSON.stringify({ data: { job: null }, errors: [{ message: 'Refused.', path: ['job'], extensions }] });
}

/** Time that the gateway asks for between two polls. */
const RETRY_AFTER_SECONDS = 1;

/** Faults of a poll, by what has happened. */
export const BAD_DAYS: Readonly<Record<string, Spoil>> = {
  'the gateway is away': (response) => response.destroy(),
  'an answer is lost': async (response, forward) => {
    response.end = () => response.destroy();
    await forward();
  },
  'a proxy answers in its place': (response) => answer(response, 502, 'text/html', '<h1>Bad gateway</h1>'),
  'the gateway is busy': (response) =>
    answer(
      response,
      503,
      'application/json',
      '{"errors":[{"message":"Busy","path":[],"extensions":{"code":"ServiceUnavailable","reason":"Busy"}}]}',
    ),
  'backend-api is down': (response) =>
    answer(response, 200, 'application/json', refusal('ServiceUnavailable', 'BackendUnavailable')),
  'it is asked too often': (response) =>
    answer(
      response,
      200,
      'application/json',
      refusal('TooManyRequests', 'TooManyJobLists', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
    ),
};

/** The way to a gateway. */
export interface Way {
  readonly url: string;
  /** Spoils this many requests from now on. */
  spoil(how: Spoil, times: number): void;
  /** Times at which requests came since, in milliseconds. */
  readonly times: readonly number[];
  close(): Promise<void>;
}

/** Opens a way to a gateway. */
export async function openWay(gatewayUrl: string): Promise<Way> {
  let spoiling: { readonly how: Spoil; left: number } | undefined;
  const times: number[] = [];
  const forward = async (request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> => {
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const reply = await fetch(`${gatewayUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': type },
      ...(request.method === 'POST' && { body }),
    });
    answer(response, reply.status, reply.headers.get('content-type') ?? '', await reply.text());
  };
  const { url, close } = await serveOnLoopback((request, response) => {
    times.push(performance.now());
    void buffer(request).then(async (body) => {
      if (spoiling === undefined || spoiling.left === 0) return forward(request, body, response);
      spoiling.left -= 1;
      return spoiling.how(response, () => forward(request, body, response));
    });
  });
  return {
    url,
    spoil(how, count) {
      spoiling = { how, left: count };
      times.length = 0;
    },
    times,
    close,
  };
}

/** How many polls are spoilt. */
const SPOILT = 3;

/** Has the first polls spoilt, and expects that it goes on to the end, and never sooner than it is asked to. */
export async function expectToGoOn(
  way: Way,
  day: string,
  poll: () => Promise<{ status: string | null }>,
): Promise<void> {
  const how = BAD_DAYS[day];
  if (how === undefined) throw new Error(`There is no such day: ${day}`);
  way.spoil(how, SPOILT);
  expect((await poll()).status).toBe('Success');
  expect(way.times.length).toBeGreaterThan(SPOILT);
  if (day !== 'it is asked too often') return;
  const pauses = way.times.slice(1, SPOILT + 1).map((time, at) => time - (way.times[at] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThan(RETRY_AFTER_SECONDS * 1_000 - 10);
}

/** A client's way to order a report and to poll it. */
interface Page {
  order(): Promise<string>;
  poll(jobId: string): Promise<{ status: string | null }>;
}

/** How long a killed gateway is away. */
const AWAY_MS = 1_000;

/** Kills the gateway (`kill -9`) while it is polled, starts it again, and expects that the polls go on to the end. */
export async function expectToOutliveAKill(
  settings: NodeJS.ProcessEnv,
  pageOf: (gatewayUrl: string, session: Session) => Page,
): Promise<void> {
  const programs = closeAfterTest(await BuiltPrograms.open());
  const sandbox = closeAfterTest(await startBackends());
  const { path: DATA_DIR } = closeAfterTest(await temporaryDirectory());
  const [port] = await freePorts(1);
  const place = { DATA_DIR, PORT: String(port), GATEWAY_URL: `http://127.0.0.1:${port}` };
  const environment = { ...PRODUCTION_ENVIRONMENT, ...backendEnvironment(sandbox), ...place, ...settings };
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
