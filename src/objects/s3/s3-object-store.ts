import { FaultLog } from '../../base/logging/fault-log.js';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListObjectsV2Command,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  DeleteObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  REPORT_PREFIX,
  requireObjectKey,
  type ReportStore,
  BODY_CONTENT_TYPE,
  type BodyStore,
} from '../object-store.js';
import type { StoreProbe } from '../store-probe.js';
import { s3FaultOf } from './s3-faults.js';
import { lifecycleFaults, bodyLifecycleFaults } from './lifecycle.js';
import { createS3Client, type S3ClientOptions } from './s3-client.js';
import { UploadFailedError, uploadStream } from './upload.js';

/**
 * Key of the upload that checks start and abort, and of the object that they read. It is among the reports, whose
 * rights and lifecycle rule apply.
 */
const PROBE_KEY = `${REPORT_PREFIX}gateway-check`;

/** Content of that object. */
const PROBE_TEXT = 'Gateways read this object once a minute to see whether reports can be downloaded.\n';

const READ_EVERY_MS = 60_000;

/** Maximum life of a presigned link (Signature Version 4, "X-Amz-Expires"): 7 days. */
const MAX_LINK_SECONDS = 7 * 24 * 60 * 60;

/** Difference in milliseconds from which the clock counts as wrong. */
const WRONG_CLOCK_MS = 60_000;

/**
 * Store of objects in an S3 bucket. Bodies of unknown length are uploaded in parts; an upload that fails or is aborted
 * removes its parts. A lifecycle rule of the bucket (AbortIncompleteMultipartUpload) removes those of killed processes
 * and unreachable servers. Health checks write by an upload that is started and aborted. They fail while one small
 * object cannot be read, which is read in the background once a minute, and written only if it is missing.
 */
export class S3ObjectStore implements ReportStore {
  readonly #options: S3ClientOptions;
  readonly #client: S3Client;
  readonly #store: FaultLog;
  #isWrongClockKnown = false;
  #uploads = 0;
  #lastFailure: Error | undefined;
  #readAt = -Infinity;
  #unread: Error | undefined;

  constructor(options: S3ClientOptions) {
    this.#options = options;
    this.#client = createS3Client(options);
    this.#store = new FaultLog(options.logger, 'the object store', s3FaultOf);
  }

  readonly probe: StoreProbe = {
    ping: async () => {
      await this.#store.run('reading', () => listOne(this.#client, this.#options.bucket));
      this.#timeOfBucket();
      this.#checkReading();
    },
    write: async () => {
      await this.#store.run('writing', () => startAndAbortUpload(this.#client, this.#options.bucket));
      this.#checkReading();
    },
    isInDoubt: () => this.#store.isInDoubt,
  };

  async wasUsed(): Promise<boolean> {
    const reading = this.#client.send(new HeadObjectCommand({ Bucket: this.#options.bucket, Key: PROBE_KEY }));
    return reading.then(() => true).catch(() => false);
  }

