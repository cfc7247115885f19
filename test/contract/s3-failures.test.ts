import {
  CreateBucketCommand,
  DeleteBucketLifecycleCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectLockConfigurationCommand,
  type LifecycleRule,
  type LifecycleRuleFilter,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../src/base/errors.js';
import type { ReportStore } from '../../src/objects/object-store.js';
import type { S3ClientOptions } from '../../src/objects/s3/s3-client.js';
import { createS3BodyStore, S3ObjectStore } from '../../src/objects/s3/s3-object-store.js';
import { captureLog, type CapturedLog } from '../support/captured-log.js';
import { bytesInUse, settledBytesInUse } from '../support/memory.js';
import { startRadosgw } from '../support/radosgw.js';
import { forAllTests } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { succeeds, waitFor } from '../support/wait-for.js';

const MEBIBYTE = 1024 * 1024;
/** For servers that hang. A part that is only slow has three attempts of this length. */
const SHORT_TIMEOUT_MS = 2_000;

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], 'Objects on S3', () => {
  const server = forAllTests(startRadosgw);
  const behind = forAllTests(() => server.client());
  let log: CapturedLog;
  let store: ReportStore;
  /** One for each test, which does not see what a failed test left behind. */
  let bucket: string;
  let buckets = 0;
  const opened: ReportStore[] = [];

  function open(options: Partial<S3ClientOptions> = {}): ReportStore {
    const opening = new S3ObjectStore({ ...server.storeOptions(bucket, log.logger), ...options });
    opened.push(opening);
    return opening;
  }

  beforeEach(async () => {
    // A test that failed may have left it paused or dead.
    await server.recover();
    buckets += 1;
    bucket = `reports-${buckets}`;
    await server.createBucket(bucket);
    log = captureLog();
    store = open();
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  const uploadsUnderWay = async (): Promise<string[]> => {
    const { Uploads = [] } = await behind.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    return Uploads.map(({ Key = '' }) => Key);
  };
  const setRules = async (Filter: LifecycleRuleFilter, rule: Partial<LifecycleRule>): Promise<void> => {
    const Rules = [{ ID: 'rule', Status: 'Enabled' as const, Filter, ...rule }];
    const LifecycleConfiguration = { Rules };
    await behind.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }));
  };
  const storedKeys = async (): Promise<string[]> => {
    const { Contents = [] } = await behind.send(new ListObjectsV2Command({ Bucket: bucket }));
    return Contents.map(({ Key = '' }) => Key);
  };

  async function waitUntilServed(by: ReportStore): Promise<void> {
    await waitFor('the store to serve', () => succeeds(by.put('next', chunks(10))));
  }

  it('go up in parts with flat memory', async () => {
    const size = 120 * MEBIBYTE;
    let most = 0;
    async function* watched(): AsyncGenerator<Uint8Array> {
      let sent = 0;
      for await (const chunk of chunks(size)) {
        sent += chunk.length;
        if (sent % (20 * MEBIBYTE) === 0) most = Math.max(most, bytesInUse());
        yield chunk;
      }
    }
    const before = await settledBytesInUse();
    const { signal } = new AbortController();
    expect(await store.put('large', watched(), signal)).toEqual({ size });
    const stored = await behind.send(new HeadObjectCommand({ Bucket: bucket, Key: 'large' }));
    expect(stored.ContentLength).toBe(size);
    expect(most).toBeGreaterThan(before);
    expect(most - before).toBeLessThan(size / 3);
  });

  it('go up with checksums to a server that has them', async () => {
    const careful = open({ checksums: 'WHEN_SUPPORTED' });
    expect(await careful.put('checked', chunks(6 * MEBIBYTE))).toEqual({ size: 6 * MEBIBYTE });
    expect(await careful.put('checked-small', chunks(10))).toEqual({ size: 10 });
  });

  it.each<[how: string, harm: () => unknown, mend: () => unknown, fault: RegExp]>([
    ['is killed', () => server.kill(), () => server.restart(), /(cannot be reached|hung up).*Check S3_ENDPOINT/],
    ['hangs', () => server.pause(), () => server.resume(), /does not answer in time/],
  ])(
    'fail in time when the server %s in the middle, and are no objects when it is back',
    async (_how, harm, mend, fault) => {
      const hasty = open({ requestTimeoutMs: SHORT_TIMEOUT_MS });
      let isHarmed = false;
      async function* interrupted(): AsyncGenerator<Uint8Array> {
        yield* chunks(12 * MEBIBYTE);
        await waitFor('parts to be under way', async () => (await uploadsUnderWay()).includes('interrupted'));
        await harm();
        isHarmed = true;
        yield* chunks(12 * MEBIBYTE);
      }
      await expect(hasty.put('interrupted', interrupted())).rejects.toThrow(ServiceUnavailableError);
      expect(isHarmed).toBe(true);
      expect(log.complaints()).toEqual([expect.stringMatching(fault)]);
      await mend();
      await waitUntilServed(hasty);
      expect(log.text()).toContain('dependency.recovered');
      expect(await storedKeys()).not.toContain('interrupted');
    },
  );

  it('are refused in time by a server that hangs', async () => {
    const hasty = open({ requestTimeoutMs: SHORT_TIMEOUT_MS });
    server.pause();
    // Without a time-out there would be no answer at all.
    await expect(hasty.probe.ping()).rejects.toThrow(ServiceUnavailableError);
    expect(log.complaints()).toEqual([expect.stringContaining('does not answer in time')]);
    server.resume();
    await waitFor('the store to serve', () => succeeds(hasty.probe.ping()));
  });

  it('that may be written and not read fail readiness and the check, and one object is written for it', async () => {
    const Bucket = bucket;
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await behind.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    const versions = async (): Promise<(string | undefined)[]> => {
      const { Versions = [], DeleteMarkers = [] } = await behind.send(new ListObjectVersionsCommand({ Bucket }));
      return [...Versions, ...DeleteMarkers].map(({ Key }) => Key);
    };
    const fault = /^Reports can be stored but not read, so their links fail\. The S3 credentials .*s3:GetObject/;
    await store.probe.write();
    await waitFor('the object', async () => (await versions()).length > 0);
    await server.deny('s3:GetObject', bucket);
    const restarted = open();
    await waitFor('the refusal', async () => !(await succeeds(restarted.probe.ping())));
    await expect(restarted.probe.ping()).rejects.toThrow(fault);
    // Nothing else is in doubt, so reports are made.
    await expect(restarted.probe.write()).rejects.toThrow(fault);
    expect(restarted.probe.isInDoubt()).toBe(false);
    await restarted.put('report', chunks(10));
    expect(log.complaints()).toEqual([expect.stringMatching(fault)]);
    expect(log.text()).toContain('objects.unreadable');
    expect(await restarted.check()).toContainEqual(expect.stringMatching(fault));

    await server.allow(bucket);
    // The right to delete is not needed.
    await server.deny('s3:DeleteObject', bucket);
    const recovered = open();
    await recovered.probe.write();
    expect((await recovered.check()).filter((line) => !line.startsWith('No lifecycle rule'))).toEqual([]);
    expect((await versions()).filter((key) => key !== 'report')).toEqual(['driving-reports/gateway-check']);
  });

  it('are replaced, read and removed in a bucket that locks each version, which nobody may delete', async () => {
    const Bucket = `${bucket}-locked`;
    await behind.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    const DefaultRetention = { Mode: 'COMPLIANCE', Days: 1 } as const;
    const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled', Rule: { DefaultRetention } } as const;
    await behind.send(new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }));
    const locked = open({ bucket: Bucket });
    for (const size of [10, 6 * MEBIBYTE]) await locked.put('report', chunks(size));
    const link = await locked.downloadUrl('report', { expiresInMs: 60_000, downloadName: 'report.pdf' });
    expect((await (await fetch(link)).arrayBuffer()).byteLength).toBe(6 * MEBIBYTE);
    const { Versions = [] } = await behind.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'report' }));
    expect(Versions).toHaveLength(2);
    for (const { VersionId } of Versions) {
      await expect(behind.send(new DeleteObjectCommand({ Bucket, Key: 'report', VersionId }))).rejects.toThrow();
    }
    const bodies = createS3BodyStore(server.storeOptions(Bucket, log.logger));
    await bodies.put('job-bodies/1', 'sealed');
    await bodies.remove('job-bodies/1');
    expect(await bodies.get('job-bodies/1')).toBeUndefined();
    bodies.close();
    expect((await locked.check()).filter((line) => !line.startsWith('No lifecycle rule'))).toEqual([]);
    expect(log.complaints()).toEqual([]);
  });

  it('are checked for at start-up without leaving more than the object of readiness', async () => {
    await setRules(
      { Prefix: '' },
      { Expiration: { Days: 30 }, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
    );
    const before = await storedKeys();
    expect(await store.check()).toEqual([]);
    expect(await storedKeys()).toEqual(['driving-reports/gateway-check', ...before]);
    expect(await uploadsUnderWay()).toEqual([]);
    expect(await open({ retentionDays: 366 }).check()).toEqual([
      expect.stringMatching(/removes reports after 30 days, and REPORT_RETENTION_DAYS is 366\. .* after 366 days/),
    ]);
    const onDate = { Expiration: { Date: new Date('2099-01-01T00:00:00Z') } };
    await setRules({ Prefix: '' }, { ...onDate, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } });
    expect(await store.check()).toEqual([
      expect.stringMatching(/removes reports on 2099-01-01, whatever their age, and REPORT_RETENTION_DAYS is 8\./),
      expect.stringMatching(/^No lifecycle rule .* removes old reports\./),
    ]);
  });

  it('are kept for ever without a lifecycle rule, which the check says', async () => {
    const advice = expect.stringMatching(/No lifecycle rule .*driving-reports\/.* 8 days/);
    const remains = expect.stringMatching(/No lifecycle rule .*AbortIncompleteMultipartUpload/);
    await behind.send(new DeleteBucketLifecycleCommand({ Bucket: bucket }));
    expect(await store.check()).toEqual([advice, remains]);
    await setRules({ Prefix: 'something-else/' }, { Expiration: { Days: 8 } });
    expect(await store.check()).toEqual([advice, remains]);
    await setRules({ Prefix: 'driving-reports/org/' }, { Expiration: { Days: 8 } });
    expect(await store.check()).toEqual([advice, remains]);
    await setRules({ Prefix: 'driving-reports/' }, { Expiration: { Days: 8 } });
    expect(await store.check()).toEqual([remains]);
    await setRules({ Prefix: 'driving' }, { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } });
    expect(await store.check()).toEqual([advice]);
  });

  it.each<[string, () => Partial<S3ClientOptions>, RegExp]>([
    [
      'a wrong secret key',
      () => ({ credentials: { accessKeyId: server.accessKeyId, secretAccessKey: 'not-the-secret' } }),
      /secret key does not belong to the access key.*AWS_SECRET_ACCESS_KEY/,
    ],
    [
      'an unknown access key',
      () => ({ credentials: { accessKeyId: 'AKNOBODY', secretAccessKey: 'not-the-secret' } }),
      /does not know the access key.*AWS_ACCESS_KEY_ID/,
    ],
    [
      'missing credentials',
      () => ({ credentials: () => Promise.reject(new NoCredentials('none')) }),
      /no S3 credentials/,
    ],
    ['a bucket that does not exist', () => ({ bucket: 'nowhere-to-be-found' }), /bucket does not exist.*S3_BUCKET/],
    ['a server that does not exist', () => ({ endpoint: 'http://127.0.0.1:1' }), /cannot be reached.*S3_ENDPOINT/],
  ])('name %s and what to change', async (_fault, options, cure) => {
    const wrong = open(options());
    expect(await wrong.check()).toEqual([expect.stringMatching(cure)]);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(wrong.put('never', chunks(10))).rejects.toMatchObject({
        code: 'ServiceUnavailable',
        message: expect.not.stringMatching(cure),
        cause: expect.objectContaining({ message: expect.stringMatching(cure) }),
      });
    }
    expect(log.complaints()).toEqual([expect.stringMatching(cure)]);
    expect(log.text()).not.toContain('not-the-secret');
    expect(await storedKeys()).not.toContain('never');
  });
});

class NoCredentials extends Error {
  override readonly name = 'CredentialsProviderError';
}

async function* chunks(size: number): AsyncGenerator<Uint8Array> {
  const chunkSize = 64 * 1024;
  for (let sent = 0; sent < size; sent += chunkSize) {
    await new Promise(setImmediate);
    yield Buffer.alloc(Math.min(chunkSize, size - sent), sent % 251);
  }
}
