import { AbortMultipartUploadCommand, NoSuchUpload, type S3Client } from '@aws-sdk/client-s3';

/** Limit of remembered uploads; the lifecycle rule of the bucket removes the parts of others. */
const MAX_REMEMBERED = 1_000;

/** Limit of the delay of an upload by the removal of failed ones, itself included. */
const MAX_WAIT_MS = 2_000;

/**
 * Failed multipart uploads with parts to remove. A server that is down cannot remove them, so they are remembered until
 * it can.
 */
export class FailedUploads {
  readonly #keys = new Map<string, string>();
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.#client = client;
    this.#bucket = bucket;
  }

  add(key: string, uploadId: string): void {
    if (this.#keys.size < MAX_REMEMBERED) this.#keys.set(uploadId, key);
  }

  /** Removes the parts of all remembered uploads. Those that it cannot remove within 2 s stay remembered. */
  async takeBack(): Promise<void> {
    if (this.#keys.size === 0) return;
    const inTime = new AbortController();
    const timer = setTimeout(() => inTime.abort(), MAX_WAIT_MS);
    for (const [uploadId, key] of this.#keys) {
      // Deleted first, so that only one of several concurrent calls removes it.
      this.#keys.delete(uploadId);
      if (await this.#remove(key, uploadId, inTime.signal)) continue;
      this.add(key, uploadId);
      break;
    }
    clearTimeout(timer);
  }

  /** @returns false if the server did not answer */
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
