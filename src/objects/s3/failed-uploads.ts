import { AbortMultipartUploadCommand, NoSuchUpload, type S3Client } from '@aws-sdk/client-s3';

/** Most uploads that are remembered; the rest is for a lifecycle rule of the bucket. */
const MOST = 1_000;

/** An upload is not held up for longer than this by others that failed. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Multipart uploads that failed and whose parts are to go. A server that is down cannot remove them, so they
 * are remembered until it can.
 */
export class FailedUploads {
  readonly #keys = new Map<string, string>();

  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  /** Remembers a failed upload. */
  add(key: string, uploadId: string): void {
    if (this.#keys.size < MOST) this.#keys.set(uploadId, key);
  }

  /** Removes the parts of all remembered uploads, or keeps remembering those it cannot reach. */
  async takeBack(): Promise<void> {
    const inTime = AbortSignal.timeout(LONGEST_WAIT_MS);
    for (const [uploadId, key] of this.#keys) {
      // Taken out first: of several that take back at once, one does it.
      this.#keys.delete(uploadId);
      try {
        await this.#client.send(
          new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key: key, UploadId: uploadId }),
          { abortSignal: inTime },
        );
      } catch (error) {
        if (isGone(error)) continue;
        this.add(key, uploadId);
        return;
      }
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof NoSuchUpload;
}
