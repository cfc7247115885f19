import { AbortMultipartUploadCommand, CreateMultipartUploadCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { requireObjectKey } from '../object-key.js';
import type { ObjectStore, PutOptions } from '../object-store.js';
import { WatchedStore } from '../store-fault.js';
import type { StoreProbe } from '../store-probe.js';
import { downloadLink } from './download-link.js';
import { FailedUploads } from './failed-uploads.js';
import { s3FaultOf } from './faults.js';
import { lifecycleFaults } from './lifecycle.js';
import { createS3Client, type S3ClientOptions } from './s3-client.js';
import { UploadFailedError, uploadStream } from './upload.js';

/** Where and how objects are kept. */
export interface S3ObjectStoreOptions extends S3ClientOptions {
  readonly bucket: string;
}

/** An object store that holds connections. */
export interface S3ObjectStore extends ObjectStore {
  /**
   * Checks at start-up that the bucket can be read and written, and what is removed from it in time; leaves nothing in
   * it.
   *
   * @returns one line per fault, with what to change; empty when all is well
   */
  check(): Promise<readonly string[]>;
  /** Starts an upload and takes it back. */
  readonly probe: StoreProbe;
  /** Takes back what is left of failed uploads, if the server can within 2 s, and closes idle connections. */
  close(): Promise<void>;
}

/** Key of the upload that a check starts and takes back. */
export const PROBE_KEY = 'gateway-check';

/**
 * Objects in an S3 bucket. Bodies of unknown length go up in parts; an upload that fails or is aborted takes
 * its parts back. What a killed process leaves is for a lifecycle rule of the bucket
 * (AbortIncompleteMultipartUpload).
 */
export function createS3ObjectStore(options: S3ObjectStoreOptions): S3ObjectStore {
  const { bucket } = options;
  const client = createS3Client(options);
  const store = new WatchedStore(options.logger, s3FaultOf);
  const failedUploads = new FailedUploads(client, bucket);

  async function ping(): Promise<void> {
    // Unlike HeadBucket, the reply of a refusal says why.
    await store.ask('reading', () => client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })));
  }

  async function startAndTakeBack(): Promise<void> {
    const probe = { Bucket: bucket, Key: PROBE_KEY };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(probe));
    try {
      await client.send(new AbortMultipartUploadCommand({ ...probe, UploadId }));
    } catch (error) {
      if (UploadId !== undefined) failedUploads.add(PROBE_KEY, UploadId);
      throw error;
    }
    // Nobody who asks whether the bucket can be used waits for what failed before.
    void failedUploads.takeBack();
  }

  return {
    async put(key, source, { contentType, signal }: PutOptions) {
      requireObjectKey(key);
      try {
        const size = await uploadStream(client, { bucket, key, contentType }, source, failedUploads, signal);
        store.served('writing');
        await failedUploads.takeBack();
        return { size };
      } catch (error) {
        throw error instanceof UploadFailedError ? store.failed('writing', error.cause) : error;
      }
    },
    async downloadUrl(key, { expiresInMs, downloadName }) {
      requireObjectKey(key);
      // Made without asking the server, so one that is made says nothing of it.
      return downloadLink(client, { bucket, key, expiresInMs, downloadName }).catch((error: unknown) => {
        throw store.failed('reading', error);
      });
    },
    ping,
    probe: { ping, write: () => store.ask('writing', startAndTakeBack), isInDoubt: () => store.isInDoubt() },
    async check() {
      try {
        await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }));
        await startAndTakeBack();
        return await lifecycleFaults(client, bucket);
      } catch (error) {
        return [s3FaultOf(error)];
      }
    },
    async close() {
      await failedUploads.takeBack();
      client.destroy();
    },
  };
}
