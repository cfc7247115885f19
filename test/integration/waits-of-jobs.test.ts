/** Counts of the flushes of the disk, and of the answers of Redis, that an order and a job wait for in a row. */
import fs from 'node:fs';
import { afterEach, expect, it } from '@jest/globals';
import { loadProduct } from '../support/built-programs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import { waitFor } from '../support/wait-for.js';

/** How long each wait takes; all else takes less together, in one of several tries. */
const WAIT_MS = 300;
const TRIES = 5;

const rename = [{ id: 1, name: 'Renamed' }];

/** Number of waits in the shortest of some times: a busy machine makes the others longer. */
const waitsIn = (times: readonly number[]): number => Math.floor((Math.min(...times) + 10) / WAIT_MS);

/**
 * Counts the waits of an order, and of a job of one item from its delivery to the delivery of the next one.
 *
 * @param idle resolves when an order would not wait for what others have begun
 */
async function waitsOf(gateway: TestGateway, idle = (): unknown => undefined) {
  const bearer = await gateway.bearer();
  const orders: number[] = [];
  const jobIds: string[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    await idle();
    const startedAt = performance.now();
    const { jobId } = await startJob(gateway, 'mobiles', rename, bearer);
    orders.push(performance.now() - startedAt);
    jobIds.push(jobId);
  }
  for (const jobId of jobIds) await finishedJob(gateway, 'mobiles', jobId);
  const ends = gateway.logged().matchAll(/"time":(\d+)[^\n]*"event":"delivery\.done"/g);
  const times = [...ends].map(([, time]) => Number(time));
  expect(times.length).toBeGreaterThanOrEqual(TRIES - 1);
  return { order: waitsIn(orders), job: waitsIn(times.slice(1).map((time, at) => time - (times[at] ?? 0))) };
}

const { fdatasync } = fs;
const replaceFlush = async (flush: object): Promise<void> => {
  Object.assign(fs, flush);
  (await loadProduct()).syncBuiltinESMExports();
};
afterEach(() => replaceFlush({ fdatasync }));

it('on SQLite an order waits for one flush, and a job of one item for two', async () => {
  const flushes = { running: 0, endedAt: 0 };
  const slow = (file: number, done: fs.NoParamCallback): void => {
    flushes.running += 1;
    setTimeout(() => {
      flushes.running -= 1;
      flushes.endedAt = performance.now();
      fdatasync(file, done);
    }, WAIT_MS);
  };
  const isIdle = (): boolean => flushes.running === 0 && performance.now() - flushes.endedAt > WAIT_MS;
  await replaceFlush({ fdatasync: slow });
  const gateway = closeAfterTest(await startTestGateway({ JOBS_CONCURRENCY: '1' }));
  const orders = await waitsOf(gateway, () => waitFor('the disk to be idle', isIdle));
  const jobs = await waitsOf(gateway);
  expect({ order: orders.order, job: jobs.job }).toEqual({ order: 1, job: 2 });
});

describeWith(['redis-server'], 'With jobs in Redis', () => {
  const server = forAllTests(() => startRedis());

  it('an order waits for three answers, and a job of one item for seven: one is for messages older than its end', async () => {
    const proxy = closeAfterTest(await startTcpProxy(Number(new URL(server.url).port)));
    const REDIS_URL = `redis://127.0.0.1:${proxy.port}`;
    const gateway = closeAfterTest(await startTestGateway({ REDIS_URL, JOBS_CONCURRENCY: '1' }));
    // The first of each script is sent again with its text.
    const { jobId } = await startJob(gateway, 'mobiles', rename);
    await finishedJob(gateway, 'mobiles', jobId);
    proxy.set({ answersAfterMs: WAIT_MS });
    expect(await waitsOf(gateway)).toEqual({ order: 3, job: 7 });
  });
});
