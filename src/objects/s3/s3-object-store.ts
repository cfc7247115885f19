import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { Logger } from '../../logger.js';
import { FaultLog } from '../../fault-log.js';
import { parseObjectKey } from '../object-key.js';
import type { ObjectStore, PutOptions } from '../object-store.js';
import { OBJECT_STORE, storeError } from '../store-fault.js';
import { downloadLink } from './download-link.js';
import { FailedUploads } from './failed-uploads.js';
import { s3FaultOf } from './faults.js';
import { lifecycleFaults } from './lifecycle.js';
import { UploadFailedError, uploadStream } from './upload.js';

/** Where and how objects are kept. */
export interface S3ObjectStoreOptions {
  readonly bucket: string;
  readonly region: string;
  /** `http:` or `https:` URL of the server; Amazon's own when left out. */
  readonly endpoint?: string;
  /** The bucket's name stands in the path instead of the host name; most servers but Amazon's want that. */
  readonly forcePathStyle?: boolean;
  readonly logger: Logger;
  /** Left out: the AWS SDK's own chain (environment, files, roles). */
  readonly credentials?: S3ClientConfig['credentials'];
  /**
   * Whether requests carry checksums wherever possible or only where S3 demands them, for servers that lack
   * them. By default wherever possible at Amazon, and where demanded at any other endpoint.
   */
  readonly checksums?: 'WHEN_SUPPORTED' | 'WHEN_REQUIRED';
  /** Longest time of one request, in milliseconds; 30,000 by default. */
  readonly requestTimeoutMs?: number;
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
  /** Starts an upload and takes it back. @throws as the other methods */
  probeWrite(): Promise<void>;
  /** Takes back what is left of failed uploads, if the server can within 2 s, and closes idle connections. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 30_000;
const ATTEMPTS = 3;
/** Key of the upload that a check starts and takes back. */
const PROBE_KEY = 'gateway-check';

/**
 * Objects in an S3 bucket. Bodies of unknown length go up in parts; an upload that fails or is aborted takes
 * its parts back. What a killed process leaves is for a lifecycle rule of the bucket
 * (AbortIncompleteMultipartUpload).
 */
export function createS3ObjectStore(options: S3ObjectStoreOptions): S3ObjectStore {
  const { bucket } = options;
  const client = createClient(options);
  const faults = new FaultLog(options.logger, OBJECT_STORE);
  const failedUploads = new FailedUploads(client, bucket);

  async function serve<T>(work: () => Promise<T>): Promise<T> {
    try {
      const reply = await work();
      faults.served();
      return reply;
    } catch (error) {
      throw storeError(s3FaultOf(error), error, faults);
    }
  }

  async function startAndTakeBack(): Promise<void> {
    const probe = { Bucket: bucket, Key: PROBE_KEY };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(probe));
    await client.send(new AbortMultipartUploadCommand({ ...probe, UploadId }));
  }

  return {
    async put(key, source, { contentType, signal }: PutOptions) {
      parseObjectKey(key);
      try {
        const size = await uploadStream(client, { bucket, key, contentType }, source, failedUploads, signal);
        faults.served();
        await failedUploads.takeBack();
        return { size };
      } catch (error) {
        throw error instanceof UploadFailedError ? storeError(s3FaultOf(error.cause), error.cause, faults) : error;
      }
    },
    async downloadUrl(key, { expiresInMs, downloadName }) {
      parseObjectKey(key);
      return serve(() => downloadLink(client, { bucket, key, expiresInMs, downloadName }));
    },
    async ping() {
      // Unlike HeadBucket, the reply of a refusal says why.
      await serve(() => client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })));
    },
    probeWrite: () => serve(startAndTakeBack),
    async check() {
      try {
        await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }));
        await startAndTakeBack();
        return await lifecycleFaults(client, bucket);
      } catch (error) {
        return [s3FaultOf(error).text];
      }
    },
    async close() {
      await failedUploads.takeBack();
      client.destroy();
    },
  };
}

function createClient(options: S3ObjectStoreOptions): S3Client {
  const { region, endpoint, forcePathStyle = false, credentials, logger } = options;
  const checksums = options.checksums ?? (endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED');
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    logger: sdkLogger(logger),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}

/**
 * What the SDK would write to the console. Its other levels hold whole requests, and its errors are thrown as well.
 */
function sdkLogger(logger: Logger): NonNullable<S3ClientConfig['logger']> {
  const ignore = (): void => undefined;
  return {
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: (text: unknown) => logger.event('process.warned', { reason: `AWS SDK: ${String(text)}` }),
    error: ignore,
  };
}
