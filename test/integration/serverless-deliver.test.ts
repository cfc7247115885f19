/** `deliver` for queue functions of one's own. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../src/config/key-ring.js';
import { sealPayload } from '../../src/job-record/payload-encryption.js';
import { createDeliver, type Deliver, type JobMessage } from '../../src/queue-function/serverless.js';
import { freePorts } from '../support/child-program.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

const MASTER_KEY = Buffer.alloc(32, 3);
const API_KEY = 'callback-key-of-the-tests';
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** As it comes out of the queue: through JSON. */
async function message(jobId: string, name: string): Promise<JobMessage> {
  const identity = { kind: 'mobiles', org: 'acme', jobId } as const;
  const payload = await sealPayload(new KeyRing([MASTER_KEY]), identity, JSON.stringify([{ id: 5, name }]));
  const described = { total: 1, fingerprint: 'f', retentionMs: 60_000 };
  return JSON.parse(JSON.stringify({ ...identity, payload, described })) as JobMessage; // what was just written
}

describe('a serverless function', () => {
  let gateway: TestGateway;
  let deliver: Deliver;
  beforeAll(async () => {
    const environment = {
      JOB_ENCRYPTION_KEY: MASTER_KEY.toString('base64url'),
      TASK_CALLBACK_API_KEY: API_KEY,
      BASE_PATH: '/fleet',
      CALLBACK_SIGNING_SECRET: SIGNING_SECRET,
    };
    gateway = await startTestGateway(environment);
    deliver = createWith({});
  });
  afterAll(() => gateway.close());

  function createWith(changes: Partial<Parameters<typeof createDeliver>[0]>): Deliver {
    return createDeliver({
      gatewayUrl: `${gateway.url}/`,
      apiKey: API_KEY,
      jobEncryptionKey: MASTER_KEY.toString('base64url'),
      signingSecret: SIGNING_SECRET,
      log: () => undefined,
      ...changes,
    });
  }

  it('delivers a message of the queue, and may do so again', async () => {
    const job = await message('job-1', 'renamed');
    expect(await deliver(job)).toEqual({ kind: 'done' });
    expect(await deliver(job)).toEqual({ kind: 'done' });
    expect(
      gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === 'renamed'),
    ).toHaveLength(1);
  });

  it('is told to come again while the job runs, and gives up its own call when it has to end', async () => {
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const stopping = new AbortController();
    const job = await message('job-2', 'slow');
    const first = createWith({ stopping: stopping.signal })(job);
    await hold.held();
    expect(await deliver(job)).toMatchObject({ kind: 'delay', status: 409 });
    stopping.abort();
    expect(await first).toMatchObject({ kind: 'delay', delayMs: 1_000 });
    hold.release();
  });

  it('knows what will never work from what may work later', async () => {
    const job = await message('job-3', 'never');
    const otherKey = Buffer.alloc(32, 4).toString('base64url');
    const [port = 0] = await freePorts(1);
    // The gateway may have been given its new key first.
    expect(await createWith({ jobEncryptionKey: otherKey })(job)).toMatchObject({ kind: 'delay', status: 500 });
    const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    expect(await createWith({ signingSecret: otherSecret })(job)).toMatchObject({ kind: 'final', status: 401 });
    expect(await createWith({ apiKey: 'another-callback-key' })(job)).toMatchObject({ kind: 'final', status: 401 });
    expect(await createWith({ gatewayUrl: `http://127.0.0.1:${port}` })(job)).toMatchObject({
      kind: 'retry',
      status: 503,
    });
    const rotated = createWith({ jobEncryptionKey: `${otherKey}, ${MASTER_KEY.toString('base64url')}` });
    expect(await rotated(job)).toEqual({ kind: 'done' });
  });
});
