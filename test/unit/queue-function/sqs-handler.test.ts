import { describe, expect, it } from '@jest/globals';
import { readSqsMessage, writeSqsMessage, type SqsMessage } from '../../../src/job-record/sqs-message.js';
import type { DeliveryOutcome } from '../../../src/queue-function/deliver.js';
import { createSqsHandler, type SqsHandlerOptions } from '../../../src/queue-function/sqs-handler.js';
import { sqsMessage } from '../../support/sqs-message.js';

const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs';
const DEAD = `${QUEUE}-dead`;
const NOW = 1_795_000_000_000;

const MESSAGE = sqsMessage(0);

const RETRY = { kind: 'retry', code: 'failed', status: 500, reason: 'The callback answered 500.' } as const;

/** Calls the handler with messages. @returns what it answers, and what it asked SQS for */
async function handled(
  messages: readonly (Partial<SqsMessage> | string)[],
  outcome: DeliveryOutcome,
  options: Partial<SqsHandlerOptions> & { readonly receives?: number } = {},
) {
  const { receives = 1, ...others } = options;
  const asked: object[] = [];
  const delivered: unknown[] = [];
  const handler = createSqsHandler({
    deliver: (message) => {
      delivered.push(message);
      return Promise.resolve(outcome);
    },
    sqs: {
      sendMessage: ({ MessageBody, ...input }) =>
        Promise.resolve(asked.push({ ...input, message: shown(MessageBody) })),
      changeMessageVisibility: (input) => Promise.resolve(asked.push(input)),
    },
    queueUrl: QUEUE,
    deadLetterQueueUrl: DEAD,
    now: () => NOW,
    ...others,
  });
  const Records = messages.map((message, index) => ({
    messageId: `id-${index}`,
    receiptHandle: `handle-${index}`,
    body: typeof message === 'string' ? message : writeSqsMessage({ ...MESSAGE, ...message }),
    attributes: { ApproximateReceiveCount: String(receives) },
  }));
  const { batchItemFailures } = await handler({ Records });
  return { failures: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), asked, delivered };
}

function shown(body: string): unknown {
  return body.includes('generation') ? readSqsMessage(body) : body;
}

const hidden = (VisibilityTimeout: number): object => ({
  QueueUrl: QUEUE,
  ReceiptHandle: 'handle-0',
  VisibilityTimeout,
});

const sentAnew = (changes: Partial<SqsMessage>, DelaySeconds: number): object => ({
  QueueUrl: QUEUE,
  DelaySeconds,
  MessageAttributes: { kind: { DataType: 'String', StringValue: 'mobiles' } },
  message: { ...MESSAGE, ...changes },
});

const dead = (death: SqsMessage['death'] & object, changes: Partial<SqsMessage> = {}): object => ({
  QueueUrl: DEAD,
  message: { ...MESSAGE, ...changes, attempts: death.attempts, death },
});

