import { Readable } from 'node:stream';

/** A body on its way to S3: counts what was read and remembers whether the body itself failed. */
export interface UploadBody {
  readonly stream: Readable;
  /** Bytes read so far. */
  size(): number;
  /** What the body threw, or the reason of the abort; undefined while all is well. */
  failure(): { readonly error: unknown } | undefined;
}

/**
 * Makes a stream of a body. An abort is an error of the body: it ends the upload the same way, after the
 * parts under way, even when the body itself hangs.
 */
export function uploadBody(body: AsyncIterable<Uint8Array>, signal?: AbortSignal): UploadBody {
  let size = 0;
  let failure: { readonly error: unknown } | undefined;

  async function* read(): AsyncGenerator<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    const nextChunk = (): Promise<IteratorResult<Uint8Array, unknown>> =>
      unlessAborted(() => chunks.next(), signal).catch((error: unknown) => {
        failure = { error };
        throw error;
      });
    try {
      for (let next = await nextChunk(); next.done !== true; next = await nextChunk()) {
        size += next.value.byteLength;
        // An upload that fails throws here; that is no failure of the body.
        yield next.value;
      }
    } finally {
      // Lets the body clean up. Not waited for: a body that hangs would never answer.
      void Promise.resolve(chunks.return?.()).catch(() => undefined);
    }
  }

  // One chunk ahead is enough: parts are gathered by the upload.
  const stream = Readable.from(read(), { highWaterMark: 1 });
  return { stream, size: () => size, failure: () => failure };
}

/**
 * The outcome of some work, or the reason of the abort if that comes first. Not `Promise.race` against one
 * long-lived promise: that would hold on to every chunk until the end.
 */
async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  let abort = (): void => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      // The reason goes on unchanged, whatever it is, as it does from `throwIfAborted`.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      work().then(resolve, reject);
    });
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
