import { describe, expect, it } from '@jest/globals';
import { readSqsEnvelope, writeSqsEnvelope, type SqsEnvelope } from '../../../src/jobs/record/sqs-envelope.js';
import type { DeliveryOutcome } from '../../../src/jobs/queue-function/deliver.js';
import type { LogLine } from '../../../src/jobs/queue-function/log-lines.js';
import { createSqsHandler, type SqsHandlerOptions } from '../../../src/jobs/queue-function/sqs-handler.js';
import { sqsMessage } from '../../support/sqs-message.js';

const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs';
const DEAD = `${QUEUE}-dead`;
const NOW = 1_795_000_000_000;
const HOUR_MS = 3_600_000;

const MESSAGE = { ...sqsMessage(0), acceptedAt: NOW };

const SQS = { sendMessage: () => Promise.resolve(), changeMessageVisibility: () => Promise.resolve() };

const RETRY = { kind: 'retry', code: 'failed', status: 500, reason: 'The callback answered 500.' } as const;

/** Calls the handler with messages. @returns what it answers, and what it asked SQS for */
async function handled(
  messages: readonly (Partial<SqsEnvelope> | string)[],
  outcome: DeliveryOutcome,
  options: Partial<SqsHandlerOptions> & { readonly receives?: number; readonly ageMs?: number } = {},
) {
  const { receives = 1, ageMs = 0, ...others } = options;
  const asked: object[] = [];
  const delivered: unknown[] = [];
  const times: number[] = [];
  const lines: LogLine[] = [];
  const handler = createSqsHandler({
    deliver: (message, { since }) => {
      delivered.push(message);
      times.push(since - NOW);
      return Promise.resolve(outcome);
    },
    sqs: {
      sendMessage: ({ MessageBody, ...input }) =>
        Promise.resolve(asked.push({ ...input, message: shown(MessageBody) })),
      changeMessageVisibility: (input) => Promise.resolve(asked.push(input)),
      deleteMessage: ({ ReceiptHandle }) => Promise.resolve(asked.push({ deleted: ReceiptHandle })),
    },
    queueUrl: QUEUE,
    deadLetterQueueUrl: DEAD,
    log: (line) => void lines.push(line),
    now: () => NOW,
    ...others,
  });
  const Records = messages.map((message, index) => ({
    messageId: `id-${index}`,
    receiptHandle: `handle-${index}`,
    body: typeof message === 'string' ? message : writeSqsEnvelope({ ...MESSAGE, ...message }),
    attributes: { ApproximateReceiveCount: String(receives), SentTimestamp: String(NOW - ageMs) },
  }));
  const { batchItemFailures } = await handler({ Records });
  const failures = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return { failures, asked, delivered, times, lines };
}

function shown(body: string): unknown {
  return body.includes('acceptedAt') ? readSqsEnvelope(body) : body;
}

const deleted = (index = 0): object => ({ deleted: `handle-${index}` });

const hide = (VisibilityTimeout: number): object => ({ QueueUrl: QUEUE, ReceiptHandle: 'handle-0', VisibilityTimeout });

const sentAnew = (changes: Partial<SqsEnvelope>, DelaySeconds: number): object => ({
  QueueUrl: QUEUE,
  DelaySeconds,
  MessageAttributes: { kind: { DataType: 'String', StringValue: 'mobiles' } },
  message: { ...MESSAGE, ...changes },
});

const anew = (delayMs: number, DelaySeconds: number): object =>
  sentAnew({ attempts: 2, dueAt: NOW + delayMs }, DelaySeconds);

/** Changes of a message with an attempt that has just failed. */
const failed = (attempts: number): Partial<SqsEnvelope> => ({ attempts, job: { ...MESSAGE.job, failedAt: NOW } });

const dead = (death: SqsEnvelope['death'] & object, changes: Partial<SqsEnvelope> = {}): object => ({
  QueueUrl: DEAD,
  message: { ...MESSAGE, ...changes, attempts: death.attempts, death },
});

