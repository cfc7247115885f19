/** Jobs that users order: what is written and enqueued for them. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7, validate, version } from 'uuid';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { faultOf, GatewayError, ServiceUnavailableError } from '../../../src/base/errors.js';
import { fingerprintsOf } from '../../../src/jobs/record/fingerprint.js';
import type { JobMessage } from '../../../src/jobs/record/job-queue.js';
import type { JobIdentity } from '../../../src/jobs/record/job-record.js';
import { isKeyedJobId, keyedJobId, keyPrefixOf } from '../../../src/jobs/record/keyed-job-id.js';
import { openPayload } from '../../../src/jobs/record/payload-encryption.js';
import { acceptInput, JobStarter, type JobStarterOptions } from '../../../src/jobs/job-start.js';
import type { Acceptance, Job } from '../../../src/jobs/job.js';
import { captureLog } from '../../support/captured-log.js';
import { claimed, jobMessage } from '../../support/stored-jobs.js';
import { createMemoryJobStore } from './memory-job-store.js';

const keyRing = new KeyRing([new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]);
const BODY = [{ id: 1, name: '株' }];
const DAY_MS = 86_400_000;

function starterOf(changes: Partial<JobStarterOptions> = {}) {
  const store = createMemoryJobStore();
  const submitted: JobMessage[] = [];
  const submittedAgain: JobMessage[] = [];
  const submission = {
    async submit(message: JobMessage) {
      const isNew = await store.enqueue(message, message.described);
      if (isNew) submitted.push(message);
      const record = await store.read(message);
      if (record === undefined) throw new Error('It was written.');
      return { record, isNew };
    },
    submitAgain: (message: JobMessage) => Promise.resolve(void submittedAgain.push(message)),
  };
  const starter = new JobStarter({
    submission,
    jobStore: store,
    keyRing,
    maxBodyBytes: 1_000,
    onOrdered: undefined,
    ...changes,
  });
  return { starter, submitted, submittedAgain, store };
}

const accepting = (acceptance: Acceptance): Job => ({ kind: 'mobiles', itemsAt: [], accept: () => acceptance });
const work = { total: 1, resumes: true, run: () => Promise.reject(new Error('Nothing is run here.')) };

describe('a body that is ordered', () => {
  it('is taken as it is when its job takes it', () => {
    const taken = acceptInput(accepting({ kind: 'work', work }), BODY, 'items', 'acme');
    expect(taken).toEqual({ kind: 'mobiles', body: BODY, total: 1 });
  });

  it.each<[Acceptance, object]>([
    [
      { kind: 'work', work: { ...work, total: 0 } },
      { reason: 'EmptyList', fields: [{ path: ['items'], ...faultOf('ListEmpty') }] },
    ],
    [
      { kind: 'too many', values: { found: 3, limit: 2, variable: 'BULK_MAX_ITEMS' } },
      {
        reason: 'TooManyItems',
        message: 'Too many items: 3 in items. The limit is 2 (BULK_MAX_ITEMS).',
        fields: [{ path: ['items'], ...faultOf('ListTooLong', { max: 2 }) }],
      },
    ],
    [
      {
        kind: 'faults',
        faults: [
          { path: '/0/id', ...faultOf('Required') },
          { path: '', ...faultOf('WrongType', { type: 'array' }) },
          { path: '/12/1st/a~1b~0c', ...faultOf('UnknownMember') },
        ],
      },
      {
        reason: 'InvalidInput',
        message: 'The input cannot be used: items[0].id is required, and 2 more.',
        values: { reasons: ['Required', 'WrongType', 'UnknownMember'] },
        fields: [
          { path: ['items', 0, 'id'], ...faultOf('Required') },
          { path: ['items'], ...faultOf('WrongType', { type: 'array' }) },
          { path: ['items', 12, '1st', 'a/b~c'], ...faultOf('UnknownMember') },
        ],
      },
    ],
  ])('is refused as its job says: %j', (acceptance, error) => {
    expect(() => acceptInput(accepting(acceptance), BODY, 'items', 'acme')).toThrow(
      expect.objectContaining({ code: 'BadInput', ...error }),
    );
  });
});

const order = {
  user: { Org: 'acme', BackendUser: 'user', LoggedInId: 'demo', Region: 'jp' },
  log: captureLog().logger,
  idempotencyKey: undefined,
  authorize: () => Promise.resolve(),
  commit: <T>(write: () => Promise<T>) => write(),
};
const ordered = { kind: 'mobiles', body: BODY, total: 1 } as const;

describe('a job that is started', () => {
  it('is refused for its size when it is new, and goes on under its key by a gateway with a lower limit', async () => {
    const keyed = { ...order, idempotencyKey: 'one' };
    const { starter, store } = starterOf();
    const { job } = await starter.start(ordered, keyed);
    const lower = starterOf({ maxBodyBytes: 10, jobStore: store });
    expect(await lower.starter.start(ordered, keyed)).toEqual({ job, isNew: false });
    expect(lower.submittedAgain).toHaveLength(1);
    const values = { limit: 10, variable: 'CALLBACK_MAX_BODY_BYTES' };
    await expect(lower.starter.start(ordered, order)).rejects.toMatchObject({ reason: 'BodyTooLarge', values });
  });

  it('has an id of its own, and a message with its body that only the keys open', async () => {
    const { starter, submitted } = starterOf();
    const started = await Promise.all([starter.start(ordered, order), starter.start(ordered, order)]);
    expect(new Set(started.map(({ job }) => job.jobId)).size).toBe(2);
    for (const each of started)
      expect(each).toMatchObject({ isNew: true, job: { state: 'pending', cancelled: false } });
    for (const message of submitted) {
      const { payload, ...open } = message;
      expect(JSON.parse(openPayload(keyRing, message, payload))).toEqual(BODY);
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
    const orderedBy = { BackendUser: 'user', LoggedInId: 'demo' };
    expect(log.entries()).toMatchObject([{ event: 'job.accepted', orderedBy }]);
    expect(log.text()).not.toContain('株');
  });
});

describe('an order with an idempotency key', () => {
  const keyed = { ...order, idempotencyKey: 'key of a page' };

  it('makes an id that anybody can compute: SHA-256 over kind, organisation, user and key, as a UUID of version 8', () => {
    const hash = createHash('sha256').update('["mobiles","株式会社","user","key of a page"]').digest('hex');
    const [, a, b, c, d, e, f] = /^(.{8})(.{4}).(.{3})(.)(.{3})(.{12})/.exec(hash) ?? [];
    const variant = ((Number.parseInt(d ?? '', 16) & 3) | 8).toString(16);
    const id = keyedJobId({ kind: 'mobiles', org: '株式会社', backendUser: 'user', idempotencyKey: 'key of a page' });
    expect(id).toBe(`${a}-${b}-8${c}-${variant}${e}-${f}`);
    expect([validate(id), version(id)]).toEqual([true, 8]);
    expect([id, `${id}:failed-items`, uuidv7()].map(isKeyedJobId)).toEqual([true, true, false]);
    expect([true, false].map((isDerived) => keyPrefixOf({ org: 'a.b', jobId: id }, 5, isDerived))).toEqual(
      Array(2).fill(`a%2Eb:${id}:5`),
    );
    expect([true, false].map((isDerived) => keyPrefixOf({ org: undefined, jobId: 'j' }, 5, isDerived))).toEqual([
      ':j:5',
      ':j',
    ]);
  });

  it('has an id that differs by kind, organisation, user and key, and not by how they are joined', () => {
    const one = { kind: 'mobiles', org: 'a', backendUser: 'b', idempotencyKey: 'c' } as const;
    const others = [
      { ...one, kind: 'user-accounts' as const },
      { ...one, org: 'x' },
      { ...one, backendUser: 'x' },
      { ...one, idempotencyKey: 'x' },
      { ...one, org: 'a","b', backendUser: '' },
      { ...one, org: 'ab', backendUser: '' },
    ];
    expect(new Set([one, ...others].map(keyedJobId)).size).toBe(others.length + 1);
  });

  it('finds its job without a look at what the user may see, a count or a line in the log', async () => {
    const counted: string[] = [];
    const { starter, submitted, submittedAgain, store } = starterOf({ onOrdered: (kind) => counted.push(kind) });
    const first = await starter.start(ordered, keyed);
    const log = captureLog();
    const again = {
      ...keyed,
      log: log.logger,
      authorize: () => Promise.reject(new Error('A known job is authorized.')),
    };
    expect(await starter.start(ordered, again)).toEqual({ ...first, isNew: false });
    expect(submittedAgain.map(({ jobId }) => jobId)).toEqual([first.job.jobId]);
    const { fencingToken } = await claimed(store, submitted[0] ?? jobMessage(''), {
      fingerprints: await fingerprintsOf(keyRing, BODY),
    });
    expect(await starter.start(ordered, again)).toEqual({ job: { ...first.job, state: 'running' }, isNew: false });
    await store.cancel(submitted[0] ?? jobMessage(''));
    await store.finish(submitted[0] ?? jobMessage(''), fencingToken, { status: 200, body: '{}' });
    const job = { ...first.job, state: 'finished', cancelled: true };
    expect(await starter.start(ordered, again)).toEqual({ job, isNew: false });
    expect([submitted.length, submittedAgain.length, counted, log.text()]).toEqual([1, 1, ['mobiles'], '']);
  });

  it('says that it is not started when the first start of its job is refused while it is repeated', async () => {
    const { starter, store } = starterOf();
    await starter.start(ordered, keyed);
    const reads = [true, false];
    const jobStore = { read: (job: JobIdentity) => (reads.shift() ? store.read(job) : Promise.resolve(undefined)) };
    await expect(starterOf({ jobStore }).starter.start(ordered, keyed)).rejects.toThrow(ServiceUnavailableError);
    expect(reads).toEqual([]);
  });

  it('is refused with another input, also when that came at the same time, and leaves nothing when the user may not', async () => {
    const { starter, store } = starterOf();
    const refused = new Error('not visible');
    await expect(starter.start(ordered, { ...keyed, authorize: () => Promise.reject(refused) })).rejects.toBe(refused);
    expect(store.records.size).toBe(0);
    const other = { ...ordered, body: [{ id: 1, name: 'other' }] };
    const both = await Promise.allSettled([starter.start(ordered, keyed), starter.start(other, keyed)]);
    const reused = { code: 'BadInput', reason: 'IdempotencyKeyReused' };
    expect(both).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: reused }]);
    await expect(starter.start(other, keyed)).rejects.toMatchObject(reused);
  });

  it('is recognised after a rotation of keys, and waits where the key of its job is not known', async () => {
    const [old, current] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
    const { starter, store } = starterOf({ keyRing: new KeyRing([old]) });
    const { job } = await starter.start(ordered, keyed);
    const rotated = starterOf({ keyRing: new KeyRing([current, old]), jobStore: store }).starter;
    expect(await rotated.start(ordered, keyed)).toEqual({ job, isNew: false });
    const unknown = starterOf({ keyRing: new KeyRing([current]), jobStore: store }).starter;
    await expect(unknown.start(ordered, keyed)).rejects.toMatchObject({ code: 'ServiceUnavailable' });
  });
});
