import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { sealPayload } from '../../../src/jobs/record/payload-encryption.js';
import { createDeliver, type Deliver, type LogLine } from '../../../src/jobs/queue-function/serverless.js';
import { serveOnLoopback } from '../../support/loopback.js';
import { forAllTests } from '../../support/resources.js';
import { VECTORS } from '../../support/vectors.js';

const { TASK_CALLBACK_API_KEY: apiKey, JOB_ENCRYPTION_KEY, CALLBACK_SIGNING_SECRET } = VECTORS.keys;
const [ONE_KEY = ''] = JOB_ENCRYPTION_KEY.split(',');
const [SECRET = ''] = CALLBACK_SIGNING_SECRET.split(',');
const MASTER_KEY = Buffer.from(ONE_KEY, 'base64url');
const RIGHT = { gatewayUrl: 'https://gateway.example.com', apiKey, jobEncryptionKey: ONE_KEY };

/** As plain JavaScript calls it. */
function createUnchecked(options: unknown): Deliver {
  return Reflect.apply(createDeliver, undefined, [options]) as Deliver; // what it returns
}

function complaintAbout(options: unknown): string[] {
  try {
    createUnchecked(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [title, ...faults] = error.message.split('\n');
    expect(title).toBe('createDeliver cannot use its options:');
    return faults;
  }
  return [];
}

describe('createDeliver', () => {
  const stopping = new AbortController().signal;
  it.each<[what: string, changes: object]>([
    ['nothing but what is required', {}],
    ['everything there is', { signingSecret: SECRET, deadlineMs: 1, patienceMs: 1, log: () => undefined, stopping }],
    ['what is undefined as if it were left out', { signingSecret: undefined, deadlineMs: undefined, log: undefined }],
    ['two of what is rolled', { jobEncryptionKey: `${ONE_KEY}, ${ONE_KEY}`, signingSecret: `${SECRET},${SECRET}` }],
    [
      'what a file ends with',
      { gatewayUrl: 'http://gateway:8080/fleet/\n', apiKey: ' callback-key\n', jobEncryptionKey: `${ONE_KEY}\n` },
    ],
  ])('takes %s', (_what, changes) => expect(complaintAbout({ ...RIGHT, ...changes })).toEqual([]));

  it.each<[option: string, value: unknown, complaint: string]>([
    ['gatewayUrl', undefined, 'is missing: where the gateway is'],
    ['gatewayUrl', 'gateway:8080/', 'must be an absolute http: or https: URL.'],
    ['gatewayUrl', 'https://me:pass@gateway', 'must be a URL without user name, password, query and fragment.'],
    ['gatewayUrl', new URL('https://gateway.example.com'), 'must be a text: where the gateway is'],
    ['apiKey', undefined, 'is missing: TASK_CALLBACK_API_KEY of the gateway.'],
    ['apiKey', 'two words', 'must hold visible ASCII characters only'],
    ['apiKey', 1, 'must be a text: TASK_CALLBACK_API_KEY of the gateway.'],
    ['jobEncryptionKey', undefined, 'is missing: JOB_ENCRYPTION_KEY of the gateway.'],
    ['jobEncryptionKey', 'too-short', 'must be one or two keys of 32 bytes in base64url'],
    ['jobEncryptionKey', MASTER_KEY, 'must be a text: JOB_ENCRYPTION_KEY of the gateway.'],
    ['signingSecret', '', 'is missing: CALLBACK_SIGNING_SECRET of the gateway, and to be left out where it has none.'],
    ['signingSecret', 'whsec_c2hvcnQ=', 'must be one or two of whsec_ and base64 of 24 to 64 bytes'],
    ['deadlineMs', '3600', 'must be JOB_DEADLINE_SECONDS of the gateway, in milliseconds, from 1 to 86400000.'],
    ['deadlineMs', 0, 'must be JOB_DEADLINE_SECONDS of the gateway, in milliseconds, from 1 to 86400000.'],
    ['patienceMs', 604_800_001, 'must be QUEUE_PATIENCE_SECONDS of the gateway, in milliseconds, from 1 to 604800000.'],
    ['log', console, 'must be a function that takes a line of the log'],
    ['stopping', new AbortController(), 'must be an AbortSignal, the `signal` of an AbortController.'],
    ['signingsecret', SECRET, 'is no option; there are gatewayUrl, apiKey, jobEncryptionKey, signingSecret'],
  ])('says what is wrong with %s that is %j', (option, value, complaint) => {
    const [first, ...others] = complaintAbout({ ...RIGHT, [option]: value });
    expect([first?.startsWith(`- ${option} ${complaint}`), others]).toEqual([true, []]);
  });

  it.each([[undefined], [null], [{}]])('names everything that is missing from %j at once', (options) => {
    const named = complaintAbout(options).map((fault) => fault.split(' ')[1]);
    expect(named).toEqual(['gatewayUrl', 'apiKey', 'jobEncryptionKey']);
  });

  it('repeats no value', () => {
    const secret = 'hush-hush-hush';
    const secrets = { jobEncryptionKey: secret, signingSecret: secret };
    const options = { gatewayUrl: secret, apiKey: `${secret} 1`, ...secrets, stopping: secret };
    expect(complaintAbout(options)).toHaveLength(5);
    expect(complaintAbout(options).join('\n')).not.toContain(secret);
  });
});

describe('deliver', () => {
  const identity = { kind: 'mobiles', org: 'acme', jobId: 'job-1' } as const;
  let calls = 0;
  let received: IncomingHttpHeaders = {};
  const gateway = forAllTests(() =>
    serveOnLoopback((request, response) => {
      calls += 1;
      received = request.headers;
      request.resume();
      response.setHeader('x-job-id', request.headers['x-job-id'] ?? '').end('{"status":"Success"}');
    }),
  );
  const sealed = sealPayload(new KeyRing([MASTER_KEY]), identity, '[]');

  /** The outcome of anything at all. */
  function outcomeOf(held: unknown, options: object = {}): unknown {
    return Reflect.apply(
      createDeliver({ ...RIGHT, gatewayUrl: gateway.url, log: () => undefined, ...options }),
      undefined,
      [held],
    );
  }

  it.each<[held: unknown, fault: string]>([
    [undefined, 'it is undefined'],
    [null, 'it is null'],
    ['{"kind":"mobiles"}', 'it is a text, to be parsed first'],
    [{}, 'kind names no kind of job'],
    [{ ...identity, kind: 'toString' }, 'kind names no kind of job'],
    [{ ...identity, jobId: 7 }, 'jobId is no text'],
    [{ ...identity, org: null, payload: '' }, 'org is no text'],
    [identity, 'payload is no text'],
  ])('says of %j why it is no message, and makes no call', async (held, fault) => {
    const before = calls;
    expect(await outcomeOf(held)).toEqual({
      kind: 'final',
      code: 'unreadable',
      status: 500,
      reason: `This is no message of a job: ${fault}. Hand over what the queue holds, as an object.`,
    });
    expect(calls).toBe(before);
  });

  it.each(VECTORS.calls)('makes the call of the published vectors: $what', async ({ message, call }) => {
    const keys = { jobEncryptionKey: JOB_ENCRYPTION_KEY, signingSecret: CALLBACK_SIGNING_SECRET };
    expect(await outcomeOf(message, keys)).toEqual({ kind: 'done' });
    const { 'webhook-id': id, 'webhook-timestamp': _, 'webhook-signature': signature, ...headers } = call.headers;
    expect(received).toMatchObject(headers);
    expect(String(received['webhook-id']).slice(0, -call.attempt.length)).toBe(id.slice(0, -call.attempt.length));
    expect(String(received['webhook-signature'])).toHaveLength(signature.length);
  });

  it.each(VECTORS.notCalled)('makes no call of the published vectors: $what', async ({ message, code }) => {
    const before = calls;
    expect(await outcomeOf(message, { jobEncryptionKey: JOB_ENCRYPTION_KEY })).toMatchObject({ code });
    expect(calls).toBe(before);
  });

  it('needs neither what describes the job nor a trace, and passes on a format it knows', async () => {
    const message = { ...identity, payload: sealed };
    expect(await outcomeOf(message)).toEqual({ kind: 'done' });
    expect(await outcomeOf({ ...message, format: 1, traceparent: 5, described: null })).toEqual({ kind: 'done' });
  });

  it('lets a message of a newer format wait', async () => {
    expect(await outcomeOf({ format: 2, whatever: true })).toEqual({
      kind: 'delay',
      code: 'newer_format',
      delayMs: 60_000,
      status: 500,
      reason: 'The message is of format 2, and format 1 is known. Update the function.',
    });
  });

  it('tells of a message it cannot decrypt, and is not held up by a log that fails', async () => {
    const lines: LogLine[] = [];
    const foreign = { ...identity, jobId: 'job-2', payload: sealed };
    const reason = 'The job message cannot be decrypted.';
    const final = { kind: 'final', code: 'unreadable', status: 500, reason };
    expect(await outcomeOf(foreign, { log: (line: LogLine) => lines.push(line) })).toEqual(final);
    const line = { level: 'error', event: 'delivery.payload_unreadable', service: 'queue-function' };
    expect(lines).toMatchObject([{ ...line, jobId: 'job-2', org: 'acme', reason: expect.any(String) }]);
    const failing = (): never => {
      throw new Error('disk full');
    };
    expect(await outcomeOf(foreign, { log: failing })).toEqual(final);
  });
});
