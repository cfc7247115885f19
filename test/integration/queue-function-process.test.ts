/** `node dist/queue-function.js`: the queue function as a program of its own, on a real Redis. */
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { METRICS } from '../../src/telemetry/metric-table.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway, type TestGateway } from '../support/gateway.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { scrape, type Scrape } from '../support/scraped-metrics.js';
import { finishedJob, pollJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** As many as one queue function delivers at the same time. */
const CONCURRENCY = 8;

const [SECRET, PREVIOUS_SECRET] = [6, 7].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
/** Gateway and queue function have the same. */
const SIGNING = { CALLBACK_SIGNING_SECRET: SECRET };

describeWith(['redis-server'], 'the queue function as a program', () => {
  let redis: RedisServer;
  let proxy: CallbackProxy;
  let gateway: TestGateway;
  let programs: BuiltPrograms;

  beforeAll(async () => {
    [redis, proxy] = await Promise.all([startRedis({ port: 'tcp' }), startCallbackProxy()]);
    // In production the gateway leaves the queue to queue functions.
    gateway = await startTestGateway(
      {
        ...proxy.environment,
        CALLBACK_SIGNING_SECRET: `${SECRET},${PREVIOUS_SECRET}`,
        REDIS_URL: redis.url,
        METRICS_PORT: '0',
      },
      { production: true },
    );
  });
  beforeEach(async () => {
    programs = await BuiltPrograms.open();
  });
  afterEach(async () => {
    gateway.sandbox.faults.clear();
    proxy.answer('forward');
    await programs.close();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([proxy.close(), redis.stop()]);
  });

  const start = (env: NodeJS.ProcessEnv = {}): ReturnType<BuiltPrograms['startQueueFunction']> =>
    programs.startQueueFunction({
      ...PRODUCTION_ENVIRONMENT,
      ...SIGNING,
      REDIS_URL: redis.url,
      GATEWAY_URL: proxy.environment.GATEWAY_URL,
      ...env,
    });

  /** The metrics of a queue function. */
  async function scrapeOf(program: Awaited<ReturnType<typeof start>>): Promise<Scrape> {
    const [, url = ''] = /"url":"([^"]+)","event":"metrics\.listening"/.exec(await program.output()) ?? [];
    return scrape(url);
  }

  /** Who wrote the lines of a log, by their own account. */
  async function servicesIn(program: Awaited<ReturnType<typeof start>>): Promise<readonly unknown[]> {
    const lines = (await program.output()).split('\n').filter((line) => line.startsWith('{'));
    return lines.map((line) => (JSON.parse(line) as { service?: unknown }).service); // of our own logger
  }

  const order = async (name: string): Promise<string> => (await startJob(gateway, 'mobiles', [{ id: 1, name }])).jobId;

  it(`delivers to GATEWAY_URL, ${CONCURRENCY} jobs at the same time`, async () => {
    const { calls } = proxy;
    const before = calls.length;
    const jobs = await Promise.all(Array.from({ length: CONCURRENCY + 4 }, (_, index) => order(`together ${index}`)));
    expect((await pollJob(gateway, 'mobiles', jobs[0] ?? '')).state).toBe('PENDING');
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    await start();
    await hold.held(CONCURRENCY);
    expect(calls).toHaveLength(before + CONCURRENCY);
    hold.release();
    for (const jobId of jobs) expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    expect(calls).toHaveLength(before + jobs.length);
  });

  it('measures deliveries, the queue and itself where METRICS_PORT says, until it has ended', async () => {
    const program = await start({ METRICS_PORT: '0', LOG_LEVEL: 'info', OTEL_SERVICE_NAME: 'deliveries' });
    const jobId = await order('measured');
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    const scraped = await waitFor('the delivery to be counted', async () => {
      const found = await scrapeOf(program);
      return found.value('gateway_deliveries_total', { kind: 'mobiles', outcome: 'done' }) === 1 && found;
    });
    const everywhere = Object.entries(METRICS).filter(([, metric]) => 'everywhere' in metric);
    expect(new Set(scraped.types.keys())).toEqual(new Set(everywhere.map(([name]) => name)));
    expect(scraped.value('gateway_queue_depth')).toBe(0);
    expect(scraped.value('gateway_key_uses_total', { key: 'encryption', generation: 'current' })).toBe(1);
    const [info] = scraped.samples.filter(({ name }) => name === 'target_info');
    expect(info?.labels['service_name']).toBe('deliveries');
    expect(new Set(await servicesIn(program))).toEqual(new Set(['deliveries']));
    await program.stop();
    expect(program.exitCode()).toBe(0);
  });

  it('is missed by the oldest job that waits, whose age is measured until it is taken', async () => {
    const oldest = async (): Promise<number | undefined> =>
      (await gateway.scrape()).value('gateway_queue_oldest_seconds');
    await waitFor('the queue to be empty', async () => (await oldest()) === 0);
    const orderedAt = Date.now();
    const jobId = await order('waiting');
    const olderThan = (age: number): Promise<number> =>
      waitFor(`an age above ${age}`, async () => {
        const found = await oldest();
        return found !== undefined && found > age && found;
      });
    const second = await olderThan(await olderThan(0));
    expect(second).toBeLessThanOrEqual((Date.now() - orderedAt) / 1_000);
    await start();
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    await waitFor('the queue to be empty again', async () => (await oldest()) === 0);
  });

  it('counts with what it opens messages, and the gateway by what they were signed, while keys are rotated', async () => {
    const uses = 'gateway_key_uses_total';
    const signings = async (generation: string): Promise<number> =>
      (await gateway.scrape()).value(uses, { key: 'signing', generation }) ?? Number.NaN;
    const signedBefore = { current: await signings('current'), previous: await signings('previous') };
    const encryption = Buffer.alloc(32, 8).toString('base64url');
    const program = await start({
      METRICS_PORT: '0',
      LOG_LEVEL: 'info',
      JOB_ENCRYPTION_KEY: `${encryption},${PRODUCTION_ENVIRONMENT.JOB_ENCRYPTION_KEY ?? ''}`,
      CALLBACK_SIGNING_SECRET: PREVIOUS_SECRET,
    });
    // The gateway has not got the new key yet.
    const jobId = await order('sealed with the previous key');
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    const scraped = await scrapeOf(program);
    expect(scraped.value(uses, { key: 'encryption', generation: 'previous' })).toBe(1);
    expect(scraped.value(uses, { key: 'encryption', generation: 'current' })).toBe(0);
    expect(await signings('previous')).toBe(signedBefore.previous + 1);
    expect(await signings('current')).toBe(signedBefore.current);
    expect(scraped.values('target_info', 'service_name')).toEqual(['queue-function']);
    expect(new Set(await servicesIn(program))).toEqual(new Set(['queue-function']));
    for (const secret of [encryption, PREVIOUS_SECRET ?? '']) expect(scraped.text).not.toContain(secret);
  });

  it('says which port it would need, and does not start, where somebody else has that of METRICS_PORT', async () => {
    const other = createServer();
    const port = await listenOnLoopback(other);
    try {
      const ended = await programs.run(['dist/queue-function.js'], {
        ...PRODUCTION_ENVIRONMENT,
        LOG_LEVEL: 'info',
        REDIS_URL: redis.url,
        GATEWAY_URL: proxy.environment.GATEWAY_URL,
        METRICS_PORT: String(port),
      });
      expect(ended).toMatchObject({ code: 1, stderr: '' });
      const failures = ended.stdout.split('\n').filter((line) => line.includes('program.start_failed'));
      expect(failures).toHaveLength(1);
      expect(JSON.parse(failures[0] ?? '')).toEqual({
        level: 'fatal',
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        service: 'queue-function',
        version: expect.any(String),
        event: 'program.start_failed',
        program: 'queue-function',
        reason: expect.stringContaining(`cannot listen on port ${port} of 127.0.0.1 (set by METRICS_PORT and HOST)`),
      });
      expect(ended.stdout).not.toContain('queue_function.consuming');
    } finally {
      other.close();
    }
  });

  it('comes again after as many 409 and 503 as it gets: they are delays, not attempts', async () => {
    const busy = { status: 409, headers: { 'retry-after': '1' } };
    const away = { status: 503, headers: { 'retry-after': '1' } };
    proxy.answer(busy, away, busy, 'forward');
    await start({ QUEUE_MAX_ATTEMPTS: '1' });
    const jobId = await order('after delays');
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    const times = proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId).map(({ at }) => at);
    expect(times).toHaveLength(4);
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(900);
  });

  it('finishes what it has in hand when it is asked to stop, and takes nothing new', async () => {
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const program = await start();
    const first = await order('in hand');
    await hold.held();
    program.signal('SIGTERM');
    await waitFor('the signal to be heard', async () => (await program.output()).includes('program.stopping'));
    const second = await order('left for others');
    hold.release();
    await waitFor('the program to end', () => !program.isRunning());
    expect(program.exitCode()).toBe(0);
    expect(await pollJob(gateway, 'mobiles', first)).toMatchObject({ completed: true, status: 'Success' });
    expect(await pollJob(gateway, 'mobiles', second)).toMatchObject({ state: 'PENDING' });
    await start();
    expect(await finishedJob(gateway, 'mobiles', second)).toMatchObject({ status: 'Success' });
  });

  it('hands over what takes longer than SHUTDOWN_DRAIN_SECONDS, which uses up no attempt', async () => {
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const leaving = await start({ QUEUE_MAX_ATTEMPTS: '1', SHUTDOWN_DRAIN_SECONDS: '1' });
    const jobId = await order('handed over');
    await hold.held();
    leaving.signal('SIGTERM');
    // It would take 25 s by default.
    await waitFor('the program to end', () => !leaving.isRunning(), 20_000);
    expect(leaving.exitCode()).toBe(0);
    const callsBefore = proxy.calls.length;
    await start({ QUEUE_MAX_ATTEMPTS: '1' });
    // Nobody waits for the lock of the program that has left, which lasts for half a minute.
    await waitFor('the message to be delivered again', () => proxy.calls.length > callsBefore, 20_000);
    hold.release();
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    const done = gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === 'handed over');
    expect(done).toHaveLength(1);
  });
});
