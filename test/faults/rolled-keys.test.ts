/**
 * Two gateways on one store while JOB_ENCRYPTION_KEY is rolled: what each does with a job that the other one knows; every
 * key rolled out under traffic; and a queue function that finds its gateway with the wrong key or time, or not at all.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it, jest } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import {
  BACKEND_KEY,
  PRODUCTION_ENVIRONMENT,
  type TestGateway,
  backendEnvironment,
  startTestGateway,
} from '../support/gateway.js';
import { createAccounts, DRIVING_REPORT, jobHeaders, outcomeOf, USER_ACCOUNTS } from '../support/job-requests.js';
import { startRadosgw } from '../support/radosgw.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { startRouter } from '../support/router.js';
import { finishedJob, pollJob, startJob, warningsOf } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';
import { accounts, expectEverythingOnce, mobiles, Organisation, report } from './orders.js';
import { Site, type Changes } from './site.js';

jest.setTimeout(600_000);

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

describeWith(['redis-server'], 'Gateways on one Redis, of which one has the new key already, in one step,', () => {
  const redis = forAllTests(() => startRedis());
  const sandbox = forAllTests(startBackends);
  const directory = forAllTests(temporaryDirectory);
  const start = (...keys: Uint8Array[]): Promise<TestGateway> => {
    const ring = keys.map((key) => Buffer.from(key).toString('base64url')).join();
    const environment = { REDIS_URL: redis.url, JOB_ENCRYPTION_KEY: ring };
    return startTestGateway(environment, { sandbox, dataDir: directory.path });
  };
  const unrolled = forAllTests(() => start(OLD));
  let rolled: TestGateway;
  forAllTests(
    async () => ({ first: (rolled = await start(NEW, OLD)) }),
    () => rolled.close(),
  );

  const created = (prefix: string): number =>
    sandbox.journal.effects('userAccountCreated').filter(({ loginId }) => loginId.startsWith(prefix)).length;

  it('delay or replay a job that was done with the other, and do it once', async () => {
    for (const [order, first, second] of [
      ['rolled', rolled, unrolled],
      ['unrolled', unrolled, rolled],
    ] as const) {
      for (const headers of [jobHeaders(randomUUID()), { 'x-org-id': 'acme' }]) {
        const prefix = `${order}-${'x-job-id' in headers ? 'id' : 'content'}`;
        const items = createAccounts(prefix, 3);
        const done = await first.callback(USER_ACCOUNTS, items, headers);
        expect(done).toMatchObject({ status: 200, body: { status: 'Success' } });
        const meanwhile = await second.callback(USER_ACCOUNTS, items, headers);
        if (meanwhile.status === 200) expect(outcomeOf(meanwhile)).toEqual({ ...outcomeOf(done), replayed: 'true' });
        else expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([503, '10']);
        const finallyRolled = await rolled.callback(USER_ACCOUNTS, items, headers);
        expect(outcomeOf(finallyRolled)).toEqual({ ...outcomeOf(done), replayed: 'true' });
        expect(finallyRolled.headers.get('x-job-id')).toBe(done.headers.get('x-job-id'));
        expect(created(prefix)).toBe(3);
        if ('x-job-id' in headers) expect((await rolled.callback(USER_ACCOUNTS, [], headers)).status).toBe(422);
      }
    }
  });

  it('open what the other one linked to, as soon as they know its key', async () => {
    await unrolled.callback(DRIVING_REPORT, { date: '2026-11-19T00:00:00Z', drivers: [] }, jobHeaders('linked'));
    const { downloadUrl } = await pollJob(unrolled, 'reports', 'linked');
    const { pathname, search } = new URL(downloadUrl ?? '');
    expect((await fetch(`${rolled.url}${pathname}${search}`)).status).toBe(200);
  });

  it('leave a job that was started with the new one to wait while only the other is there', async () => {
    const held = sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'waiting-1' });
    // Taken first: the other may meet the job before this one has closed, and tells of it once a minute only.
    const since = unrolled.logged().length;
    const { jobId } = await startJob(rolled, 'accounts', createAccounts('waiting', 3));
    await held.held();
    const stopped = rolled.close();
    // Released earlier, the job could end before the gateway stops it.
    await waitFor('its jobs to be stopped', () => rolled.logged().includes('"step":"jobs"'));
    held.release();
    await stopped;
    const waits = (): boolean => unrolled.logged().slice(since).includes('delivery.key_unknown');
    await waitFor('the job to wait', waits);
    expect(await pollJob(unrolled, 'accounts', jobId)).toMatchObject({ completed: false });
    // Each turn with it would double the wait of the job.
    await unrolled.close();
    rolled = await start(NEW, OLD);
    expect(await finishedJob(rolled, 'accounts', jobId)).toMatchObject({ status: 'Success', errors: null });
    expect(created('waiting')).toBe(3);
  });
});

/** Stands before backend-api, so that the key it takes can change. */
async function startKeyChange(backendUrl: string, first: string) {
  let key = first;
  const router = await startRouter(backendUrl);
  router.answer((_request, _body, { headers }) => {
    const given = headers['x-api-key'];
    if (given !== undefined) headers['x-api-key'] = given === key ? BACKEND_KEY : 'refused';
    return 'forward';
  });
  const change = (next: string): Promise<void> => Promise.resolve(void (key = next));
  return { url: router.url, change, close: router.close };
}

