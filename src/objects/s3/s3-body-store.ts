import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { BODY_CONTENT_TYPE, type BodyStore } from '../object-store.js';
import { WatchedStore } from '../store-probe.js';
import { s3FaultOf } from './s3-faults.js';
import { bodyLifecycleFaults } from './lifecycle.js';
import { createS3Client, type S3ClientOptions } from './s3-client.js';

/** Stores large bodies as objects of the bucket. A lifecycle rule of the bucket removes those that jobs leave. */
export function createS3BodyStore(options: S3ClientOptions): BodyStore {
  const client = createS3Client(options);
  const store = new WatchedStore(options.logger, s3FaultOf);
  const { bucket: Bucket } = options;

  return {
    put: async (Key, text) => {
      const object = { Bucket, Key, Body: Buffer.from(text), ContentType: BODY_CONTENT_TYPE };
      await store.ask('writing', () => client.send(new PutObjectCommand(object)));
    },
    get: (Key) =>
      store.ask('reading', async () => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
          return await Body?.transformToString();
        } catch (error) {
          if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
          throw error;
        }
      }),
    remove: async (Key) => {
      await store.ask('reading', () => client.send(new DeleteObjectCommand({ Bucket, Key })));
    },
    check: () =>
      store.check(async () => {
        await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }));
        return bodyLifecycleFaults(client, Bucket, options.retentionDays);
      }),
    close: () => client.destroy(),
  };
}
