import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { expect } from '@jest/globals';
import { Queue } from 'bullmq';
import { jobRecordKey } from '../../src/job-record/job-record.js';
import { parseIdentity } from '../../src/job-record/stored-message.js';
import { PROBE_KEY } from '../../src/objects/s3/s3-object-store.js';
import { QUEUE_NAME } from '../../src/engines/redis/bullmq-settings.js';
import { KEY_PREFIX } from '../../src/engines/redis/key-prefix.js';
import type { RedisServer } from '../support/redis-server.js';
import { waitFor } from '../support/wait-for.js';
import type { Site } from './site.js';

const IN_TIME_MS = 300_000;

/**
 * Waits until the queue holds no job that has not ended, and no dead letter. What a killed queue function had in hand
 * stays there until its lock has run out (30 s), even when the job has ended long ago.
 *
 * @param empty wait for that as well
 */
export async function expectQueueSettled(redis: RedisServer, { empty }: { readonly empty: boolean }): Promise<void> {
  const connection = redis.client();
  const queue = new Queue(QUEUE_NAME, { connection, prefix: KEY_PREFIX });
  try {
    await waitFor(
      'the queue to settle',
      async () => {
        const messages = await queue.getJobs(['wait', 'active', 'delayed', 'prioritized']);
        if (empty) return messages.length === 0;
        const states = await Promise.all(
          messages.map((message) => connection.hget(jobRecordKey(parseIdentity(message.data)), 'state')),
        );
        return states.every((state) => state === 'finished');
      },
      IN_TIME_MS,
    );
    expect(await queue.getFailed()).toEqual([]);
  } finally {
    await queue.close();
    connection.disconnect();
  }
}

/**
 * Nothing of an upload stays in the bucket except of reports and probes that a killed gateway had begun, which the
 * lifecycle rule of the bucket would remove.
 */
export async function expectNothingLeft({ fleet, s3 }: Pick<Site, 'fleet' | 's3'>, bucket: string): Promise<void> {
  const client = s3.client();
  const { Uploads = [] } = await client
    .send(new ListMultipartUploadsCommand({ Bucket: bucket }))
    .finally(() => client.destroy());
  const killed = await fleet.logOfKilled();
  const begun = killed.filter((line) => line.includes('"event":"job.started"')).join('\n');
  const probes = Uploads.filter(({ Key }) => Key === PROBE_KEY);
  // A gateway makes one at a time.
  const gateways = killed.filter((line) => line.includes('"event":"gateway.listening"'));
  expect(probes.length).toBeLessThanOrEqual(gateways.length);
  const unexplained = Uploads.filter((upload) => !probes.includes(upload)).filter(({ Key = '' }) => {
    const jobId = /([^/]+)\.pdf$/.exec(Key)?.[1];
    return jobId === undefined || !begun.includes(`"jobId":"${jobId}"`);
  });
  expect(unexplained).toEqual([]);
}
