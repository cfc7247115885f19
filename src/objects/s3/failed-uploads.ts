import { AbortMultipartUploadCommand, NoSuchUpload, type S3Client } from '@aws-sdk/client-s3';

/** Uploads that are remembered; beyond these the lifecycle rule of the bucket removes what is left. */
const MAX_REMEMBERED = 1_000;

/** How long an upload is held up by taking back what failed, itself included. */
const MAX_WAIT_MS = 2_000;

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
    if (this.#keys.size < MAX_REMEMBERED) this.#keys.set(uploadId, key);
  }

  /** Removes the parts of all remembered uploads, or keeps remembering those it cannot reach within 2 s. */
  async takeBack(): Promise<void> {
    if (this.#keys.size === 0) return;
    const inTime = new AbortController();
    const timer = setTimeout(() => inTime.abort(), MAX_WAIT_MS);
    for (const [uploadId, key] of this.#keys) {
      // Taken out first: of several that take back at once, one does it.
      this.#keys.delete(uploadId);
      if (await this.#remove(key, uploadId, inTime.signal)) continue;
      this.add(key, uploadId);
      break;
    }
    clearTimeout(timer);
  }

  /** @returns false when the server did not answer */
  async #remove(key: string, uploadId: string, inTime: AbortSignal): Promise<boolean> {
    const command = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key: key, UploadId: uploadId });
    try {
      await this.#client.send(command, { abortSignal: inTime });
      return true;
    } catch (error) {
      return error instanceof NoSuchUpload;
    }
  }
}
