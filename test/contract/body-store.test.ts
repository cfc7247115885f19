import { describe, expect, it } from '@jest/globals';
import { PutBucketLifecycleConfigurationCommand } from '@aws-sdk/client-s3';
import type { BodyStore } from '../../src/objects/object-store.js';
import { createFileBodyStore } from '../../src/objects/files/file-object-store.js';
import { createS3BodyStore } from '../../src/objects/s3/s3-object-store.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { startRadosgw } from '../support/radosgw.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';

const KEY = 'job-bodies/0123456789abcdef/1';
const LARGE = 'eyJhbGciOiJkaXIi'.repeat(400_000);
const logger = createLogger({ level: 'silent' });

/** Registers the tests that every store of large bodies must pass, within the `describe` of the caller. */
function bodyStoreContract(open: () => BodyStore): void {
  it('gives back what was put under a key, until it is removed', async () => {
    const store = open();
    expect(await store.get(KEY)).toBeUndefined();
    await store.put(KEY, LARGE);
    expect(await store.get(KEY)).toBe(LARGE);
    await store.put(KEY, 'another');
    expect(await store.get(KEY)).toBe('another');
    await store.remove(KEY);
    expect(await store.get(KEY)).toBeUndefined();
    await store.remove(KEY);
    store.close();
  });

  it('keeps the bodies of different keys apart', async () => {
    const store = open();
    await store.put(KEY, 'one');
    await store.put(`${KEY}1`, 'other');
    await store.remove(KEY);
    expect(await store.get(`${KEY}1`)).toBe('other');
    store.close();
  });
}

describe('Large bodies in files', () => {
  const directory = forAllTests(temporaryDirectory);

  const open = (): BodyStore => createFileBodyStore({ directory: directory.path, logger });
  bodyStoreContract(open);

  it('say what is wrong with their directory', async () => {
    expect(await open().check()).toEqual([]);
    const faults = await createFileBodyStore({ directory: '/proc/nowhere', logger }).check();
    expect(faults).toHaveLength(1);
  });
});

describeWith(['radosgw', 'ceph-mon', 'ceph-osd'], 'Large bodies in S3', () => {
  const bucket = 'bodies';
  const s3 = forAllTests(() => startRadosgw(bucket));

  const open = (): BodyStore => createS3BodyStore(s3.storeOptions(bucket, logger));
  bodyStoreContract(open);

  it('are asked to have a lifecycle rule for what jobs leave', async () => {
    const store = open();
    expect(await store.check()).toEqual([expect.stringMatching(/^No lifecycle rule .*job-bodies\/.* 8 days/)]);
    const client = s3.client();
    const Rules = [
      { ID: 'bodies', Status: 'Enabled', Filter: { Prefix: 'job-bodies/' }, Expiration: { Days: 8 } } as const,
    ];
    await client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules } }),
    );
    client.destroy();
    expect(await store.check()).toEqual([]);
    store.close();
  });
});
