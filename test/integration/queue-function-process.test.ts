/** `node dist/queue-function.js`: the queue function as a program of its own, on a real Redis. */
import { createServer } from 'node:http';
import { afterEach, expect, it } from '@jest/globals';
import { COMMON_METRICS } from '../../src/programs/telemetry/metric-table.js';
import { MARK } from '../../src/jobs/engines/redis/mark.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { startCallbackProxy } from '../support/callback-proxy.js';
import { entriesOf } from '../support/captured-log.js';
import type { ChildProgram } from '../support/child-program.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { scrape, type Scrape } from '../support/scraped-metrics.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** As many as one queue function delivers at the same time. */
const CONCURRENCY = 8;

const [SECRET = '', PREVIOUS_SECRET = ''] = [6, 7].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);

describeWith(['redis-server'], 'the queue function as a program', () => {
  const redis = forAllTests(() => startRedis());
  const proxy = forAllTests(startCallbackProxy);
  const programs = forAllTests(() => BuiltPrograms.open());
  // In production the gateway leaves the queue to queue functions.
  const gateway = forAllTests(() =>
    startTestGateway(
      {
        ...proxy.environment,
        CALLBACK_SIGNING_SECRET: `${SECRET},${PREVIOUS_SECRET}`,
        REDIS_URL: redis.url,
        METRICS_PORT: '0',
        // An update is held for as long as it takes to start the next queue function.
        BACKEND_TIMEOUT_SECONDS: '240',
      },
      { production: true },
    ),
  );
  let running: ChildProgram | undefined;

  afterEach(async () => {
    gateway.sandbox.faults.clear();
    proxy.answer('forward');
    await running?.kill();
  });

  const environment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
    ...PRODUCTION_ENVIRONMENT,
    CALLBACK_SIGNING_SECRET: SECRET,
    REDIS_URL: redis.url,
    GATEWAY_URL: proxy.environment.GATEWAY_URL,
    ...env,
  });
  const start = async (env: NodeJS.ProcessEnv = {}): Promise<ChildProgram> =>
    (running = await programs.startQueueFunction(environment(env)));

  async function scrapeOf(program: ChildProgram): Promise<Scrape> {
    const [, url = ''] = /"url":"([^"]+)","event":"metrics\.listening"/.exec(await program.output()) ?? [];
    return scrape(url);
  }

  async function servicesIn(program: ChildProgram): Promise<ReadonlySet<unknown>> {
    return new Set(entriesOf(await program.output()).map(({ service }) => service));
  }

  const order = async (name: string): Promise<string> => (await startJob(gateway, 'mobiles', [{ id: 1, name }])).jobId;
  const expectDone = async (jobId: string): Promise<void> =>
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });

  it(`is missed by the oldest job that waits, and delivers to GATEWAY_URL, ${CONCURRENCY} jobs at the same time`, async () => {
    const oldest = async (): Promise<number | undefined> =>
      (await gateway.scrape()).value('gateway_queue_oldest_seconds');
    await waitFor('the queue to be empty', async () => (await oldest()) === 0);
    const orderedAt = Date.now();
    const count = CONCURRENCY + 4;
    const jobs = await Promise.all(Array.from({ length: count }, (_, index) => order(`together ${index}`)));
    expect((await pollJob(gateway, 'mobiles', jobs[0] ?? '')).state).toBe('PENDING');
    const olderThan = (age: number): Promise<number> =>
      waitFor(`an age above ${age}`, async () => {
        const found = await oldest();
        return found !== undefined && found > age && found;
      });
    const second = await olderThan(await olderThan(0));
    expect(second).toBeLessThanOrEqual((Date.now() - orderedAt) / 1_000);

    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    await start();
    await hold.held(CONCURRENCY);
    expect(proxy.calls).toHaveLength(CONCURRENCY);
    hold.release();
    for (const jobId of jobs) await expectDone(jobId);
    expect(proxy.calls).toHaveLength(count);
    await waitFor('the queue to be empty again', async () => (await oldest()) === 0);
  });

  it('measures deliveries, the queue and itself where METRICS_PORT says; 409 and 503 are delays, not attempts', async () => {
    const settings = { METRICS_PORT: '0', LOG_LEVEL: 'info', OTEL_SERVICE_NAME: 'deliveries', QUEUE_MAX_ATTEMPTS: '1' };
    const program = await start(settings);
    const later = (status: number) => ({ status, headers: { 'retry-after': '1' } });
    proxy.answer(later(409), later(503), 'forward');
    const jobId = await order('measured');
    await expectDone(jobId);
    const times = proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId).map(({ at }) => at);
    expect(times).toHaveLength(3);
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(900);

    const scraped = await waitFor('the delivery to be counted', async () => {
      const found = await scrapeOf(program);
      return found.value('gateway_deliveries_total', { kind: 'mobiles', outcome: 'done' }) === 1 && found;
    });
    expect(new Set(scraped.types.keys())).toEqual(new Set(Object.keys(COMMON_METRICS)));
    expect(scraped.value('gateway_queue_depth')).toBe(0);
    expect(scraped.value('gateway_key_uses_total', { key: 'encryption', generation: 'current' })).toBe(3);
    expect(scraped.values('target_info', 'service_name')).toEqual(['deliveries']);
    expect(scraped.value('gateway_job_store_operation_duration_seconds_count', { operation: 'read' })).not.toBe(0);
    // Both programs see the mark of the same store.
    const mark = await redis.call('HGET', MARK, 'id');
    const marks = [scraped, await gateway.scrape()].map((each) => each.values('gateway_store_mark_info', 'mark'));
    expect(marks).toEqual([[mark], [mark]]);
    expect(await servicesIn(program)).toEqual(new Set(['deliveries']));
    await program.stop();
    expect(program.exitCode()).toBe(0);
  });

  it('names the port that it needs, and does not start, where another program has that of METRICS_PORT', async () => {
    const other = createServer();
    const port = await listenOnLoopback(other);
    const ended = await programs.run(['dist/queue-function.js'], environment({ METRICS_PORT: String(port) }));
    other.close();
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(entriesOf(ended.stdout, 'program.start_failed')).toMatchObject([
      {
        level: 'fatal',
        service: 'queue-function',
        program: 'queue-function',
        reason: expect.stringContaining(`cannot listen on port ${port} of 127.0.0.1 (set by METRICS_PORT and HOST)`),
      },
    ]);
    expect(ended.stdout).not.toContain('queue_function.consuming');
  });

  it('finishes what it has in hand when it is asked to stop, and hands over what takes longer, which is no attempt', async () => {
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const patient = await start();
    const first = await order('in hand');
    await hold.held();
    patient.signal('SIGTERM');
    await waitFor('the signal to be heard', async () => (await patient.output()).includes('program.stopping'));
    const second = await order('handed over');
    hold.release();
    await waitFor('the program to end', () => !patient.isRunning());
    expect(patient.exitCode()).toBe(0);
    expect(await pollJob(gateway, 'mobiles', first)).toMatchObject({ completed: true, status: 'Success' });
    // It has taken nothing new.
    expect(await pollJob(gateway, 'mobiles', second)).toMatchObject({ state: 'PENDING' });

    const again = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const leaving = await start({ QUEUE_MAX_ATTEMPTS: '1', SHUTDOWN_DRAIN_SECONDS: '1' });
    await again.held();
    leaving.signal('SIGTERM');
    await waitFor('the program to end', () => !leaving.isRunning());
    expect(leaving.exitCode()).toBe(0);
    // The message does not wait for the lock of the program that has left.
    const client = closeAfterTest(redis.client());
    expect(await client.zscore('{gateway}:jobs:delayed', `mobiles.acme.${second}`)).not.toBeNull();
    const callsBefore = proxy.calls.length;
    await start({ QUEUE_MAX_ATTEMPTS: '1' });
    await waitFor('the message to be delivered again', () => proxy.calls.length > callsBefore);
    again.release();
    await expectDone(second);
    const done = gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === 'handed over');
    expect(done).toHaveLength(1);
  });
});
