import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it, jest } from '@jest/globals';
import { Queue } from 'bullmq';
import { ServiceUnavailableError } from '../../src/base/errors.js';
import { createBullMqQueue } from '../../src/jobs/engines/redis/bullmq-queue.js';
import { FORMAT } from '../../src/jobs/record/stored-fields.js';
import {
  MAX_WAIT_MS,
  type Delivery,
  type Disposition,
  type JobMessage,
  type QueueConsumer,
} from '../../src/jobs/record/job-queue.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { REDIS_ACL } from '../../src/jobs/engines/redis/redis-faults.js';
import { RedisJobStore } from '../../src/jobs/engines/redis/job-store.js';
import { RecordedJobs } from '../../src/jobs/engines/redis/recorded-jobs.js';
import { captureLog } from '../support/captured-log.js';
import { listenOnLoopback } from '../support/loopback.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, forEachTest } from '../support/resources.js';
import { claimed, claimRequest, jobMessage } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { deferred, succeeds, waitFor } from '../support/wait-for.js';

/** Never met by a server that answers, however busy the machine is. */
const COMMAND_TIMEOUT_MS = 30_000;
/** Short, because the end of a lock is waited for; long enough to be renewed on a busy machine. */
const LOCK_MS = 3_000;
/** Every key but those of BullMQ. */
const OTHER_KEYS = ['~job:*', '~jobs:*', '~{gateway}:unfinished', '~{gateway}:organisations'];