  async put(key: string, source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<{ readonly size: number }> {
    requireObjectKey(key);
    // While writes fail, one upload tries, and others keep no place busy.
    if (this.#uploads > 0 && this.#lastFailure !== undefined && this.#store.isInDoubt) throw this.#lastFailure;
    this.#uploads += 1;
    try {
      const size = await uploadStream(this.#client, { bucket: this.#options.bucket, key }, source, signal);
      this.#store.served('writing');
      this.#lastFailure = undefined;
      return { size };
    } catch (error) {
      if (!(error instanceof UploadFailedError)) throw error;
      throw (this.#lastFailure = this.#store.failed('writing', error.cause));
    } finally {
      this.#uploads -= 1;
    }
  }

  async downloadUrl(key: string, options: Parameters<ReportStore['downloadUrl']>[1]): Promise<string> {
    requireObjectKey(key);
    const seconds = Math.ceil(options.expiresInMs / 1000);
    const expiresIn = Math.min(Math.max(seconds, 1), MAX_LINK_SECONDS);
    const disposition = attachment(options.downloadName);
    const download = { Bucket: this.#options.bucket, Key: key, ResponseContentDisposition: disposition };
    const signing = { expiresIn, signingDate: this.#timeOfBucket() };
    // Made without a request, so a success says nothing about the server.
    return getSignedUrl(this.#client, new GetObjectCommand(download), signing).catch((error: unknown) => {
      throw this.#store.failed('reading', error);
    });
  }

  check(): Promise<readonly string[]> {
    const client = this.#client;
    const { bucket, retentionDays } = this.#options;
    return this.#store.check(async () => {
      await listOne(client, bucket);
      await startAndAbortUpload(client, bucket);
      const faults = await lifecycleFaults(client, bucket, retentionDays);
      return readBack(client, bucket).then(
        () => faults,
        (error: unknown) => {
          if (!(error instanceof UnreadableError)) throw error;
          return [error.message, ...faults];
        },
      );
    });
  }

  close(): Promise<void> {
    this.#client.destroy();
    return Promise.resolve();
  }

  /** Returns the time at the bucket, which the SDK learns from each reply. */
  #timeOfBucket(): Date {
    const { systemClockOffset: offsetMs } = this.#client.config;
    const isWrong = Math.abs(offsetMs) >= WRONG_CLOCK_MS;
    if (isWrong && !this.#isWrongClockKnown) this.#options.logger.event('objects.clock_wrong', { offsetMs });
    this.#isWrongClockKnown = isWrong;
    return new Date(Date.now() + offsetMs);
  }

  /**
   * Reads in the background once a minute, because a bucket may take reports and refuse their links. Call it after
   * another request has succeeded.
   *
   * @throws {Error} with the change to make if the last read failed
   */
  #checkReading(): void {
    if (performance.now() >= this.#readAt + READ_EVERY_MS) {
      this.#readAt = performance.now();
      void readBack(this.#client, this.#options.bucket).then(
        () => (this.#unread = undefined),
        (error: unknown) => {
          if (!(error instanceof UnreadableError)) return void this.#store.failed('reading', error);
          this.#unread = error;
          this.#options.logger.event('objects.unreadable', { fault: error.message });
        },
      );
    }
    if (this.#unread !== undefined) throw this.#unread;
  }
}

/** Asks whether the bucket answers. Unlike with HeadBucket, a refusal includes the reason. */
async function listOne(client: S3Client, bucket: string): Promise<void> {
  await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }));
}

async function startAndAbortUpload(client: S3Client, bucket: string): Promise<void> {
  const probe = { Bucket: bucket, Key: PROBE_KEY };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(probe));
  await client.send(new AbortMultipartUploadCommand({ ...probe, UploadId }));
}

/**
 * Reads a small object, and writes it if it is missing.
 *
 * @throws {UnreadableError} if reading alone fails
 * @throws {Error} of the SDK if another request fails too, so that nothing is known of reading
 */
async function readBack(client: S3Client, bucket: string): Promise<void> {
  const probe = { Bucket: bucket, Key: PROBE_KEY };
  const read = async (): Promise<unknown> =>
    (await client.send(new GetObjectCommand(probe))).Body?.transformToByteArray();
  await read().catch(async (error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'NoSuchKey') {
      await listOne(client, bucket);
      throw new UnreadableError(error);
    }
    await client.send(new PutObjectCommand({ ...probe, Body: PROBE_TEXT, ContentType: 'text/plain' }));
    await read();
  });
}

/** The bucket answers and refuses to be read. The message has the fault and what to change. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError';

  constructor(cause: unknown) {
    super(`Reports can be stored but not read, so their links fail. ${s3FaultOf(cause)}`, { cause });
  }
}

/**
 * Returns the value of `Content-Disposition` (RFC 6266, section 4): the name in US-ASCII for old programs and in UTF-8
 * (RFC 8187) for all others.
 */
function attachment(name: string): string {
  // Quotes, backslashes and control characters could end the text; some programs decode per cent signs.
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const utf8 = encodeURIComponent(name).replaceAll(/['()*]/g, percentEncode);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

function percentEncode(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Stores large bodies as objects of the bucket. A lifecycle rule of the bucket removes those that jobs leave. */
export function createS3BodyStore(options: S3ClientOptions): BodyStore {
  const client = createS3Client(options);
  const store = new FaultLog(options.logger, 'the object store', s3FaultOf);
  const { bucket: Bucket } = options;

  return {
    put: async (Key, text) => {
      const object = { Bucket, Key, Body: Buffer.from(text), ContentType: BODY_CONTENT_TYPE };
      await store.run('writing', () => client.send(new PutObjectCommand(object)));
    },
    get: (Key) =>
      store.run('reading', async () => {
        try {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
          return await Body?.transformToString();
        } catch (error) {
          if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
          throw error;
        }
      }),
    remove: async (Key) => {
      await store.run('reading', () => client.send(new DeleteObjectCommand({ Bucket, Key })));
    },
    check: () =>
      store.check(async () => {
        await listOne(client, Bucket);
        return bodyLifecycleFaults(client, Bucket, options.retentionDays);
      }),
    close: () => client.destroy(),
  };
}