describe('A function that SQS calls', () => {
  it('lets SQS delete what is done', async () => {
    const { failures, asked, delivered } = await handled([{}, {}], { kind: 'done' });
    expect({ failures, asked }).toEqual({ failures: [], asked: [] });
    expect(delivered).toEqual([0, 1].map(() => ({ ...MESSAGE.job, payload: 'sealed' })));
  });

  it('hides what has to wait, and lets it come again', async () => {
    const delay = { kind: 'delay', code: 'running', delayMs: 4_001, status: 409, reason: '' } as const;
    expect(await handled([{}], delay)).toMatchObject({ failures: ['id-0'], asked: [hidden(5)] });
  });

  it('begins anew with what has waited often, before SQS makes a dead letter of it', async () => {
    const delay = { kind: 'delay', code: 'come_again', delayMs: 5_000, status: 503, reason: '' } as const;
    const { failures, asked } = await handled([{ attempts: 2 }], delay, { receives: 100 });
    expect(failures).toEqual([]);
    expect(asked).toEqual([sentAnew({ attempts: 2, dueAt: NOW + 5_000 }, 5)]);
  });

  it('counts a failed attempt in a new message, which comes after a back-off', async () => {
    const { failures, asked } = await handled([{ attempts: 1 }], RETRY);
    expect(failures).toEqual([]);
    expect(asked).toEqual([sentAnew({ attempts: 2, dueAt: NOW + 2_000 }, 2)]);
  });

  it('puts the last attempt into the dead-letter queue', async () => {
    const { failures, asked } = await handled([{ attempts: 4 }], RETRY);
    expect(failures).toEqual([]);
    expect(asked).toEqual([dead({ reason: RETRY.reason, status: 500, attempts: 5 })]);
  });

  it('puts what will never work into the dead-letter queue at once', async () => {
    const final = {
      kind: 'final',
      code: 'message_refused',
      status: 422,
      reason: 'The callback answered 422.',
    } as const;
    const { failures, asked } = await handled([{}], final);
    expect(failures).toEqual([]);
    expect(asked).toEqual([dead({ reason: final.reason, status: 422, attempts: 1 })]);
  });

  it('lets come again what it could not settle', async () => {
    const sqs = {
      sendMessage: () => Promise.reject(new Error('SQS is away')),
      changeMessageVisibility: () => Promise.reject(new Error('SQS is away')),
    };
    for (const outcome of [RETRY, { ...RETRY, kind: 'final' }, { ...RETRY, kind: 'delay', delayMs: 1 }] as const) {
      expect(await handled([{}], outcome, { sqs })).toMatchObject({ failures: ['id-0'] });
    }
    const deliver = (): never => {
      throw new Error('an accident');
    };
    expect(await handled([{}], { kind: 'done' }, { deliver })).toMatchObject({ failures: ['id-0'] });
  });

  it('waits on when a message comes before its time', async () => {
    const { failures, asked, delivered } = await handled([{ dueAt: NOW + 3_600_000 }], { kind: 'done' });
    expect({ failures, asked, delivered }).toEqual({ failures: ['id-0'], asked: [hidden(3_600)], delivered: [] });
  });

  it('begins with the first attempt of what was moved back from the dead-letter queue', async () => {
    const { asked } = await handled([{ attempts: 5, death: { reason: 'r', status: 500, attempts: 5 } }], RETRY);
    expect(asked).toEqual([sentAnew({ attempts: 1, dueAt: NOW + 1_000 }, 1)]);
  });

  it('reads a large body where it lies, and removes it when its job is done', async () => {
    const removed: string[] = [];
    const bodies = {
      readBody: (key: string) => Promise.resolve(`body of ${key}`),
      removeBody: (key: string) => Promise.resolve(void removed.push(key)),
    };
    const large = { payload: { key: 'job-bodies/1' } };
    expect(await handled([large], RETRY, bodies)).toMatchObject({ delivered: [{ payload: 'body of job-bodies/1' }] });
    expect(removed).toEqual([]);
    expect(await handled([large], { kind: 'done' }, bodies)).toMatchObject({ failures: [] });
    expect(removed).toEqual(['job-bodies/1']);
    const gone = await handled([large], { kind: 'done' }, { readBody: () => Promise.resolve(undefined) });
    const reason = 'The body of the job message is not in the object store any more.';
    expect(gone).toMatchObject({
      failures: [],
      asked: [dead({ reason, status: 500, attempts: 1 }, large)],
      delivered: [],
    });
    expect(await handled([large], { kind: 'done' })).toMatchObject({ failures: ['id-0'], delivered: [] });
  });

  it('puts what is no message into the dead-letter queue, and what a newer build has written off', async () => {
    expect(await handled(['no message', '{"format":2,"generation":1}'], { kind: 'done' })).toMatchObject({
      failures: ['id-1'],
      asked: [{ QueueUrl: DEAD, message: 'no message' }, { VisibilityTimeout: 60 }],
      delivered: [],
    });
  });
});