describeWith(['redis-server'], 'A queue on BullMQ, where no script may touch two slots,', () => {
  // A node of a Cluster takes two seconds to start.
  const server = forAllTests(() => startRedis({ appendOnly: true, cluster: true }));
  beforeEach(async () => {
    server.resume();
    if (!server.isRunning()) await server.restart();
    await server.call('CONFIG', 'SET', 'maxmemory', '0', 'min-replicas-to-write', '0');
    await server.call('ACL', 'SETUSER', 'default', '~*', '+@all');
    await server.call('CONFIG', 'RESETSTAT');
    await server.call('FLUSHALL');
  });
  const log = forEachTest(captureLog);
  const redis = forEachTest(async () => {
    const connection = new RedisConnection({
      url: server.url,
      logger: log.logger,
      commandTimeoutMs: COMMAND_TIMEOUT_MS,
    });
    await connection.ready();
    return connection;
  });
  const store = forEachTest(() => new RedisJobStore({ redis }));
  const queue = forEachTest(() =>
    createBullMqQueue({
      redis,
      store,
      logger: log.logger,
      delivery: { maxAttempts: 3, backOffMs: () => 20, lockMs: LOCK_MS },
    }),
  );

  const client = forEachTest(() => server.client());
  /** Uses the queue as BullMQ's own tools do. */
  async function withBull<T>(use: (bull: Queue) => Promise<T>): Promise<T> {
    const connection = server.client();
    const bull = new Queue('jobs', { connection, prefix: '{gateway}' });
    try {
      return await use(bull);
    } finally {
      await bull.close();
      connection.disconnect();
    }
  }

  function consume(handler: (delivery: Delivery) => Promise<Disposition>): QueueConsumer {
    return closeAfterTest(queue.consume(handler, { concurrency: 2 }));
  }

  /** Consumes, says `done` to everything, and shows what came. */
  function consumeAll(): Delivery[] {
    const deliveries: Delivery[] = [];
    consume((delivery) => {
      deliveries.push(delivery);
      return Promise.resolve({ kind: 'done' });
    });
    return deliveries;
  }

  async function die(...jobIds: readonly string[]): Promise<void> {
    const consumer = consume(() => Promise.resolve({ kind: 'dead', reason: 'no use' }));
    for (const jobId of jobIds) await queue.submit(jobMessage(jobId));
    await waitFor('the dead letters', async () => (await queue.deadLetters()).length === jobIds.length);
    await consumer.close();
  }

  /** Loses a queue entry, as a crash between two writes or an operator would. */
  async function lose({ kind, org, jobId }: JobMessage): Promise<void> {
    expect(await withBull((bull) => bull.remove(`${kind}.${org ?? ''}.${jobId}`))).toBe(1);
  }

  it('takes it as the end of a message when Redis has heard of that before', async () => {
    const taken: string[] = [];
    consume(async ({ message: { kind, org, jobId } }) => {
      taken.push(jobId);
      if (jobId === 'job-1') await server.call('DEL', `{gateway}:jobs:${kind}.${org ?? ''}.${jobId}`);
      return { kind: 'done' };
    });
    await queue.submit(jobMessage('job-1'));
    await waitFor('the end to be logged', () => log.text().includes('queue.message_already_ended'));
    await queue.submit(jobMessage('job-2'));
    await waitFor('the next message', () => taken.includes('job-2'));
    expect(log.complaints()).toEqual([]);
  });

  it.each<[how: string, kind: Disposition['kind'], lose: (lock: string) => Promise<unknown>]>([
    ['put off, while another consumer holds it', 'delay', (lock) => server.call('SET', lock, 'another')],
    ['put off, and nobody holds it', 'delay', (lock) => server.call('DEL', lock)],
    ['handled, while another consumer holds it', 'done', (lock) => server.call('SET', lock, 'another')],
    ['tried again, and nobody holds it', 'retry', (lock) => server.call('DEL', lock)],
  ])('says that a message is out of its hands when it is to be %s', async (_how, kind, loseLock) => {
    const { kind: of, org = '', jobId } = jobMessage('job-1');
    const fate = { kind, delayMs: 60_000, reason: 'no use' } as Disposition; // each kind reads what it needs
    consume(async () => {
      await loseLock(`{gateway}:jobs:${of}.${org}.${jobId}:lock`);
      return fate;
    });
    await queue.submit(jobMessage('job-1'));
    await waitFor('its fate to be told', () => log.complaints().length > 0);
    // BullMQ first says that it was handled, and then that this failed.
    expect(new Set(log.complaints())).toEqual(new Set(['queue.message_taken_over']));
    expect(log.text()).toContain('job-1');
  });

  it('says that a message went out of its hands while it was handled, and renews the others', async () => {
    const end = deferred<Disposition>();
    consume(() => end.promise);
    for (const jobId of ['job-1', 'job-2']) await queue.submit(jobMessage(jobId));
    const lockOf = (jobId: string): string => `{gateway}:jobs:mobiles.acme.${jobId}:lock`;
    const leftMs = async (jobId: string): Promise<number> => Number(await server.call('PTTL', lockOf(jobId)));
    const isHeld = async (jobId: string): Promise<boolean> => (await leftMs(jobId)) > 0;
    try {
      await waitFor('both to be taken', async () => (await isHeld('job-1')) && isHeld('job-2'));
      await server.call('SET', lockOf('job-1'), 'another');
      await waitFor('its loss to be told', () => log.complaints().length > 0);
      let before = await leftMs('job-2');
      await waitFor('a renewal', async () => before < (before = await leftMs('job-2')));
      expect(new Set(log.complaints())).toEqual(new Set(['queue.message_taken_over']));
      expect(log.text()).not.toContain('job-2');
    } finally {
      end.resolve({ kind: 'done' });
    }
  });

  it('goes on after a Redis that refused writes, and says that it is well again when it has taken a message', async () => {
    const deliveries = consumeAll();
    await server.call('CONFIG', 'SET', 'min-replicas-to-write', '1');
    await waitFor('the fault to be logged', () => log.complaints().some((fault) => fault.includes('lacks replicas')));
    await server.call('CONFIG', 'SET', 'min-replicas-to-write', '0');
    const { logger } = captureLog();
    const ofGateway = closeAfterTest(new RedisConnection({ url: server.url, logger }));
    const ofStore = new RedisJobStore({ redis: ofGateway });
    const submission = closeAfterTest(
      createBullMqQueue({ redis: ofGateway, store: ofStore, logger, delivery: { maxAttempts: 3 } }),
    );
    await waitFor('the message to be accepted', () => succeeds(submission.submit(jobMessage('job-1'))));
    await waitFor('the message to come', () => deliveries.length === 1);
    expect(log.text()).toContain('"event":"dependency.recovered"');
  });

  it('does not say that a full Redis is well again because of a script that changes nothing', async () => {
    await server.call('CONFIG', 'SET', 'maxmemory', '1');
    await expect(queue.submit(jobMessage('job-1'))).rejects.toThrow(ServiceUnavailableError);
    expect(log.complaints()).toEqual([expect.stringContaining('Redis is full')]);
    expect(await store.renew(jobMessage('unknown'), 'token', 1_000)).toBe('lost');
    expect(log.text()).not.toContain('"event":"dependency.recovered"');
  });

  it('leaves a note of a start whose message Redis refused, which a new start replaces', async () => {
    await server.call('ACL', 'SETUSER', 'default', 'resetkeys', ...OTHER_KEYS);
    await expect(queue.submit(jobMessage('job-1'))).rejects.toThrow(ServiceUnavailableError);
    expect(log.complaints()).toEqual([expect.stringContaining('may not run a command')]);
    expect(await store.read(jobMessage('job-1'))).toBeUndefined();
    expect(await store.claim(jobMessage('job-1'), claimRequest())).toEqual({ outcome: 'refused' });
    await server.call('ACL', 'SETUSER', 'default', '~*');
    expect(await queue.submit(jobMessage('job-1'))).toMatchObject({ isNew: true });
    const deliveries = consumeAll();
    await waitFor('the message', () => deliveries.length === 1);
  });

  it('puts a message of a newer version back without using an attempt, and delivers it once it can be read', async () => {
    await queue.submit(jobMessage('job-1'));
    await withBull(async (bull) => {
      const entry = await bull.getJob('mobiles.acme.job-1');
      const data = entry?.data as object; // as it was submitted
      expect(data).toMatchObject({ format: FORMAT });
      await entry?.updateData({ ...data, format: FORMAT + 1 });
      const deliveries = consumeAll();
      await waitFor('the message to be put back', async () => (await entry?.getState()) === 'delayed');
      expect(deliveries).toEqual([]);
      expect(log.entries()).toContainEqual(
        expect.objectContaining({ event: 'queue.message_of_newer_version', jobId: 'job-1', kind: 'mobiles' }),
      );
      expect(await store.read(jobMessage('job-1'))).toMatchObject({ state: 'pending' });

      await entry?.updateData(data);
      await entry?.promote();
      await waitFor('the message', () => deliveries.length === 1);
      expect(deliveries).toMatchObject([{ attempt: 1, message: { jobId: 'job-1' } }]);
    });
  });

  it('lets its consumer close while Redis is away, as soon as its message is handled', async () => {
    let finish: (() => void) | undefined;
    const consumer = consume(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return { kind: 'delay', delayMs: 10 };
    });
    await queue.submit(jobMessage('job-1'));
    await waitFor('the message to be taken', () => finish !== undefined);
    await server.kill();
    let closed = false;
    const closing = consumer.close().then(() => (closed = true));
    const [dead, sweep] = [() => queue.deadLetters(), () => queue.sweepOrphans({ olderThanMs: 0 })];
    for (const ask of [() => queue.submit(jobMessage('job-2')), dead, sweep])
      await expect(ask()).rejects.toThrow(ServiceUnavailableError);
    expect(closed).toBe(false);
    finish?.();
    await closing;

    await server.restart();
    await redis.ready();
    const deliveries = consumeAll();
    const [again] = await waitFor('the message to come again', () => deliveries.length > 0 && deliveries);
    expect(again).toMatchObject({ message: jobMessage('job-1') });
  });

  it('leaves no connection open if its consumer closes before Redis has answered for the first time', async () => {
    const sockets = new Set<Socket>();
    const silent = closeAfterTest(
      createServer((socket) => {
        sockets.add(socket.resume());
        socket.on('close', () => sockets.delete(socket));
      }),
    );
    const url = `redis://127.0.0.1:${await listenOnLoopback(silent)}`;
    const away = new RedisConnection({ url, logger: log.logger });
    const parts = { redis: away, store: new RedisJobStore({ redis: away }), logger: log.logger };
    const waiting = closeAfterTest(createBullMqQueue({ ...parts, delivery: { maxAttempts: 3 } }));
    const consumer = waiting.consume(() => Promise.resolve({ kind: 'done' }), { concurrency: 1 });
    // That of its commands, that of the consumer, and that by which BullMQ waits for messages.
    await waitFor('the connections', () => sockets.size === 3);
    await consumer.close();
    await away.close();
    await waitFor('all of them to be closed', () => sockets.size === 0);
  });

  it('does not pester a Redis that refuses it, and goes on when it is let in again', async () => {
    await server.call('ACL', 'SETUSER', 'default', 'resetkeys', '~nothing');
    const deliveries = consumeAll();
    await waitFor('the fault to be logged', () => log.complaints().length > 0);
    const commands = async (): Promise<number> => {
      const counts = String(await server.call('INFO', 'commandstats')).matchAll(/(?:calls|rejected_calls)=(\d+)/g);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const [before, startedAt] = [await commands(), performance.now()];
    // A rate needs some time to be measured.
    await delay(2_000);
    const perSecond = ((await commands()) - before) / ((performance.now() - startedAt) / 1_000);
    expect(perSecond).toBeLessThan(20);
    expect(log.complaints()).toEqual([expect.stringContaining('may not run a command')]);

    await server.call('ACL', 'SETUSER', 'default', '~*');
    await queue.submit(jobMessage('job-1'));
    await waitFor('the message', () => deliveries.length === 1);
  });

  it('enqueues a pending job again when its message is missing, and only then', async () => {
    await queue.submit(jobMessage('lost'));
    await lose(jobMessage('lost'));
    await queue.submitAgain(jobMessage('lost'));
    await queue.submitAgain(jobMessage('lost', { payload: 'a copy' }));
    const deliveries = consumeAll();
    await queue.submit(jobMessage('afterwards'));
    await waitFor('the message after it', () => idsOf(deliveries).includes('afterwards'));
    expect(deliveries.map(({ message }) => message.payload)).toEqual(['payload of lost', 'payload of afterwards']);
  });

  it('accepts the repetition of a start that Redis refuses while the message is in the queue', async () => {
    await queue.submit(jobMessage('job-1'));
    await server.call('CONFIG', 'SET', 'maxmemory', '1');
    await queue.submitAgain(jobMessage('job-1'));
    await expect(queue.submitAgain(jobMessage('job-2'))).rejects.toThrow(ServiceUnavailableError);
  });

  it('ends the records of jobs that were lost, and of no other, and none once it has to stop', async () => {
    await queue.submit(jobMessage('lost'));
    await lose(jobMessage('lost'));
    await queue.submit(jobMessage('waiting'));
    expect(await queue.sweepOrphans({ olderThanMs: 60_000 })).toBe(0);
    const stopping = new AbortController();
    server.pause();
    const stopped = queue.sweepOrphans({ olderThanMs: -1, stopping: stopping.signal });
    stopping.abort();
    server.resume();
    expect(await stopped).toBe(0);
    expect(await store.read(jobMessage('lost'))).toMatchObject({ state: 'pending' });
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(1);

    expect(await store.read(jobMessage('lost'))).toMatchObject({ state: 'finished', result: { status: 503 } });
    expect(await store.read(jobMessage('waiting'))).toMatchObject({ state: 'pending' });
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(0);
  });

  it('is asked about all jobs of a sweep before any answer is there', async () => {
    const jobs = Array.from({ length: 50 }, (_, index) => jobMessage(`job-${index}`));
    await Promise.all(jobs.map((job) => queue.submit(job)));
    const answer = deferred();
    let asked = 0;
    const isDeliverable = async (): Promise<boolean> => {
      asked += 1;
      await answer.promise;
      return true;
    };
    const recorded = new RecordedJobs({ redis, store, logger: log.logger, isDeliverable });
    const sweeping = recorded.sweep({ olderThanMs: -1 }, () => Promise.resolve());
    await waitFor('the questions', () => asked === jobs.length);
    answer.resolve();
    expect(await sweeping).toBe(0);
  });

  it('shortens waits that a wrong clock made longer than they can be', async () => {
    consume(() => Promise.resolve({ kind: 'delay', delayMs: 9 * 3_600_000 }));
    await queue.submit(jobMessage('late'));
    await waitFor('the delay', async () => (await queue.queued())?.[0]?.state === 'delayed');
    const member = JSON.stringify({ kind: 'mobiles', org: 'acme', jobId: 'late' });
    await server.call('ZADD', '{gateway}:unfinished', String(Date.now() + 9 * 3_600_000), member);
    expect(await queue.sweepOrphans({ olderThanMs: 60_000 })).toBe(0);
    const [late] = (await queue.queued()) ?? [];
    expect(late?.dueAt).toBeLessThanOrEqual(Date.now() + MAX_WAIT_MS);
    expect(Number(await redis.client.zscore('{gateway}:unfinished', member))).toBeLessThanOrEqual(Date.now());
  });

  it('ends the record of a dead letter that has not ended, unless the job runs', async () => {
    consume(() => Promise.resolve({ kind: 'dead', reason: 'never' }));
    await queue.submit(jobMessage('abandoned'));
    await queue.submit(jobMessage('running'));
    await claimed(store, jobMessage('running'));
    await waitFor('the dead letters', async () => (await queue.deadLetters()).length === 2);
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(1);
    expect(await store.read(jobMessage('abandoned'))).toMatchObject({ state: 'finished' });
    expect(await store.read(jobMessage('running'))).toMatchObject({ state: 'running' });
  });

  it('is swept by one of several at a time, and by another one when that has stopped or died', async () => {
    const another = createBullMqQueue({ redis, store, logger: log.logger, delivery: { maxAttempts: 3 } });
    closeAfterTest(another);
    await queue.submit(jobMessage('lost'));
    await lose(jobMessage('lost'));
    expect(await another.sweepOrphans({ olderThanMs: 60_000 })).toBe(0);
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(0);
    expect(await store.read(jobMessage('lost'))).toMatchObject({ state: 'pending' });
    expect(await redis.client.pttl('{gateway}:sweep')).toBeGreaterThan(0);

    expect(await another.sweepOrphans({ olderThanMs: 60_000, stopping: AbortSignal.abort() })).toBe(0);
    expect(await redis.client.exists('{gateway}:sweep')).toBe(0);
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(1);
  });

  it('is swept although its index holds something that names no job, and a record cannot be read', async () => {
    await server.call('ZADD', '{gateway}:unfinished', '1', 'garbage');
    for (const jobId of ['lost', 'damaged']) {
      await queue.submit(jobMessage(jobId));
      await lose(jobMessage(jobId));
    }
    await server.call('HSET', 'job:{mobiles:acme:damaged}', 'state', 'x');
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(1);
    expect(log.complaints()).toEqual(['queue.orphan_unreadable', 'queue.orphan_unreadable']);
    await server.call('HSET', 'job:{mobiles:acme:damaged}', 'state', 'pending');
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(1);
  });

  it('keeps a dead letter whole whose removal Redis refuses, and drops it when it is asked again', async () => {
    await die('job-1');
    await server.call('ACL', 'SETUSER', 'default', '-del');
    // Within a script, Redis tells a missing right in other words.
    await expect(queue.drop(jobMessage('job-1'))).rejects.toThrow(ServiceUnavailableError);
    expect(log.complaints()).toEqual([expect.stringContaining(`Grant it in the ACL: ${REDIS_ACL}.`)]);
    await server.call('ACL', 'SETUSER', 'default', '+del');
    expect(await queue.deadLetters()).toHaveLength(1);
    expect(await queue.drop(jobMessage('job-1'))).toBe(true);
    expect(await redis.client.keys('{gateway}:jobs:mobiles*')).toEqual([]);
  });

  it('keeps a dead letter that is being replayed from others, and from sweeps for two minutes', async () => {
    await die('job-1');
    await store.fail(jobMessage('job-1'), jobMessage('job-1').described, { status: 500, body: '{}' });
    const [isHeld, crash] = [deferred(), deferred()];
    const crashing = new RedisJobStore({ redis });
    const replay = crashing.replay.bind(crashing);
    crashing.replay = async (job) => {
      await replay(job);
      isHeld.resolve();
      await crash.promise;
      throw new Error('a crash');
    };
    const later = new RedisJobStore({ redis, clockOffsetMs: () => 121_000 });
    const [replaying, sweeping] = [crashing, later].map((each) =>
      closeAfterTest(createBullMqQueue({ redis, store: each, logger: log.logger, delivery: { maxAttempts: 3 } })),
    );
    const replayed = replaying?.replay(jobMessage('job-1'));
    await isHeld.promise;
    expect([await queue.drop(jobMessage('job-1')), await queue.replay(jobMessage('job-1'))]).toEqual([false, false]);
    expect(await queue.sweepOrphans({ olderThanMs: -1 })).toBe(0);
    expect(await store.read(jobMessage('job-1'))).toMatchObject({ state: 'pending' });
    crash.resolve();
    await expect(replayed).rejects.toThrow('a crash');

    await redis.client.del('{gateway}:sweep');
    expect(await sweeping?.sweepOrphans({ olderThanMs: -1 })).toBe(1);
    expect(await store.read(jobMessage('job-1'))).toMatchObject({ state: 'finished', result: { status: 503 } });
    expect(await queue.replay(jobMessage('job-1'))).toBe(true);
    expect(await queue.queued()).toMatchObject([{ jobId: 'job-1', state: 'waiting' }]);
  });

  it('is given an entry that is in no list again when its job is ordered again', async () => {
    const message = jobMessage('job-1');
    await queue.submit(message);
    await redis.client.del('{gateway}:jobs:wait');
    await queue.submitAgain(message);
    await queue.submitAgain(message);
    const deliveries = consumeAll();
    await waitFor('the delivery', () => deliveries.length > 0);
    expect(deliveries).toMatchObject([{ attempt: 1, message }]);
    expect(await queue.load()).toMatchObject({ waiting: 0 });
  });

  it.each<Disposition>([{ kind: 'done' }, { kind: 'dead', reason: 'no use' }])(
    'delivers a message once that ends before its submission has asked what became of it: %j',
    async (disposition) => {
      const taken: string[] = [];
      consume(({ message: { jobId } }) => {
        taken.push(jobId);
        return Promise.resolve(disposition);
      });
      const hasEnded = async (): Promise<boolean> =>
        taken.length > 0 && (await withBull((bull) => bull.getJobCountByTypes('active', 'wait'))) === 0;
      const send = redis.client.sendCommand.bind(redis.client);
      let scripts = 0;
      jest.spyOn(redis.client, 'sendCommand').mockImplementation((command, ...rest) => {
        if (command.name.startsWith('eval')) scripts += 1;
        if (scripts !== 2) return send(command, ...rest);
        void waitFor('the end of the message', hasEnded).then(() => send(command, ...rest));
        return command.promise;
      });
      await queue.submitAgain(jobMessage('job-1'));
      await queue.submitAgain(jobMessage('afterwards'));
      await waitFor('the message after it', () => taken.includes('afterwards'));
      expect(taken).toEqual(['job-1', 'afterwards']);
    },
  );

  it('forgets at a replay that consumers died over a message', async () => {
    await die('job-1');
    await server.call('HSET', '{gateway}:jobs:mobiles.acme.job-1', 'stc', '2');
    expect(await queue.deadLetters()).toMatchObject([{ attempts: 3 }]);

    await queue.replay(jobMessage('job-1'));
    const deliveries = consumeAll();
    await waitFor('the delivery', () => deliveries.length > 0);
    expect(deliveries).toMatchObject([{ attempt: 1, lastAttempt: false }]);
  });

  it('lists its dead letters without loading what their messages carry', async () => {
    await die('job-1', 'job-2');
    const monitor = await client.monitor();
    try {
      const commands: string[] = [];
      monitor.on('monitor', (_time: string, command: readonly string[]) =>
        commands.push(command.join(' ').toLowerCase()),
      );
      const loads = (): string[] => commands.filter((command) => /^hgetall |^hm?get .* data( |$)/.test(command));
      expect(await queue.deadLetters()).toHaveLength(2);
      await client.echo('listed');
      await waitFor('the commands', () => commands.includes('echo listed'));
      expect(commands.filter((command) => command.includes('mobiles.acme.job-'))).toHaveLength(2);
      expect(loads()).toEqual([]);

      await queue.deadMessage(jobMessage('job-1'));
      await waitFor('the message to be loaded', () => loads().length > 0);
    } finally {
      monitor.disconnect();
    }
  });

  it('holds neither the payload in clear nor where an error arose', async () => {
    consume(() => Promise.reject(new Error('the handler broke')));
    await queue.submit(jobMessage('job-1'));
    const [letter] = await waitFor('the dead letter', async () => {
      const letters = await queue.deadLetters();
      return letters.length > 0 && letters;
    });
    expect(letter).toMatchObject({ message: { jobId: 'job-1' }, reason: 'the handler broke', attempts: 3 });
    const stored = await client.hgetall('{gateway}:jobs:mobiles.acme.job-1');
    expect(JSON.parse(stored['data'] ?? '')).toEqual({
      ...jobMessage('job-1'),
      format: FORMAT,
      failedAt: expect.any(Number),
    });
    expect(stored['stacktrace']).toBe('[]');
  });
});

function idsOf(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ message: { jobId } }) => jobId);
}
