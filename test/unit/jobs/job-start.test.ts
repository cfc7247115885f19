/** Jobs that users order: what is written and enqueued for them. */
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../../src/config/key-ring.js';
import { GatewayError } from '../../../src/errors.js';
import { fingerprintsOf } from '../../../src/job-record/fingerprint.js';
import type { JobMessage } from '../../../src/job-record/job-queue.js';
import { openPayload } from '../../../src/job-record/payload-encryption.js';
import { createJobStarter } from '../../../src/jobs/job-start.js';
import type { Acceptance, Job } from '../../../src/jobs/job.js';
import { captureLog } from '../../support/captured-log.js';

const keyRing = new KeyRing([new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]);
const BODY = [{ id: 1, name: '株' }];
const DAY_MS = 86_400_000;

function starterOf(changes: Partial<Parameters<typeof createJobStarter>[0]> = {}): {
  starter: ReturnType<typeof createJobStarter>;
  submitted: JobMessage[];
} {
  const submitted: JobMessage[] = [];
  const submission = {
    submit: (message: JobMessage) => {
      submitted.push(message);
      return Promise.resolve(1_234);
    },
  };
  return { starter: createJobStarter({ submission, keyRing, ...changes }), submitted };
}

const accepting = (acceptance: Acceptance): Job => ({ kind: 'mobiles', itemsAt: [], accept: () => acceptance });
const work = { total: 1, resumes: true, run: () => Promise.reject(new Error('Nothing is run here.')) };

describe('a body that is ordered', () => {
  it('is taken as it is when its job takes it', () => {
    const { starter } = starterOf();
    expect(starter.accept(accepting({ kind: 'work', work }), BODY, 'items')).toEqual({
      kind: 'mobiles',
      body: BODY,
      total: 1,
    });
  });

  it.each<[Acceptance, object]>([
    [
      { kind: 'work', work: { ...work, total: 0 } },
      { reason: 'EmptyList', fields: [{ path: ['items'], message: 'must have an entry at least' }] },
    ],
    [
      { kind: 'too many', parts: { found: 3, limit: 2, variable: 'BULK_MAX_ITEMS' } },
      {
        reason: 'TooManyItems',
        message: 'Too many items: 3. The limit is 2 (BULK_MAX_ITEMS).',
        fields: [{ path: ['items'], message: 'must be a list of at most 2 entries' }],
      },
    ],
    [
      {
        kind: 'faults',
        faults: [
          { path: '/0/id', message: 'is required' },
          { path: '', message: 'must be an array' },
          { path: '/12/1st/a~1b~0c', message: 'is unknown' },
        ],
      },
      {
        reason: 'InvalidInput',
        message: 'The input cannot be used: items[0].id is required, and 2 more.',
        fields: [
          { path: ['items', 0, 'id'], message: 'is required' },
          { path: ['items'], message: 'must be an array' },
          { path: ['items', 12, '1st', 'a/b~c'], message: 'is unknown' },
        ],
      },
    ],
  ])('is refused as its job says: %j', (acceptance, error) => {
    const { starter } = starterOf();
    expect(() => starter.accept(accepting(acceptance), BODY, 'items')).toThrow(
      expect.objectContaining({ code: 'BadInput', ...error }),
    );
  });
});

describe('a job that is started', () => {
  const order = {
    user: { Org: 'acme', BackendUser: 'user', LoggedInId: 'demo', Region: 'jp' },
    log: captureLog().logger,
    commit: <T>(write: () => Promise<T>) => write(),
  };
  const ordered = { kind: 'mobiles', body: BODY, total: 1 } as const;

  it('has an id of its own, and a message with its body that only the keys open', async () => {
    const { starter, submitted } = starterOf();
    const started = await Promise.all([starter.start(ordered, order), starter.start(ordered, order)]);
    expect(new Set(started.map(({ jobId }) => jobId)).size).toBe(2);
    expect(started.map(({ createdAt }) => createdAt)).toEqual([1_234, 1_234]);
    for (const message of submitted) {
      const { payload, ...open } = message;
      expect(JSON.parse(await openPayload(keyRing, message, payload))).toEqual(BODY);
      expect(open).toStrictEqual({
        kind: 'mobiles',
        org: 'acme',
        jobId: expect.any(String),
        described: {
          total: 1,
          fingerprint: (await fingerprintsOf(keyRing, BODY))[0],
          retentionMs: 7 * DAY_MS,
          orderedBy: { BackendUser: 'user', LoggedInId: 'demo' },
        },
      });
    }
  });

  it('takes its trace along, and is counted', async () => {
    const counted: string[] = [];
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { starter, submitted } = starterOf({
      currentTrace: () => ({ traceparent }),
      onOrdered: (kind) => counted.push(kind),
    });
    await starter.start(ordered, order);
    expect([submitted[0]?.traceparent, counted]).toEqual([traceparent, ['mobiles']]);
    const untraced = starterOf({ currentTrace: () => undefined });
    await untraced.starter.start(ordered, order);
    expect(untraced.submitted[0]).not.toHaveProperty('traceparent');
  });

  it('writes no record once its caller has been answered', async () => {
    const counted: string[] = [];
    const { starter, submitted } = starterOf({ onOrdered: (kind) => counted.push(kind) });
    const refused = new GatewayError('NotStarted');
    const log = captureLog();
    const late = { ...order, log: log.logger, commit: () => Promise.reject(refused) };
    await expect(starter.start(ordered, late)).rejects.toBe(refused);
    expect([submitted, counted, log.text()]).toEqual([[], [], '']);
  });

  it('is logged with who ordered it, and without its body', async () => {
    const log = captureLog();
    await starterOf().starter.start(ordered, { ...order, log: log.logger });
    const text = log.text();
    expect(text).toContain('"event":"job.accepted"');
    expect(text).toContain('"orderedBy":{"BackendUser":"user","LoggedInId":"demo"}');
    expect(text).not.toContain('株');
  });
});
