import { Readable } from 'node:stream';
import {
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { callSignal, type CallSignal } from '../call-signal.js';
import { watchBody } from '../watched-body.js';
import type { FailedUploads } from './failed-uploads.js';

/** What is uploaded, and where to. */
export interface UploadTarget {
  readonly bucket: string;
  readonly key: string;
  readonly contentType: string;
}

/** The server did not take the upload; `cause` is what the SDK threw. */
export class UploadFailedError extends Error {
  override readonly name = 'UploadFailedError';
}

/** Parts under way at a time; with the smallest part that S3 allows (5 MiB) this bounds memory. */
const PARTS_IN_FLIGHT = 2;

/** How long the server may take to say which upload it has begun, when that is all that is still wanted of it. */
const MAX_BEGIN_MS = 2_000;

/**
 * Uploads a stream of unknown length, in parts when it is large. Whatever ends the upload early ends all its requests
 * at once, and its parts are taken back or remembered for later.
 *
 * @param outer ends the upload when aborted
 * @returns the size in bytes
 * @throws {UploadFailedError} when the server is at fault; an error of the stream, or the reason of the signal, is
 *   thrown unchanged
 */
export async function uploadStream(
  client: S3Client,
  { bucket, key, contentType }: UploadTarget,
  source: AsyncIterable<Uint8Array>,
  failedUploads: FailedUploads,
  outer: AbortSignal | undefined,
): Promise<number> {
  const call = callSignal(outer);
  const body = watchBody(source, call);
  const requests = new Requests(client, call);
  const upload = new Upload({
    client: requests.client,
    // One chunk ahead is enough: parts are gathered by the upload.
    params: {
      Bucket: bucket,
      Key: key,
      Body: Readable.from(body.chunks, { highWaterMark: 1 }),
      ContentType: contentType,
    },
    queueSize: PARTS_IN_FLIGHT,
    // Parts are taken back below, which also covers the last step of an upload.
    leavePartsOnError: true,
  });
  call.signal.addEventListener('abort', () => void upload.abort(), { once: true });
  try {
    call.signal.throwIfAborted();
    await upload.done();
    return body.size();
  } catch (error) {
    // Another part, or a body that hangs, may still be under way.
    call.abort(error);
    await requests.settledWithin(MAX_BEGIN_MS);
    if (requests.uploadId !== undefined) failedUploads.add(key, requests.uploadId);
    await failedUploads.takeBack();
    if (outer?.aborted) throw outer.reason;
    if (requests.failure !== undefined) throw new UploadFailedError('The upload failed.', requests.failure);
    throw body.failure()?.error ?? error;
  } finally {
    call.end();
  }
}

type UploadCommand = Parameters<S3Client['send']>[0];

/** The requests of one upload. They end with the call: the upload of the SDK passes no signal on to them. */
class Requests {
  /** For the upload: the client with another `send`. */
  readonly client: S3Client;
  /** Why the first one failed, unless that was because the call had ended. */
  failure: { readonly cause: unknown } | undefined;
  /** The upload in parts, as soon as the server has begun it. */
  uploadId: string | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #begin = new AbortController();

  constructor(client: S3Client, call: CallSignal) {
    const send = async (command: UploadCommand): Promise<unknown> => {
      const reply =
        command instanceof CreateMultipartUploadCommand
          ? this.#beginUpload(client, command)
          : client.send(command, { abortSignal: call.signal });
      this.#underWay.add(reply);
      try {
        return await reply;
      } catch (error) {
        if (!call.signal.aborted) this.failure = { cause: error };
        call.abort(error);
        throw error;
      } finally {
        this.#underWay.delete(reply);
      }
    };
    // Everything that is inherited stays as it is.
    this.client = Object.create(client, { send: { value: send } }) as S3Client;
  }

  /** Not ended with the call: parts could never be taken back of an upload that nobody knows. */
  async #beginUpload(
    client: S3Client,
    command: CreateMultipartUploadCommand,
  ): Promise<CreateMultipartUploadCommandOutput> {
    const reply = await client.send(command, { abortSignal: this.#begin.signal });
    this.uploadId = reply.UploadId;
    return reply;
  }

  /** Resolves when none is under way; those of a call that was aborted end at once, or in this time. */
  async settledWithin(maxMs: number): Promise<void> {
    const timer = setTimeout(() => this.#begin.abort(), maxMs);
    await Promise.allSettled(this.#underWay);
    clearTimeout(timer);
  }
}
