import { createHmac, randomBytes } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { CompactEncrypt } from 'jose';
import { v7 as uuidv7 } from 'uuid';

import { createTransport, type Transport } from '../../../src/clients/transport.js';
import { KeyRing } from '../../../src/config/key-ring.js';
import { createDeliver, type Deliver, type DeliverOptions } from '../../../src/queue-function/deliver.js';
import { sealPayload } from '../../../src/job-record/payload-encryption.js';
import type { JobMessage } from '../../../src/job-record/job-queue.js';
import { JOB_KINDS } from '../../../src/job-record/job-kinds.js';
import type { JobIdentity } from '../../../src/job-record/job-record.js';
import { CALLBACK_ROUTES } from '../../support/callbacks.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { listenOnLoopback } from '../../support/loopback.js';

const API_KEY = 'callback-key-of-the-test';
const BODY = JSON.stringify([{ type: 0, userAccountInput: { loginId: '田中', password: 'correct-horse' } }]);

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

describe('deliver', () => {
  const keyRing = new KeyRing([randomBytes(32)]);
  let server: Server;
  let transport: Transport;
  let log: CapturedLog;
  let deliver: Deliver;
  let deliverWith: (changes: Partial<DeliverOptions>) => Deliver;
  let received: Received[];
  /** What the gateway answers; undefined: it closes the connection without a word. */
  let answer: Answer | undefined;

  beforeEach(async () => {
    received = [];
    answer = { status: 200, body: '{}' };
    server = createServer(
      (request, response) =>
        void text(request).then((body) => {
          received.push({ method: request.method, url: request.url, headers: request.headers, body });
          if (answer === undefined) request.socket.destroy();
          else response.writeHead(answer.status, answer.headers).end(answer.body);
        }),
    );
    const port = await listenOnLoopback(server);
    log = captureLog();
    transport = createTransport({ timeoutMs: 5_000, connectTimeoutMs: 1_000 });
    deliverWith = (changes) =>
      createDeliver({
        gatewayUrl: `http://127.0.0.1:${String(port)}/base`,
        apiKey: API_KEY,
        keyRing,
        deadlineMs: 1_000,
        logger: log.logger,
        transport,
        ...changes,
      });
    deliver = deliverWith({});
  });

  afterEach(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function message(
    changes: Partial<JobIdentity> = {},
    sealed: { readonly keyRing?: KeyRing; readonly at?: number } = {},
  ): Promise<JobMessage> {
    const identity: JobIdentity = { kind: 'user-accounts', org: 'acme', jobId: 'job-1', ...changes };
    return {
      ...identity,
      payload: await sealPayload(sealed.keyRing ?? keyRing, identity, BODY, sealed.at),
      described: { total: 1, fingerprint: 'print', retentionMs: 1_000 },
    };
  }

  it('calls the callback with the decrypted body, the key, the job and the organisation', async () => {
    expect(await deliver(await message())).toEqual({ kind: 'done' });
    expect(received).toHaveLength(1);
    const [call] = received;
    expect(call).toMatchObject({
      method: 'POST',
      url: '/base/api/v1/UserAccount/BulkOperationCallback',
      headers: { 'x-api-key': API_KEY, 'x-job-id': 'job-1', 'x-org-id': 'acme', 'content-type': 'application/json' },
    });
    expect(JSON.parse(call?.body ?? '')).toEqual(JSON.parse(BODY));
  });

  it('calls the callback of each kind of job', async () => {
    for (const kind of JOB_KINDS) await deliver(await message({ kind }));
    expect(received.map(({ url }) => url)).toEqual(CALLBACK_ROUTES.map((route) => `/base${route}`));
  });

  it('percent-encodes organisations that a header cannot carry, and sends none when there is none', async () => {
    await deliver(await message({ org: '株式会社 100%' }));
    await deliver(await message({ org: undefined }));
    expect(received[0]?.headers['x-org-id']).toBe(encodeURIComponent('株式会社 100%'));
    expect(received[1]?.headers).not.toHaveProperty('x-org-id');
  });

  it('signs each attempt anew when it has secrets, with all of them, and otherwise not at all', async () => {
    const secrets = [randomBytes(32), randomBytes(24)] as const;
    const signing = deliverWith({ signingSecrets: secrets, now: () => 1_800_000_000_999 });
    const job = await message({ org: 'a.b 株', jobId: 'job.1' });
    await signing(job);
    await signing(job);
    await signing(await message({ org: undefined }));
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

  it.each([[409], [503]])('comes again later when the answer is %i', async (status) => {
    answer = { status, headers: { 'Retry-After': '17' }, body: '{"message":"Running"}' };
    expect(await deliver(await message())).toMatchObject({ kind: 'delay', delayMs: 17_000, status });
    answer = { status };
    expect(await deliver(await message())).toMatchObject({ kind: 'delay', delayMs: 5_000, status });
  });

  it.each([[400], [401], [403], [404], [413], [415], [422]])(
    'is final when the answer is %i, and says why',
    async (status) => {
      answer = { status, body: '{"message":"Not this way"}' };
      expect(await deliver(await message())).toEqual({
        kind: 'final',
        status,
        reason: `The callback answered ${String(status)} (Not this way).`,
      });
      answer = { status, body: '<html>' };
      expect(await deliver(await message())).toEqual({
        kind: 'final',
        status,
        reason: `The callback answered ${String(status)}.`,
      });
    },
  );

  it.each([[500], [502], [504]])('tries again when the answer is %i, and keeps its text to itself', async (status) => {
    answer = { status, body: '{"message":"stack trace"}' };
    expect(await deliver(await message())).toEqual({
      kind: 'retry',
      status,
      reason: `The callback answered ${String(status)}.`,
    });
  });

  it.each([[204], [202], [302]])('does not take %i for success', async (status) => {
    answer = { status, headers: { Location: '/elsewhere' } };
    expect(await deliver(await message())).toMatchObject({ kind: 'retry', status });
    expect(received).toHaveLength(1);
  });

  it('tries again when the gateway closes the connection, answers garbage or is not there', async () => {
    const noReply = { kind: 'retry', status: 503, reason: 'No usable reply came from the gateway.' };
    answer = undefined;
    expect(await deliver(await message())).toEqual(noReply);
    answer = { status: 200, body: 'half a bo' };
    expect(await deliver(await message())).toEqual(noReply);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await deliver(await message())).toEqual(noReply);
    await listenOnLoopback(server);
  });

  it('does not call the callback with a payload that it cannot decrypt', async () => {
    const foreign = { ...(await message()), jobId: 'job-2' };
    expect(await deliver(foreign)).toEqual({
      kind: 'final',
      status: 500,
      reason: 'The job message cannot be decrypted.',
    });
    expect(received).toEqual([]);
    expect(log.complaints()).toEqual(['delivery.payload_unreadable']);
  });

  describe('while keys are rolled', () => {
    const NOW = 1_800_000_000_000;
    const HOUR_MS = 3_600_000;
    const [former, next] = [randomBytes(32), randomBytes(32)];
    const rolled = new KeyRing([next, former]);
    const unrolled = new KeyRing([former]);

    it.each([
      ['just now', 0],
      ['almost an hour ago', HOUR_MS - 2_000],
      ['by a clock that is fast', -60_000],
    ])('comes again later for a message sealed %s with a key that is not known yet', async (_when, ageMs) => {
      const job = await message({}, { keyRing: rolled, at: NOW - ageMs });
      expect(await deliverWith({ keyRing: unrolled, now: () => NOW })(job)).toEqual({
        kind: 'delay',
        delayMs: 10_000,
        status: 500,
        reason: 'The key of the job message is not known yet.',
      });
      expect(received).toEqual([]);
      expect(log.complaints()).toEqual(['delivery.key_unknown']);
    });

    it.each([
      ['an hour ago', HOUR_MS + 1_000],
      ['in a distant future', -2 * HOUR_MS],
    ])('is final, and says why, for one that was sealed %s', async (_when, ageMs) => {
      const job = await message({}, { keyRing: rolled, at: NOW - ageMs });
      expect(await deliverWith({ keyRing: unrolled, now: () => NOW })(job)).toEqual({
        kind: 'final',
        status: 500,
        reason: 'The job message cannot be decrypted: its key was not known for an hour.',
      });
    });

    describe('and a message does not say when it was sealed, as earlier builds left it,', () => {
      /** Sealed with the next key, without a time. */
      async function undated(jobId: string): Promise<JobMessage> {
        const [{ kid, key }] = rolled.for('queue-payload');
        const job = await message({ jobId });
        const payload = await new CompactEncrypt(new TextEncoder().encode(BODY))
          .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, kind: job.kind, org: 'acme', jobId })
          .encrypt(key);
        return { ...job, payload };
      }
      const at = (msecs: number): string => uuidv7({ msecs });

      it('it waits until an hour after its job was given its id', async () => {
        const waiting = deliverWith({ keyRing: unrolled, now: () => NOW });
        expect(await waiting(await undated(at(NOW - HOUR_MS + 2_000)))).toMatchObject({
          kind: 'delay',
          delayMs: 10_000,
        });
        expect(await waiting(await undated(at(NOW - HOUR_MS - 1)))).toMatchObject({ kind: 'final', status: 500 });
      });

      it('and neither does its id, it uses up its attempts', async () => {
        for (const jobId of ['job-1', '3f0d7b1a-7c7e-4f39-9a52-5b3f0c1f0a11']) {
          const outcome = await deliverWith({ keyRing: unrolled, now: () => NOW })(await undated(jobId));
          expect(outcome).toMatchObject({ kind: 'retry', status: 500 });
        }
      });

      it('it is delivered once the key is known', async () => {
        expect(await deliverWith({ keyRing: rolled })(await undated(at(NOW)))).toEqual({ kind: 'done' });
      });
    });

    it.each<[string, KeyRing, KeyRing]>([
      ['gateway', rolled, unrolled],
      ['queue function', unrolled, rolled],
    ])('delivers every message, whether the %s comes first', async (_first, gatewayHas, functionHas) => {
      const jobs = [
        await message({ jobId: 'before' }, { keyRing: unrolled }),
        await message({ jobId: 'meanwhile' }, { keyRing: gatewayHas }),
        await message({ jobId: 'afterwards' }, { keyRing: rolled }),
      ];
      const first = deliverWith({ keyRing: functionHas });
      const meanwhile = await Promise.all(jobs.map((job) => first(job)));
      const waiting = jobs.filter((_job, index) => meanwhile[index]?.kind === 'delay');
      const second = deliverWith({ keyRing: rolled });
      const afterwards = await Promise.all(waiting.map((job) => second(job)));
      expect([...meanwhile, ...afterwards].filter(({ kind }) => kind === 'done')).toHaveLength(jobs.length);
      expect(received.map(({ headers }) => headers['x-job-id']).sort()).toEqual(['afterwards', 'before', 'meanwhile']);
    });
  });

  it('gives up its call when it has to end, and the message comes again', async () => {
    const stopping = new AbortController();
    server.once('request', () => stopping.abort());
    expect(await deliverWith({ stopping: stopping.signal })(await message())).toMatchObject({
      kind: 'delay',
      delayMs: 1_000,
    });
  });

  it('leaves no listener with the signal that stops it', async () => {
    const { signal } = new AbortController();
    await deliverWith({ stopping: signal })(await message());
    answer = undefined;
    await deliverWith({ stopping: signal })(await message());
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('logs neither the body nor the key', async () => {
    answer = undefined;
    await deliver(await message());
    expect(log.text()).toContain('job-1');
    expect(log.text()).not.toContain('correct-horse');
    expect(log.text()).not.toContain(API_KEY);
  });
});

describe('deliver with a network of its own', () => {
  it('waits for the reply longer than the callback may run', async () => {
    const keyRing = new KeyRing([randomBytes(32)]);
    const deadlineMs = 500;
    const server = createServer((_request, response) => {
      // The pool looks at its time-outs about once a second.
      setTimeout(() => response.end('{}'), deadlineMs + 2_000);
    });
    const port = await listenOnLoopback(server);
    const identity: JobIdentity = { kind: 'mobiles', org: 'acme', jobId: 'job-1' };
    const deliver = createDeliver({
      gatewayUrl: `http://127.0.0.1:${String(port)}`,
      apiKey: API_KEY,
      keyRing,
      deadlineMs,
      logger: captureLog().logger,
    });
    const payload = await sealPayload(keyRing, identity, '[]');
    expect(await deliver({ ...identity, payload })).toEqual({ kind: 'done' });
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});
