import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListObjectsV2Command,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { REPORT_PREFIX, requireObjectKey, type ReportStore } from '../object-store.js';
import { WatchedStore } from '../store-probe.js';
import { s3FaultOf } from './s3-faults.js';
import { lifecycleFaults } from './lifecycle.js';
import { createS3Client, type S3ClientOptions } from './s3-client.js';
import { UploadFailedError, uploadStream } from './upload.js';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

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
 * Stores objects in an S3 bucket. Bodies of unknown length are uploaded in parts; an upload that fails or is aborted
 * removes its parts. A lifecycle rule of the bucket (AbortIncompleteMultipartUpload) removes those of killed processes
 * and unreachable servers. Health checks write by an upload that is started and aborted. They fail while one small
 * object cannot be read, which is read in the background once a minute, and written only if it is missing.
 */
export function createS3ObjectStore(options: S3ClientOptions): ReportStore {
  const { bucket } = options;
  const client = createS3Client(options);
  const store = new WatchedStore(options.logger, s3FaultOf);

  let isWrongKnown = false;
  let uploads = 0;
  let lastFailure: Error | undefined;

  /** Returns the time at the bucket, which the SDK learns from each reply. */
  function timeOfBucket(): Date {
    const { systemClockOffset: offsetMs } = client.config;
    const isWrong = Math.abs(offsetMs) >= WRONG_CLOCK_MS;
    if (isWrong && !isWrongKnown) options.logger.event('objects.clock_wrong', { offsetMs });
    isWrongKnown = isWrong;
    return new Date(Date.now() + offsetMs);
  }

  async function ping(): Promise<void> {
    // Unlike with HeadBucket, a refusal includes the reason.
    await store.ask('reading', () => client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })));
    timeOfBucket();
  }

  async function startAndTakeBack(): Promise<void> {
    const probe = { Bucket: bucket, Key: PROBE_KEY };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(probe));
    await client.send(new AbortMultipartUploadCommand({ ...probe, UploadId }));
  }

  /** Reads a small object, and writes it if it is missing. */
  async function readBack(): Promise<void> {
    const probe = { Bucket: bucket, Key: PROBE_KEY };
    const read = async (): Promise<void> => {
      const { Body } = await client.send(new GetObjectCommand(probe));
      await Body?.transformToByteArray();
    };
    await read().catch(async (error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'NoSuchKey') throw error;
      await client.send(new PutObjectCommand({ ...probe, Body: PROBE_TEXT, ContentType: 'text/plain' }));
      await read();
    });
  }

  let readAt = -Infinity;
  let unread: Error | undefined;

  /**
   * Reads in the background once a minute, because a bucket may take reports and refuse their links. Call it after
   * another request has succeeded, so that a failure concerns reading alone.
   *
   * @throws {Error} with the change to make if the last read failed
   */
  function checkReading(): void {
    if (performance.now() >= readAt + READ_EVERY_MS) {
      readAt = performance.now();
      void readBack().then(
        () => (unread = undefined),
        (error: unknown) => {
          unread = new Error(unreadable(error), { cause: error });
          options.logger.event('objects.unreadable', { fault: unread.message });
        },
      );
    }
    if (unread !== undefined) throw unread;
  }

  return {
    async put(key, source, signal) {
      requireObjectKey(key);
      // While writes fail, one upload tries, and others keep no place busy.
      if (uploads > 0 && lastFailure !== undefined && store.isInDoubt()) throw lastFailure;
      uploads += 1;
      try {
        const size = await uploadStream(client, { bucket, key }, source, signal);
        store.served('writing');
        lastFailure = undefined;
        return { size };
      } catch (error) {
        if (!(error instanceof UploadFailedError)) throw error;
        throw (lastFailure = store.failed('writing', error.cause));
      } finally {
        uploads -= 1;
      }
    },
    async downloadUrl(key, { expiresInMs, downloadName }) {
      requireObjectKey(key);
      const seconds = Math.ceil(expiresInMs / 1000);
      const expiresIn = Math.min(Math.max(seconds, 1), MAX_LINK_SECONDS);
      const download = { Bucket: bucket, Key: key, ResponseContentDisposition: attachment(downloadName) };
      const link = getSignedUrl(client, new GetObjectCommand(download), { expiresIn, signingDate: timeOfBucket() });
      // Made without a request, so a success says nothing about the server.
      return link.catch((error: unknown) => {
        throw store.failed('reading', error);
      });
    },
    probe: {
      ping: () => ping().then(checkReading),
      write: () => store.ask('writing', startAndTakeBack).then(checkReading),
      isInDoubt: () => store.isInDoubt(),
    },
    check: () =>
      store.check(async () => {
        await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }));
        await startAndTakeBack();
        const faults = await lifecycleFaults(client, bucket, options.retentionDays);
        return readBack().then(
          () => faults,
          (error: unknown) => [unreadable(error), ...faults],
        );
      }),
    close() {
      client.destroy();
      return Promise.resolve();
    },
  };
}

/** Describes an error of reading alone: the fault and what to change. */
function unreadable(error: unknown): string {
  return `Reports can be stored but not read, so their links fail. ${s3FaultOf(error)}`;
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