/** Refusals of a key that is not known: none is met in the right order. */
const REFUSED =
  /"event":"(callback\.refused|backend\.key_refused|job\.key_unknown|dependency\.failed)"|"code":"not_authorized"/;

describeWith(['redis-server', 'radosgw', 'ceph-mon', 'ceph-osd'], 'Under traffic, each key', () => {
  const BUCKET = 'reports';
  const keys = () => ({
    callback: randomBytes(32).toString('hex'),
    backend: randomBytes(32).toString('hex'),
    redis: randomBytes(32).toString('hex'),
    signing: `whsec_${randomBytes(32).toString('base64')}`,
    encryption: randomBytes(32).toString('base64url'),
    s3: { AWS_ACCESS_KEY_ID: randomBytes(10).toString('hex'), AWS_SECRET_ACCESS_KEY: randomBytes(20).toString('hex') },
  });
  const [old, next] = [keys(), keys()];
  const redis = forAllTests(() => startRedis({ appendOnly: true, password: old.redis }));
  const s3 = forAllTests(() => startRadosgw(BUCKET));
  const sandbox = forAllTests(startBackends);
  const backend = forAllTests(() => startKeyChange(sandbox.backendApiUrl, old.backend));
  const site = forAllTests(() =>
    Site.start({
      environment: {
        REDIS_URL: redis.url,
        BACKEND_API_URL: backend.url,
        BACKEND_API_KEY: old.backend,
        TASK_CALLBACK_API_KEY: old.callback,
        CALLBACK_SIGNING_SECRET: old.signing,
        JOB_ENCRYPTION_KEY: old.encryption,
        ...s3.environment(BUCKET),
        ...s3.variables,
      },
      itemMs: 150,
      sandbox,
    }),
  );

  /** As deploy/day-two.md has them; each step on all programs before the next one, and `first` before that. */
  const steps = (): Record<string, readonly (Changes & { readonly first?: () => Promise<void> })[]> => {
    const administer = async (...change: readonly string[]): Promise<void> => {
      const client = redis.client();
      await client.call('ACL', 'SETUSER', 'default', ...change).finally(() => client.disconnect());
    };
    const both = (settings: NodeJS.ProcessEnv): Changes => ({ gateways: settings, queueFunctions: settings });
    const url = new URL(redis.url);
    url.password = next.redis;
    return {
      TASK_CALLBACK_API_KEY: [
        { gateways: { TASK_CALLBACK_API_KEY: next.callback, TASK_CALLBACK_API_KEY_PREVIOUS: old.callback } },
        { queueFunctions: { TASK_CALLBACK_API_KEY: next.callback } },
        { gateways: { TASK_CALLBACK_API_KEY_PREVIOUS: undefined } },
      ],
      CALLBACK_SIGNING_SECRET: [
        both({ CALLBACK_SIGNING_SECRET: `${next.signing},${old.signing}` }),
        both({ CALLBACK_SIGNING_SECRET: next.signing }),
      ],
      JOB_ENCRYPTION_KEY: [
        both({ JOB_ENCRYPTION_KEY: `${old.encryption},${next.encryption}` }),
        both({ JOB_ENCRYPTION_KEY: `${next.encryption},${old.encryption}` }),
      ],
      BACKEND_API_KEY: [
        { gateways: { BACKEND_API_KEY: `${old.backend},${next.backend}` } },
        { first: () => backend.change(next.backend), gateways: { BACKEND_API_KEY: next.backend } },
      ],
      'password of Redis': [
        { first: () => administer(`>${next.redis}`), ...both({ REDIS_URL: url.href }) },
        { first: () => administer(`<${old.redis}`) },
      ],
      'credentials of S3': [
        { first: () => s3.addKey(next.s3.AWS_ACCESS_KEY_ID, next.s3.AWS_SECRET_ACCESS_KEY), gateways: next.s3 },
        { first: () => s3.removeKey(s3.accessKeyId) },
      ],
    };
  };

  it('is rolled out in its steps, all keys at once, and no job fails, no item is lost or done twice, and none is refused', async () => {
    const all = Object.values(steps());
    const over = new AbortController();
    const acme = new Organisation('acme', site, 'demo');
    const globex = new Organisation('globex', site, 'globex-admin');
    const lanes = Promise.all([
      acme.orderUntil(over.signal, [accounts, report], [21, 22]),
      acme.orderUntil(over.signal, [mobiles], [11, 12, 13, 14, 15, 16]),
      globex.orderUntil(over.signal, [mobiles, accounts], [1001, 1002, 1003]),
    ]);
    const traffic = async (): Promise<void> => {
      const before = acme.finished.length;
      await waitFor('jobs to go on', () => acme.finished.length > before + 1, 600_000);
    };
    const rollOut = async (): Promise<void> => {
      for (let index = 0; index < Math.max(...all.map(({ length }) => length)); index += 1) {
        await traffic();
        const due = all.flatMap((each) => each[index] ?? []);
        for (const { first } of due) await first?.();
        const settings = (who: keyof Changes): NodeJS.ProcessEnv | undefined =>
          due.reduce<NodeJS.ProcessEnv | undefined>(
            (sum, { [who]: more }) => (more ? { ...sum, ...more } : sum),
            undefined,
          );
        await site.rollOut({ gateways: settings('gateways'), queueFunctions: settings('queueFunctions') });
      }
      await traffic();
    };
    await Promise.all([lanes, rollOut().finally(() => over.abort())]);

    const log = await site.log();
    expect(log.filter((line) => REFUSED.test(line) || line.includes('delivery.dead_letter'))).toEqual([]);
    expectEverythingOnce([acme, globex], site.sandbox.journal);
    await acme.expectReports(0);
    expect(await site.stop()).toEqual([0, 0, 0, 0]);
  });
});

