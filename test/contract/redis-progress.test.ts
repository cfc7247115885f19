import { beforeEach, expect, it } from '@jest/globals';
import type { JobIdentity, JobRecord } from '../../src/jobs/record/job-record.js';
import { MAX_AHEAD_MS, type Progress } from '../../src/jobs/record/job-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { forAllTests, forEachTest } from '../support/resources.js';
import { claimed } from '../support/stored-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { succeeds, waitFor } from '../support/wait-for.js';
import { openOnRedis } from './redis-engine.js';

const JOB: JobIdentity = { kind: 'mobiles', org: 'acme', jobId: 'job-1' };

const KEY = 'job:{mobiles:acme:job-1}';

const progress = (done: number, changes: Partial<Progress> = {}): Progress => ({
  done,
  checkpoint: `[${done}]`,
  repeatable: true,
  ...changes,
});

describeWith(['redis-server'], 'Progress on a Redis that flushes each write to its disk', () => {
  const server = forAllTests(() => startRedis({ appendOnly: true, args: ['--repl-diskless-sync-delay', '0'] }));
  const client = forAllTests(() => server.client());
  const subject = forEachTest(() => openOnRedis(server));
  let token: string;

  beforeEach(async () => {
    ({ fencingToken: token } = await claimed(subject.store, JOB, { leaseMs: 600_000, retentionMs: 3_600_000 }));
  });

  const appendedBytes = async (): Promise<number> =>
    Number(/aof_current_size:(\d+)/.exec(await client.info('persistence'))?.[1]);

  /** Resolves to whether it was appended to what survives the failure of the machine. */
  const note = async (noted: Progress): Promise<boolean> => {
    const before = await appendedBytes();
    expect(await subject.store.checkpoint(JOB, token, noted)).toBe('held');
    return (await appendedBytes()) > before;
  };

  /** Notes progress until some of it is not appended: on a busy machine any may come too late for that. */
  const noteAhead = async (): Promise<number> => {
    let done = 0;
    await waitFor('progress that is not appended', async () => {
      await note(progress((done += 1)));
      return !(await note(progress((done += 1))));
    });
    return done;
  };

  const read = async (): Promise<JobRecord> => {
    const record = await subject.store.read(JOB);
    if (record === undefined) throw new Error('There is no record.');
    return record;
  };

  it('is appended to its file at first and then after a while, when it is repeatable, and is always seen', async () => {
    expect(await note(progress(1))).toBe(true);
    const done = await noteAhead();
    expect(await read()).toMatchObject({ done, checkpoint: `[${done}]` });
    await subject.passTime(MAX_AHEAD_MS);
    expect(await note(progress(done + 1))).toBe(true);
    expect(await read()).toMatchObject({ done: done + 1, checkpoint: `[${done + 1}]` });
  });

  it.each([
    ['it is not repeatable', { repeatable: false }],
    ['an item has an outcome of its own', { items: [{ index: 0, failure: 'refused' }] }],
    ['the clock was set back', {}, -3_600_000],
  ])('is appended at once where %s', async (_what, changes, clockMs = 0) => {
    const done = await noteAhead();
    await subject.passTime(clockMs);
    expect(await note(progress(done + 1, changes))).toBe(true);
  });

  it('goes on from what was appended, under the same lease, when the machine of Redis failed', async () => {
    let ahead = 0;
    // On a busy machine the progress may be appended before the failure.
    await waitFor('a failure before the progress is appended', async () => {
      ahead = await noteAhead();
      await server.restart();
      await waitFor('the store to be connected', () => succeeds(subject.store.ping()));
      return (await read()).done < ahead;
    });
    const { done, checkpoint, lease } = await read();
    expect(checkpoint).toBe(`[${done}]`);
    expect(lease?.fencingToken).toBe(token);
    expect(await subject.store.checkpoint(JOB, token, progress(ahead + 1))).toBe('held');
    expect(await read()).toMatchObject({ done: ahead + 1 });
  });

  it('is appended before a pause, so that a failure of the machine in it takes nothing back', async () => {
    const [done, before] = [await noteAhead(), await appendedBytes()];
    await waitFor('the progress to be appended', async () => (await appendedBytes()) > before);
    await server.restart();
    await waitFor('the store to be connected', () => succeeds(subject.store.ping()));
    expect(await read()).toMatchObject({ done, checkpoint: `[${done}]` });
    await subject.store.finish(JOB, token, { status: 200, body: '{}' });
  });

  it('reaches a replica at once, appended or not', async () => {
    const replica = await startRedis();
    const copy = replica.client();
    try {
      await copy.replicaof(...primaryOf(server));
      await waitFor('the replica to have the record', async () => (await copy.hget(KEY, 'state')) === 'running');
      const done = await noteAhead();
      await waitFor('the replica to have the progress', async () => (await copy.hget(KEY, 'done')) === String(done));
    } finally {
      copy.disconnect();
      await replica.stop();
    }
  });

  it('leaves nothing in the record of a job that has ended', async () => {
    await noteAhead();
    expect(await client.hkeys(KEY)).toContain('appended_at');
    await subject.store.finish(JOB, token, { status: 200, body: '{}' });
    expect(await client.hkeys(KEY)).not.toContain('appended_at');
  });
});

function primaryOf({ url }: RedisServer): [host: string, port: number] {
  const { hostname, port } = new URL(url);
  return [hostname, Number(port)];
}
