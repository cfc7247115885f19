import { Readable } from 'node:stream';
import { AbortMultipartUploadCommand, CreateMultipartUploadCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { watchBody, type WatchedBody } from '../watched-body.js';
import { contentTypeOf } from '../object-store.js';
import { NO_PROGRESS } from './s3-client.js';

/** Error for an upload that the server did not accept; `cause` is the error of the SDK. */
export class UploadFailedError extends Error {
  override readonly name = 'UploadFailedError';
}

/** Number of parts uploaded at once; parts have the smallest size that S3 allows (5 MiB), so this limits memory. */
const PARTS_IN_FLIGHT = 2;

/** Time to wait for the upload id after an abort, in milliseconds; parts can be removed only with the id. */
const MAX_BEGIN_MS = 2_000;

/** Time limit for the removal of parts, in milliseconds. */
const MAX_REMOVAL_MS = 2_000;

/**
 * Uploads a stream of unknown length, in parts if it is large. An early end aborts all requests at once, and removes
 * the parts; a lifecycle rule of the bucket removes those of a server that does not answer.
 *
 * @param outer ends the upload when aborted
 * @returns the size in bytes
 * @throws {UploadFailedError} if the server is at fault; an error of the stream, or the reason of the signal, is thrown
 *   unchanged
 */
export async function uploadStream(
  client: S3Client,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  source: AsyncIterable<Uint8Array>,
  outer: AbortSignal | undefined,
): Promise<number> {
  const body = watchBody(source, outer);
  const requests = new Requests(client, body);
  const upload = new Upload({
    client: requests.client,
    // One chunk ahead is enough, because the upload collects chunks into parts.
    params: {
      Bucket: bucket,
      Key: key,
      Body: Readable.from(body.chunks, { highWaterMark: 1 }),
      ContentType: contentTypeOf(key),
    },
    queueSize: PARTS_IN_FLIGHT,
    // Parts are removed below, which also covers the last step of an upload.
    leavePartsOnError: true,
  });
  body.signal.addEventListener('abort', () => void upload.abort(), { once: true });
  try {
    body.signal.throwIfAborted();
    await upload.done();
    return body.size();
  } catch (error) {
    // Another part, or a body that hangs, may still be active.
    body.abort(error);
    await requests.settledWithin(MAX_BEGIN_MS);
    if (requests.uploadId !== undefined) {
      const parts = { Bucket: bucket, Key: key, UploadId: requests.uploadId };
      const removal = { abortSignal: AbortSignal.timeout(MAX_REMOVAL_MS) };
      // The error of the upload counts; the lifecycle rule removes parts that are left.
      const removed = client.send(new AbortMultipartUploadCommand(parts), removal).catch(() => undefined);
      // A server that did not answer would keep the place of the upload for longer.
      if (!isWithoutProgress(requests.failure?.cause)) await removed;
    }
    if (outer?.aborted) throw outer.reason;
    if (requests.failure !== undefined) throw new UploadFailedError('The upload failed.', requests.failure);
    throw body.failure()?.error ?? error;
  } finally {
    body.end();
  }
}

function isWithoutProgress(error: unknown): boolean {
  return error instanceof Error && error.name === NO_PROGRESS;
}

type UploadCommand = Parameters<S3Client['send']>[0];

/** Requests of one upload. They abort with the call, because the SDK's `Upload` passes no signal to them. */
class Requests {
  /** Client for the upload, with another `send`. */
  readonly client: S3Client;
  /** Error of a request that failed before the call was aborted. */
  failure: { readonly cause: unknown } | undefined;
  /** Id of the upload in parts, once the server has begun it. */
  uploadId: string | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #begin = new AbortController();

  constructor(client: S3Client, body: WatchedBody) {
    const send = async (command: UploadCommand): Promise<unknown> => {
      const reply =
        command instanceof CreateMultipartUploadCommand
          ? this.#beginUpload(client, command)
          : client.send(command, { abortSignal: body.signal });
      this.#underWay.add(reply);
      try {
        return await reply;
      } catch (error) {
        if (!body.signal.aborted) this.failure = { cause: error };
        body.abort(error);
        throw error;
      } finally {
        this.#underWay.delete(reply);
      }
    };
    // Inherits everything but `send`.
    this.client = Object.create(client, { send: { value: send } }) as S3Client;
  }

  /** Begins an upload; not aborted with the call, because parts cannot be removed without the upload id. */
  async #beginUpload(client: S3Client, command: CreateMultipartUploadCommand): Promise<unknown> {
    const reply = await client.send(command, { abortSignal: this.#begin.signal });
    this.uploadId = reply.UploadId;
    return reply;
  }

  /** Resolves when no request is active: at once after an abort, except that the begin of an upload gets `maxMs`. */
  async settledWithin(maxMs: number): Promise<void> {
    const timer = setTimeout(() => this.#begin.abort(), maxMs);
    await Promise.allSettled(this.#underWay);
    clearTimeout(timer);
  }
}