describeWith(['redis-server'], 'A queue function that was configured wrongly', () => {
  const JOBS = 4;
  const SIGNED = { CALLBACK_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}` };
  const redis = forAllTests(() => startRedis());
  const programs = forAllTests(() => BuiltPrograms.open());
  const settings = forAllTests(() => ({
    ...PRODUCTION_ENVIRONMENT,
    ...SIGNED,
    REDIS_URL: redis.url,
    BASE_PATH: '/fleet',
    BACKEND_API_KEY: BACKEND_KEY,
    QUEUE_MAX_ATTEMPTS: '1',
  }));
  const gateway = forAllTests(() => startTestGateway(settings, { production: true }));

  /** Deliveries of a gateway in development, which are those of a queue function. */
  const deliverTo = async (GATEWAY_URL: string, wrong: object = {}): Promise<TestGateway> =>
    closeAfterTest(await startTestGateway({ ...settings, NODE_ENV: '', GATEWAY_URL, ...wrong }));
  /** Orders jobs of one change each. */
  const ordered = (like: string): Promise<{ name: string; jobId: string }[]> =>
    Promise.all(
      Array.from({ length: JOBS }, async (_, index) => {
        const name = `${like} ${index}`;
        return { name, ...(await startJob(gateway, 'mobiles', [{ id: 1, name }])) };
      }),
    );
  /** Each of these jobs succeeds, and its change was made once. */
  async function expectDone(jobs: readonly { name: string; jobId: string }[]): Promise<void> {
    for (const { jobId, name } of jobs) {
      expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
      expect(await warningsOf(gateway, jobId)).toEqual([]);
      const made = gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === name);
      expect(made).toHaveLength(1);
    }
  }

  it('that meets a replica whose clock is 10 minutes off has its jobs done by the other one, and logs why', async () => {
    const minutes = 10;
    const source = `const N=Date.now,by=${minutes * 60_000};globalThis.Date=class extends Date{
        constructor(...a){super(...(a.length?a:[N()+by]))}static now(){return N()+by}}`;
    const ahead = closeAfterTest(
      await programs.startGateway({
        ...settings,
        ...backendEnvironment(gateway.sandbox),
        DATA_DIR: gateway.dataDir,
        NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(source)}`,
      }),
    );
    const replicas = closeAfterTest(await startRouter([gateway, ahead].map(({ url }) => new URL(url).origin)));
    const deliveries = await deliverTo(`${replicas.url}/fleet`);
    await expectDone(await ordered('clock'));
    expect(deliveries.logged()).toMatch(/"code":"not_authorized"[^\n]*"event":"delivery.turned_away"/);
    expect(deliveries.logged()).not.toContain('delivery.dead_letter');
    expect(await ahead.output()).toMatch(/"reason":"[^"]*clock[^"]*"[^\n]*"event":"callback.refused"/);
  });

  it('with a wrong key or GATEWAY_URL makes no dead letter, says what is wrong, and its jobs are done once it is put right', async () => {
    const jobs = await ordered('misled');
    for (const [code, url, wrong] of [
      ['not_authorized', gateway.url, { TASK_CALLBACK_API_KEY: 'not-the-key-of-the-tests' }],
      ['wrong_address', new URL(gateway.url).origin],
      ['not_reached', 'http://127.0.0.1:1'],
    ] as const) {
      const misled = await deliverTo(url, wrong);
      // The back-off of each begins anew with its queue function.
      await waitFor(`${code} of each`, () => misled.logged().split('"event":"delivery.delayed"').length > JOBS);
      expect(misled.logged().split('"event":"delivery.turned_away"')).toHaveLength(2);
      expect(misled.logged()).toMatch(new RegExp(`"code":"${code}"[^\\n]*"event":"delivery.turned_away"`));
      for (const { jobId } of jobs) {
        // The line is written before the note in the record.
        await waitFor('the warning', async () => (await warningsOf(gateway, jobId)).includes('Waiting'));
      }
      await misled.close();
    }
    const repaired = await deliverTo(gateway.url);
    await expectDone(jobs);
    expect(repaired.logged()).not.toContain('delivery.dead_letter');
  });
});
