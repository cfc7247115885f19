import { createHmac, randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import {
  connectToGateway,
  createMessageDelivery,
  type DeliverMessage,
  type DeliverableMessage,
  type DeliverOptions,
} from '../../../src/jobs/queue-function/deliver.js';
import { sealPayload } from '../../../src/jobs/record/payload-encryption.js';
import type { JobMessage } from '../../../src/jobs/record/job-queue.js';
import type { JobIdentity } from '../../../src/jobs/record/job-record.js';
import { captureLog } from '../../support/captured-log.js';
import { listenOnLoopback, serveOnLoopback, type LoopbackServer } from '../../support/loopback.js';
import { closeAfterTest, forEachTest } from '../../support/resources.js';

const API_KEY = 'callback-key-of-the-test';
const BODY = JSON.stringify([{ type: 0, userAccountInput: { loginId: '田中', password: 'correct-horse' } }]);

type Received = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string };

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True without the job id that the gateway sends back. */
  readonly isForeign?: boolean;
}

describe('deliver', () => {
  const keyRing = new KeyRing([randomBytes(32)]);
  let gateway: LoopbackServer;
  const log = forEachTest(captureLog);
  let deliver: DeliverMessage;
  let deliverWith: (changes: Partial<DeliverOptions>) => DeliverMessage;
  let received: Received[];
  /** The answer of the gateway; undefined: it closes the connection without one. */
  let answer: Answer | undefined;

  beforeEach(async () => {
    received = [];
    answer = { status: 200, body: '{}' };
    gateway = await serveOnLoopback(
      (request, response) =>
        void text(request).then((body) => {
          received.push({ method: request.method, url: request.url, headers: request.headers, body });
          if (answer === undefined) request.socket.destroy();
          else {
            const own = answer.isForeign ? {} : { 'x-job-id': request.headers['x-job-id'] };
            response.writeHead(answer.status, { ...own, ...answer.headers }).end(answer.body);
          }
        }),
    );
    closeAfterTest(gateway);
    const connections = closeAfterTest(connectToGateway());
    deliverWith = (changes) =>
      createMessageDelivery({
        gatewayUrl: `${gateway.url}/base`,
        apiKey: API_KEY,
        keyRing,
        deadlineMs: 1_000,
        patienceMs: 86_400_000,
        logger: log.logger,
        connections,
        ...changes,
      });
    deliver = deliverWith({});
  });

  function message(
    changes: Partial<JobIdentity> = {},
    sealed: { readonly keyRing?: KeyRing; readonly at?: number } = {},
  ): JobMessage {
    const identity: JobIdentity = { kind: 'user-accounts', org: 'acme', jobId: 'job-1', ...changes };
    return {
      ...identity,
      payload: sealPayload(sealed.keyRing ?? keyRing, identity, BODY, sealed.at),
      described: { total: 1, fingerprint: 'print', retentionMs: 1_000 },
    };
  }

  it('signs each attempt anew when it has secrets, with all of them, and otherwise not at all', async () => {
    const secrets = [randomBytes(32), randomBytes(24)] as const;
    const signing = deliverWith({ signingSecrets: secrets, now: () => 1_800_000_000_999 });
    const job = message({ org: 'a.b 株', jobId: 'job.1' });
    await signing(job);
    await signing(job);
    await signing(message({ org: undefined }));
    await deliver(job);
    const [first, second, alone, unsigned] = received;
    for (const { headers, body } of [first, second, alone].filter((call) => call !== undefined)) {
      const expected = secrets.map((secret) => {
        const signed = `${String(headers['webhook-id'])}.1800000000.${body}`;
        return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
      });
      expect(headers['webhook-timestamp']).toBe('1800000000');
      expect(headers['webhook-signature']).toBe(expected.join(' '));
    }
    expect(first?.headers['webhook-id']).toMatch(/^a%2Eb%20%E6%A0%AA\.job\.1\.[0-9a-f-]{36}$/);
    expect(second?.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
    expect(alone?.headers['webhook-id']).toMatch(/^\.job-1\.[0-9a-f-]{36}$/);
    expect(Object.keys(unsigned?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  });

  /** One of each kind of status that there is, by the table of outcomes. */
  it.each<[status: number, kind: string, code: string]>([
    ...[400, 413, 415, 422].map((status): [number, string, string] => [status, 'final', 'message_refused']),
    [500, 'retry', 'failed'],
    ...[401, 403].map((status): [number, string, string] => [status, 'delay', 'not_authorized']),
    ...[404, 405, 421].map((status): [number, string, string] => [status, 'delay', 'wrong_address']),
    ...[408, 425, 429].map((status): [number, string, string] => [status, 'delay', 'not_taken']),
    ...[502, 503, 504].map((status): [number, string, string] => [status, 'delay', 'unavailable']),
    [409, 'delay', 'running'],
  ])('takes the answer %i for %s (%s), and says why', async (status, kind, code) => {
    answer = { status, headers: { Location: '/elsewhere' }, body: '{"message":"Not this way"}' };
    // The texts of the gateway's own faults, and of what has no text, are not for the record.
    const words = status >= 300 && status < 500 ? ' (Not this way)' : '';
    const told = { kind, code, status, reason: `The callback answered ${String(status)}${words}.` };
    expect(await deliver(message())).toEqual(kind === 'delay' ? { ...told, delayMs: 1_000 } : told);
    expect(received).toHaveLength(1);
  });

  it.each([
    ...[200, 400, 409, 413, 415, 422, 500].map((status) => ({ status, isForeign: true })),
    ...[202, 302, 307, 418, 451, 501].map((status) => ({ status })),
    { status: 200, headers: { 'x-job-id': 'job-2' } },
  ])('waits for what something in front of the gateway answers: %j', async (given) => {
    answer = { headers: { 'Content-Type': 'text/html', 'Retry-After': '17' }, body: '{"data":[]}', ...given };
    const reason = `${given.status} from something in front of the gateway.`;
    const told = { kind: 'delay', code: 'foreign', status: given.status, reason, delayMs: 1_000 };
    expect(await deliver(message())).toEqual(told);
    const contentType = 'headers' in given ? 'none' : 'text/html';
    expect(log.entries()).toMatchObject([{ code: 'foreign', status: given.status, contentType }]);
  });

  it.each([401, 403, 404, 405, 421, 408, 425, 429, 502, 503, 504])(
    'takes %i for the same delay whoever answers it',
    async (status) => {
      const outcomes = [];
      for (const isForeign of [false, true]) {
        answer = { status, isForeign };
        outcomes.push(await deliver(message()));
      }
      expect(outcomes[1]).toEqual(outcomes[0]);
    },
  );

  it.each<[header: string, delayMs: number]>([
    ['7', 7_000],
    [' 60 ', 60_000],
    ['0', 1_000],
    ['86400', 300_000],
    ['9'.repeat(400), 300_000],
    ['soon', 1_000],
    ['-5', 1_000],
  ])('comes again after a Retry-After of "%s" as far as it can be followed: %i ms', async (header, delayMs) => {
    answer = { status: 409, headers: { 'Retry-After': header } };
    expect(await deliver(message())).toMatchObject({ kind: 'delay', delayMs });
  });

  it('tells a gateway that asks to come again from whatever is in front of one that is away', async () => {
    answer = { status: 503, headers: { 'Retry-After': '17' } };
    expect(await deliver(message())).toMatchObject({ kind: 'delay', delayMs: 17_000, code: 'come_again' });
    expect(log.complaints()).toEqual([]);
  });

  it('uses up no attempt when the gateway closes the connection, answers garbage or is not there', async () => {
    const noReply = { kind: 'delay', code: 'no_reply', status: 503, reason: 'No usable reply came from the gateway.' };
    answer = undefined;
    expect(await deliver(message())).toEqual({ ...noReply, delayMs: 1_000 });
    answer = { status: 200, body: 'half a bo' };
    expect(await deliver(message({ jobId: 'job-2' }))).toEqual({ ...noReply, delayMs: 1_000 });
    await gateway.close();
    expect(await deliver(message())).toMatchObject({ kind: 'delay', code: 'not_reached', status: 503 });
    for (const gatewayUrl of ['http://no-such-host.invalid', 'https://127.0.0.1:1']) {
      expect(await deliverWith({ gatewayUrl })(message())).toMatchObject({ kind: 'delay', code: 'not_reached' });
    }
    await listenOnLoopback(gateway.server);
  });

  describe('a message that is turned away', () => {
    const ACCEPTED = 1_800_000_000_000;
    const DAY_MS = 86_400_000;
    let now: number;
    let setBackMs: number;
    let patient: DeliverMessage;
    const clocks = { now: () => now - setBackMs, monotonicNow: () => now };
    beforeEach(() => {
      now = ACCEPTED;
      setBackMs = 0;
      answer = { status: 404 };
      patient = deliverWith(clocks);
    });

    const waitOf = async (job: DeliverableMessage): Promise<number> => {
      const outcome = await patient(job, { since: ACCEPTED });
      if (outcome.kind !== 'delay') throw new Error('It was not turned away.');
      return outcome.delayMs;
    };

    it('waits as long again as it has waited, or half of that, from a second to a minute, and anew once it was taken', async () => {
      const job = message();
      for (const elapsedMs of [0, 1_000, 2_000, 5_000, 30_000, 60_000, 3_600_000]) {
        now = ACCEPTED + elapsedMs;
        const longest = Math.min(elapsedMs, 60_000);
        const waits = [await waitOf(job), await waitOf(job)];
        expect(waits.map(Number.isInteger)).toEqual([true, true]);
        expect(Math.min(...waits)).toBeGreaterThanOrEqual(Math.max(longest / 2, 1_000));
        expect(Math.max(...waits)).toBeLessThanOrEqual(Math.max(longest, 1_000));
      }
      answer = { status: 200, body: '{}' };
      expect(await patient(job, { since: ACCEPTED })).toEqual({ kind: 'done' });
      answer = { status: 404 };
      expect(await patient(job, { since: ACCEPTED })).toMatchObject({ kind: 'delay', delayMs: 1_000 });
    });

    it('waits and uses up attempts as before when the clock is set back', async () => {
      const job = { ...message(), failedAt: now };
      await waitOf(job);
      setBackMs = 9 * 3_600_000;
      now += 60_000;
      expect(await waitOf(job)).toBeGreaterThanOrEqual(30_000);
      answer = undefined;
      await waitOf(job);
      now += 10 * 60_000;
      expect(await patient(job, { since: ACCEPTED })).toMatchObject({ kind: 'retry', code: 'no_reply' });
    });

    it('comes back apart from those that were turned away with it', async () => {
      const jobs = Array.from({ length: 20 }, (_, index) => message({ jobId: `job-${index}` }));
      for (const job of jobs) await waitOf(job);
      now = ACCEPTED + 60_000;
      const waits = await Promise.all(jobs.map(waitOf));
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(5_000);
    });

    it('by lost replies uses up an attempt once in ten minutes, by however many deliverers', async () => {
      answer = undefined;
      const others = [patient, deliverWith(clocks)];
      let job = message();
      const countedAt: number[] = [];
      for (; now < ACCEPTED + 45 * 60_000; now += 30_000) {
        for (const each of others) {
          const outcome = await each(job, { since: ACCEPTED });
          expect(outcome).toMatchObject({ code: 'no_reply' });
          if (outcome.kind !== 'retry') continue;
          countedAt.push((now - ACCEPTED) / 60_000);
          job = { ...job, failedAt: now };
        }
      }
      expect(countedAt).toEqual([10, 20, 30, 40]);
    });

    it('is named in the log once a minute for each reason', async () => {
      const jobs = ['1', '2', '3'].map((jobId) => message({ jobId }));
      for (const status of [404, 401]) {
        answer = { status };
        for (const job of jobs) await patient(job, { since: ACCEPTED });
      }
      now += 60_000;
      await patient(message());
      expect(log.entries().map(({ code }) => code)).toEqual(['wrong_address', 'not_authorized', 'not_authorized']);
    });

    it.each([
      ['by its queue', 'job-1', { since: ACCEPTED }],
      ['by its id, which tells when it was given', uuidv7({ msecs: ACCEPTED }), {}],
    ])('is given up a day after it was accepted %s, with the reason', async (_how, jobId, particulars) => {
      const job = message({ jobId });
      expect(await patient(job, particulars)).toMatchObject({ kind: 'delay' });
      // A time that nobody gave would keep a job that has ended from running again.
      const queuedAt = 'since' in particulars ? new Date(ACCEPTED).toISOString() : undefined;
      expect(received.map(({ headers }) => headers['x-job-queued-at'])).toEqual([queuedAt]);
      now = ACCEPTED + DAY_MS - 1;
      expect(await patient(job, particulars)).toMatchObject({ kind: 'delay' });
      now = ACCEPTED + DAY_MS;
      expect(await patient(job, particulars)).toEqual({
        kind: 'final',
        code: 'wrong_address',
        status: 404,
        reason: 'It was turned away until QUEUE_PATIENCE_SECONDS were over (wrong_address). The callback answered 404.',
      });
    });

    it('for the first time is not given up, however long it waited for its turn, nor while its job runs', async () => {
      const [job, other] = [message(), message({ jobId: 'job-2' })];
      now = ACCEPTED + 2 * DAY_MS;
      expect(await patient(job, { since: ACCEPTED })).toMatchObject({ kind: 'delay' });
      answer = { status: 409 };
      for (const later of [0, DAY_MS]) {
        now += later;
        expect(await patient(other, { since: ACCEPTED })).toMatchObject({ kind: 'delay' });
      }
    });

    it.each([
      ['just now', 0],
      ['hours ago', 5 * 3_600_000],
      ['by a clock that is fast', -60_000],
    ])('because its key is not known yet is one like any other, sealed %s', async (_when, ageMs) => {
      const job = message({}, { keyRing: new KeyRing([randomBytes(32)]), at: now - ageMs });
      expect(await patient(job, { since: now - ageMs })).toEqual({
        kind: 'delay',
        delayMs: 1_000,
        code: 'key_unknown',
        status: 500,
        reason: 'The key of the job message is not known yet.',
      });
      expect(received).toEqual([]);
      expect(log.complaints()).toEqual(['delivery.key_unknown']);
    });
  });

  it('gives up its call when it has to end, and the message comes again', async () => {
    const stopping = new AbortController();
    gateway.server.once('request', () => stopping.abort());
    const outcome = await deliverWith({ stopping: stopping.signal })(message());
    expect(outcome).toMatchObject({ kind: 'delay', delayMs: 1_000 });
  });

  it('makes any number of calls at a time that one signal ends, without a warning of Node.js', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    closeAfterTest({ close: () => void process.off('warning', note) });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 64 }, () => deliverWith({ stopping: signal })(message())));
    await setImmediate();
    expect(warnings).toEqual([]);
  });

  it.each([{ status: 200, body: '{}' }, undefined])('leaves no listener with its stopping signal: %j', async (says) => {
    answer = says;
    const { signal } = new AbortController();
    await deliverWith({ stopping: signal })(message());
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('deliver with a network of its own waits for the reply longer than the callback may run', async () => {
  const keyRing = new KeyRing([randomBytes(32)]);
  const deadlineMs = 500;
  const gateway = await serveOnLoopback((_request, response) => {
    // The pool looks at its time-outs about once a second.
    setTimeout(() => response.setHeader('x-job-id', 'job-1').end('{}'), deadlineMs + 2_000);
  });
  const identity: JobIdentity = { kind: 'mobiles', org: 'acme', jobId: 'job-1' };
  const deliver = createMessageDelivery({
    gatewayUrl: closeAfterTest(gateway).url,
    apiKey: API_KEY,
    keyRing,
    deadlineMs,
    patienceMs: 86_400_000,
    logger: captureLog().logger,
  });
  const payload = sealPayload(keyRing, identity, '[]');
  expect(await deliver({ ...identity, payload })).toEqual({ kind: 'done' });
});
