import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { postpone } from '../../../src/engines/sqs/postpone.js';
import { regionOf } from '../../../src/engines/sqs/region.js';
import { readSqsMessage, type SqsMessage } from '../../../src/job-record/sqs-message.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const MESSAGE: SqsMessage = {
  job: { kind: 'mobiles', org: 'acme', jobId: 'j', described: { total: 1, fingerprint: 'f', retentionMs: 1 } },
  payload: { sealed: 'p' },
  generation: 3,
  attempts: 0,
  acceptedAt: 1,
};

interface Situation {
  readonly delayMs: number;
  readonly receiveCount?: number;
  readonly inHandForMs?: number;
  readonly ageMs?: number;
}

/** What a queue is asked for that keeps messages for 14 days and allows 1,000 receives. */
async function asked({ delayMs, receiveCount = 1, inHandForMs = 0, ageMs = 0 }: Situation): Promise<unknown[]> {
  const now = Date.now();
  const calls: unknown[] = [];
  const client = {
    setVisibility: jest.fn((_url: string, _received: unknown, seconds: number) =>
      Promise.resolve(calls.push(['hide', seconds]) > 0),
    ),
    send: jest.fn((_url: string, body: string, kind: string, delaySeconds: number) => {
      const { generation, attempts, dueAt = 0 } = readSqsMessage(body);
      const due = Math.round((dueAt - now) / 1_000) * 1_000;
      return Promise.resolve(void calls.push(['send', { kind, generation, attempts, due, delaySeconds }]));
    }),
    delete: jest.fn(() => Promise.resolve(void calls.push(['delete']))),
  };
  const facts = { deadLetterUrl: undefined, maxReceives: 100, retentionMs: 14 * DAY_MS };
  const received = { body: '', receiptHandle: 'r', receiveCount, sentAt: now - ageMs };
  await postpone({ received, message: MESSAGE, receivedAt: now - inHandForMs }, delayMs, 2, {
    // What is asked of it is all there is.
    client: client as unknown as Parameters<typeof postpone>[3]['client'],
    queueUrl: 'http://127.0.0.1/queue',
    known: { facts: () => Promise.resolve(facts) } as unknown as Parameters<typeof postpone>[3]['known'],
  });
  return calls;
}

describe('A message that is put off', () => {
  // What a busy machine takes in between would add to its delay.
  beforeAll(() => void jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) }));
  afterAll(() => void jest.useRealTimers());

  const copy = (delayMs: number, delaySeconds: number): unknown[] => [
    ['send', { kind: 'mobiles', generation: 3, attempts: 2, due: delayMs, delaySeconds }],
    ['delete'],
  ];

  it.each([
    ['is hidden where it is, for no less than it is told', { delayMs: 1_001 }, [['hide', 2]]],
    ['is so for longer than SQS delays a new one', { delayMs: HOUR_MS }, [['hide', 3_600]]],
    ['may be at once', { delayMs: 0 }, [['hide', 0]]],
    ['is sent anew before SQS has counted too many receives', { delayMs: 5_000, receiveCount: 100 }, copy(5_000, 5)],
    ['may be hidden for 12 hours', { delayMs: 12 * HOUR_MS }, [['hide', 43_200]]],
    [
      'is sent anew when it could not be hidden for so long, and says when it is due',
      { delayMs: HOUR_MS, inHandForMs: 11.5 * HOUR_MS },
      copy(HOUR_MS, 900),
    ],
    ['is sent anew before SQS forgets it', { delayMs: 60_000, ageMs: 7 * DAY_MS }, copy(60_000, 60)],
  ])('%s', async (_what, situation, expected) => {
    expect(await asked(situation)).toEqual(expected);
  });
});

describe('The region that requests are signed for', () => {
  it.each([
    ['https://sqs.eu-central-1.amazonaws.com/123456789012/jobs', 'eu-central-1'],
    ['https://sqs-fips.us-gov-west-1.amazonaws.com/123456789012/jobs', 'us-gov-west-1'],
    ['https://sqs.cn-north-1.amazonaws.com.cn/123456789012/jobs', 'cn-north-1'],
    ['https://vpce-0a1b-c2d3.sqs.ap-northeast-1.vpce.amazonaws.com/123456789012/jobs', 'ap-northeast-1'],
    ['https://eu-west-1.queue.amazonaws.com/123456789012/jobs', 'eu-west-1'],
    ['https://queue.amazonaws.com/123456789012/jobs', 'us-east-1'],
    ['http://127.0.0.1:4566/000000000000/jobs', undefined],
  ])('of %s is %s', (url, region) => {
    expect(regionOf(url)).toBe(region);
  });
});
