/** A gateway keeps nothing of the traffic that it has served, refused, or lost. */
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { Agent, fetch as fetchThrough, type RequestInit, type Response } from 'undici';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { PRODUCTION_ENVIRONMENT, productionAt } from '../support/gateway.js';
import {
  createAccount,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { chooseSeed } from '../support/seed.js';
import { START_COMMAND } from '../support/start-command.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';

/** Jobs before and after the traffic, of which there may be few on a busy machine. */
const JOBS_BEFORE = 60;
const JOBS_AFTER = 200;
/** Seconds of traffic; ten minutes in `npm run test:soak`. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 20);
/** Clients at a time, and requests of a client that does not wait for its answers. */
const CLIENTS = 16;
const CROWD = 60;
/** Crowds of light requests at the end. */
const CROWDS = 60;
/** Requests of a rush, and rushes, of which the best counts. */
const RUSH = 300;
const RUSHES = 5;

/** More documents than are cached (`document-cache.ts`). */
const DOCUMENTS = 1_100;
const TOKENS = 20;
const ADDRESSES = 50;
const LOGINS = 20;

/**
 * Objects that may be more at the end, however many requests there were: code that is loaded late, and failed log-ins
 * of the last minute. The first kind counts all others as well. A queue that forgets nothing keeps one promise and four
 * other objects for each turn. Connections to backends have signals and timers.
 */
const MAX_MORE: Readonly<Record<string, number>> = {
  Object: 4_000,
  Array: 1_500,
  Function: 1_500,
  AbortSignal: 100,
  timers: 100,
  listeners: 5,
};
const MAX_MORE_OF_OTHERS = 300;
const MAX_MORE_BYTES = 6 * 1024 * 1024;

interface HeapReport {
  readonly heapUsed: number;
  readonly counts: Readonly<Record<string, number>>;
}

const programs = forAllTests(() => BuiltPrograms.open());
const sandbox = forAllTests(startBackends);
const directory = forAllTests(temporaryDirectory);

it(
  'has as much memory and as many objects after mixed traffic as before, and is as quick in a rush',
  async () => {
    const numbers = randomFrom(chooseSeed('nothing-grows'));
    const random = (): number => numbers.next();
    const reportFile = path.join(directory.path, 'heap-report.json');
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const gateway = await programs.start(
      [START_COMMAND.file],
      {
        ...productionAt(sandbox),
        DATA_DIR: path.join(directory.path, 'data'),
        PORT: String(port),
        METRICS_PORT: '0',
        TRUSTED_PROXIES: '1',
        HEAP_REPORT: reportFile,
      },
      {
        nodeOptions: [
          ...START_COMMAND.nodeOptions,
          '--expose-gc',
          `--import=${pathToFileURL(path.join(ROOT, 'test/support/heap-report.js')).href}`,
        ],
      },
    );
    let dispatcher = new Agent();
    const fetch = (to: string, options: RequestInit = {}): Promise<Response> =>
      fetchThrough(to, { ...options, dispatcher });
    await waitFor('readiness', async () => {
      if (!gateway.isRunning()) throw new Error(await gateway.output());
      return (await statusOf(fetch(`${url}/health/ready`))) === 200;
    });
    const tokens = await Promise.all(Array.from({ length: TOKENS }, () => sandbox.mintToken()));
    const statuses = new Map<number | undefined, number>();
    let requests = 0;

    async function statusOf(sent: Promise<Response | undefined> | undefined): Promise<number | undefined> {
      try {
        const { status, body } = (await sent) ?? {};
        for await (const chunk of body ?? []) void chunk;
        return status;
      } catch {
        return undefined;
      }
    }

    const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
    const from = (): Record<string, string> => ({ 'x-forwarded-for': `192.0.2.${Math.floor(random() * ADDRESSES)}` });
    const post = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...from(), ...headers },
        body: JSON.stringify({ query }),
      });
    const get = (query: string): Promise<Response> =>
      fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, { headers: from() });
    const bearer = (): Record<string, string> => ({ authorization: `Bearer ${pick(tokens)}` });
    const light = (): Promise<Response> => post('{ serviceVersion }');

    /** Sends a part of a request, or the whole, and hangs up. */
    async function hangUp(): Promise<undefined> {
      const body = JSON.stringify({ query: '{ mobiles(first: 5) { edges { node { id } } } }' });
      const head = `POST /graphql HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${pick(tokens)}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      const text = head + body;
      const socket = net.connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(text.slice(0, Math.ceil(random() * 1.2 * text.length)));
      await new Promise((resolve) => setTimeout(resolve, random() * 10));
      socket.destroy();
    }

    let number = 0;
    const wrongLogin = (id: number): string =>
      `mutation { userLogin(loginId: "nobody-${id}", password: "wrong") { otpRequired } }`;
    const callback = (path: string, id: string, body: unknown): Promise<Response> =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '',
          ...jobHeaders(id),
        },
        body: JSON.stringify(body),
      });
    const job = (): Promise<Response> =>
      callback(MOBILES, `soak-${number}`, [{ id: 1 + (number % 5), name: `Truck ${number}` }]);

    let jobs = 0;
    /** Runs jobs of all kinds, most of which have something that fails; a report takes longest, so few of them. */
    async function runJobs(count: number): Promise<void> {
      const end = jobs + count;
      const client = async (): Promise<void> => {
        while (jobs < end) {
          const index = (jobs += 1);
          const [path, body] =
            index % 10 === 0
              ? [DRIVING_REPORT, reportOf(1, 'nobody')]
              : index % 2 === 0
                ? [USER_ACCOUNTS, [createAccount(`account-${index}`), deleteAccount('nobody')]]
                : [MOBILES, [{ id: (index % 50) + 1, name: `Truck ${index}` }, { id: 2_000_000_000 }]];
          expect(await statusOf(callback(path, `job-${index}`, body))).toBe(200);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
    }
    /** Each in turn is as likely as the others. */
    const kinds: readonly (() => Promise<Response | undefined>)[] = [
      light,
      light,
      () => post('{ me { Org } }', bearer()),
      () => post('{ mobiles(first: 20) { edges { node { id position { address } voice { online } } } } }', bearer()),
      () => post('{ jobs(first: 5) { edges { node { id } } } }', bearer()),
      () => post(`{ fetchBulkUpdateMobileStatus(jobId: "soak-${number - 5}") { state } }`, bearer()),
      () => post(`query Query${number} { serviceVersion }`),
      () => post('{ me { Org } }', { authorization: `Bearer no.token.${number}` }),
      () => post(`{ unknown${number} }`),
      () => post('{ serviceVersion }', { accept: `application/json;q=0.${number}, text/x-${number}` }),
      () => post(wrongLogin(Math.floor(random() * LOGINS))),
      () => get(`query Query${number} { serviceVersion }`),
      () => get(`{ unknown${number} }`),
      () => fetch(`${url}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }),
      () => fetch(`${url}/unknown-${number}`),
      () => fetch(`${url}/health/ready`),
      () => fetch(`${url}${MOBILES}`, { method: 'POST', headers: { 'x-api-key': `wrong-${number}` }, body: '[]' }),
      job,
      hangUp,
      hangUp,
    ];

    async function traffic(seconds: number): Promise<void> {
      const until = performance.now() + seconds * 1_000;
      const client = async (): Promise<void> => {
        while (performance.now() < until) {
          number += 1;
          const isCrowd = random() < 0.05;
          const sent = isCrowd ? Array.from({ length: CROWD }, light) : [pick(kinds)?.()];
          for (const one of sent) {
            const status = await statusOf(one);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            requests += 1;
          }
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
    }

    /** Sends many requests at once, several times. @returns milliseconds until all are answered, at best */
    async function rush(size: number, times: number): Promise<number> {
      let best = Infinity;
      for (let time = 0; time < times; time += 1) {
        const start = performance.now();
        await Promise.all(Array.from({ length: size }, () => statusOf(light())));
        best = Math.min(best, performance.now() - start);
      }
      return best;
    }

    /** Returns what the gateway holds without a connection of a client; each costs it 75 objects while it is open. */
    async function heap(): Promise<HeapReport> {
      await dispatcher.close();
      dispatcher = new Agent();
      await rm(reportFile, { force: true });
      gateway.signal('SIGUSR2');
      return waitFor('the report of the heap', async () => {
        if (!gateway.isRunning()) throw new Error(await gateway.output());
        const text = await readFile(reportFile, 'utf8').catch(() => undefined);
        return text === undefined ? undefined : (JSON.parse(text) as HeapReport); // as heap-report.js writes it
      });
    }

    // All caches are full before anything is compared; a document is cached from its second use on.
    for (let at = 0; at < DOCUMENTS; at += 1) {
      const queries = [`query Cached${at} { serviceVersion }`, `{ unknown${at}Cached }`];
      for (let time = 0; time < 2; time += 1) {
        await Promise.all(queries.flatMap((query) => [statusOf(post(query)), statusOf(get(query))]));
      }
    }
    for (let id = 0; id < LOGINS; id += 1) {
      for (let time = 0; time < 2; time += 1) await statusOf(post(wrongLogin(id)));
    }
    await traffic(Math.max(10, SECONDS / 10));
    await runJobs(JOBS_BEFORE);
    const quick = await rush(RUSH, RUSHES);
    const before = await heap();
    requests = 0;
    await traffic(SECONDS);
    await runJobs(JOBS_AFTER);
    // Queues that were long are looked through, which the last crowds are too small for.
    await rush(CROWD, CROWDS);
    const after = await heap();
    const late = await rush(RUSH, RUSHES);

    const more = Object.entries(after.counts).map(
      ([kind, count]) => [kind, count - (before.counts[kind] ?? 0)] as const,
    );
    process.stderr.write(
      `${requests} requests, statuses ${JSON.stringify([...statuses])}; heap ${before.heapUsed} to ${after.heapUsed}; ` +
        `more objects ${JSON.stringify(more)}; rush ${quick.toFixed(0)} to ${late.toFixed(0)} ms\n`,
    );
    // Each kind of traffic took place.
    for (const status of [200, 400, 401, 404]) expect(statuses.get(status)).toBeGreaterThan(0);
    const growing = more.filter(([kind, count]) => count > (MAX_MORE[kind] ?? MAX_MORE_OF_OTHERS));
    expect(growing).toEqual([]);
    expect(await gateway.output()).not.toContain('MaxListenersExceededWarning');
    expect(after.heapUsed - before.heapUsed).toBeLessThan(MAX_MORE_BYTES);
    expect(late).toBeLessThan(3 * quick + 500);
    await gateway.stop();
    if (gateway.exitCode() !== 0) process.stderr.write(`Its last words: ${(await gateway.output()).slice(-5_000)}\n`);
    expect(gateway.exitCode()).toBe(0);
  },
  // The traffic, and what is around it on a busy machine.
  (3 * SECONDS + 600) * 1_000,
);