describe('A function that SQS calls', () => {
  it('deletes what is done', async () => {
    const { failures, asked, delivered } = await handled([{}, {}], { kind: 'done' });
    expect({ failures, asked }).toEqual({ failures: [], asked: [deleted(0), deleted(1)] });
    expect(delivered).toEqual([0, 1].map(() => ({ ...MESSAGE.job, payload: 'sealed' })));
  });

  it('dates a message from when SQS got it, or moved it back, and not from when a copy was sent to wait', async () => {
    const sent = { acceptedAt: NOW - 2 * HOUR_MS };
    const messages = [sent, { ...sent, dueAt: NOW - 2 * HOUR_MS }, { ...sent, dueAt: NOW - HOUR_MS + 1 }, {}];
    const { times } = await handled(messages, { kind: 'done' }, { ageMs: HOUR_MS });
    expect(times).toEqual([-HOUR_MS, -HOUR_MS, -2 * HOUR_MS, 0]);
  });

  it.each<[string, { delayMs?: number; receives?: number; ageMs?: number }, object[]]>([
    ['hides what has to wait, and lets it come again', { delayMs: 4_001 }, [hide(5)]],
    ['hides it for longer than SQS delays a new message', { delayMs: HOUR_MS }, [hide(3_600)]],
    [
      'begins anew with what has waited often, before SQS makes a dead letter of it',
      { receives: 50 },
      [anew(5_000, 5), deleted()],
    ],
    [
      'begins anew with what has waited for days, before SQS forgets it',
      { ageMs: 84 * HOUR_MS },
      [anew(5_000, 5), deleted()],
    ],
    [
      'begins anew with what cannot be hidden for so long',
      { delayMs: 13 * HOUR_MS },
      [anew(13 * HOUR_MS, 900), deleted()],
    ],
  ])('%s', async (_what, { delayMs = 5_000, ...options }, asked) => {
    const delay = { kind: 'delay', code: 'come_again', delayMs, status: 503, reason: '' } as const;
    const failures = asked.length === 1 ? ['id-0'] : [];
    expect(await handled([{ attempts: 2 }], delay, options)).toMatchObject({ failures, asked });
  });

  const FINAL = { ...RETRY, kind: 'final', code: 'message_refused', status: 422 } as const;
  const buried: Partial<SqsEnvelope> = { attempts: 5, death: { reason: 'r', status: 500, attempts: 5 } };
  it.each<[string, Partial<SqsEnvelope>, DeliveryOutcome, object[]]>([
    [
      'counts a failed attempt in a new message, which comes after a back-off',
      { attempts: 1 },
      RETRY,
      [sentAnew({ ...failed(2), dueAt: NOW + 2_000 }, 2), deleted()],
    ],
    [
      'puts the last attempt into the dead-letter queue',
      { attempts: 4 },
      RETRY,
      [dead({ reason: RETRY.reason, status: 500, attempts: 5 }), deleted()],
    ],
    [
      'puts what will never work into the dead-letter queue at once',
      {},
      FINAL,
      [dead({ reason: FINAL.reason, status: 422, attempts: 1 }), deleted()],
    ],
    [
      'begins with the first attempt of what was moved back from the dead-letter queue',
      buried,
      RETRY,
      [sentAnew({ ...failed(1), acceptedAt: NOW, dueAt: NOW + 1_000 }, 1), deleted()],
    ],
  ])('%s', async (_what, message, outcome, asked) => {
    expect(await handled([message], outcome)).toMatchObject({ failures: [], asked });
  });

  it('waits on when a message comes before its time', async () => {
    const { failures, asked, delivered } = await handled([{ dueAt: NOW + 3_600_000 }], { kind: 'done' });
    expect({ failures, asked, delivered }).toEqual({ failures: ['id-0'], asked: [hide(3_600)], delivered: [] });
  });

  it('lets come again what it could not settle, and says so', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('SQS is away'));
    const sqs = { sendMessage: away, changeMessageVisibility: away, deleteMessage: away };
    const line = { event: 'queue.message_not_settled', jobId: 'job-1', kind: 'mobiles', reason: 'SQS is away' };
    const ends = [
      RETRY,
      { ...RETRY, kind: 'final' },
      { ...RETRY, kind: 'delay', delayMs: 1 },
      { kind: 'done' },
    ] as const;
    for (const outcome of ends) {
      expect(await handled([{}], outcome, { sqs })).toMatchObject({ failures: ['id-0'], lines: [line] });
    }
  });

  it('counts an accident as an attempt, and says so', async () => {
    const deliver = (): never => {
      throw new Error('an accident');
    };
    const { asked, lines } = await handled([{}], { kind: 'done' }, { deliver });
    expect(asked).toEqual([sentAnew({ ...failed(1), dueAt: NOW + 1_000 }, 1), deleted()]);
    expect(lines).toMatchObject([{ event: 'queue.handler_failed', reason: 'an accident' }]);
  });

  const large = { payload: { key: 'job-bodies/1' } };

  it('reads a large body where it lies, and removes it when its message is deleted', async () => {
    const removed: string[] = [];
    const bodies = {
      readBody: (key: string) => Promise.resolve(`body of ${key}`),
      removeBody: (key: string) => Promise.resolve(void removed.push(key)),
    };
    expect(await handled([large], RETRY, bodies)).toMatchObject({ delivered: [{ payload: 'body of job-bodies/1' }] });
    const deleteMessage = (): Promise<never> => Promise.reject(new Error('SQS is away'));
    const sqs = { ...SQS, deleteMessage };
    expect(await handled([large], { kind: 'done' }, { ...bodies, sqs })).toMatchObject({ failures: ['id-0'] });
    expect(removed).toEqual([]);
    expect(await handled([large], { kind: 'done' }, bodies)).toMatchObject({ failures: [], asked: [deleted()] });
    expect(removed).toEqual(['job-bodies/1']);
  });

  it('says of a body that it could not be removed', async () => {
    const readBody = (): Promise<string> => Promise.resolve('body');
    const removeBody = (): Promise<never> => Promise.reject(new Error('not allowed'));
    expect(await handled([large], { kind: 'done' }, { readBody, removeBody })).toMatchObject({
      failures: [],
      lines: [{ event: 'queue.body_not_removed', reason: 'not allowed', jobId: 'job-1' }],
    });
  });

  it.each([
    ['undefined', () => Promise.resolve(undefined)],
    ['NoSuchKey', () => Promise.reject(Object.assign(new Error('gone'), { name: 'NoSuchKey' }))],
  ])('leaves it to the gateways what became of a job whose body is gone: %s', async (_what, readBody) => {
    const reason = 'The body of the job message is not in the object store any more.';
    expect(await handled([large], { kind: 'done' }, { readBody })).toMatchObject({
      failures: [],
      asked: [dead({ reason, status: 500, attempts: 1 }, large), deleted()],
      delivered: [],
      lines: [{ event: 'queue.body_gone', jobId: 'job-1' }],
    });
  });

  it('says that it cannot read a large body without readBody', async () => {
    const reason = 'The body of a job is in the object store; give readBody.';
    expect(await handled([large], { kind: 'done' })).toMatchObject({ failures: ['id-0'], lines: [{ reason }] });
  });

  it('puts what is no message into the dead-letter queue, and what a newer build has written off', async () => {
    expect(await handled(['no message', '{"format":2}'], { kind: 'done' })).toMatchObject({
      failures: ['id-1'],
      asked: expect.arrayContaining([
        { QueueUrl: DEAD, message: 'no message' },
        deleted(0),
        expect.objectContaining({ ReceiptHandle: 'handle-1', VisibilityTimeout: 60 }),
      ]),
      delivered: [],
    });
  });
});
