import type { CallSignal } from '../call-signal.js';
import { untilAborted } from './until-aborted.js';

/** A body on its way into a store. */
export interface WatchedBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes read so far. */
  size(): number;
  /** What the body threw, or the reason of the abort; undefined while all is well. */
  failure(): { readonly error: unknown } | undefined;
}

/**
 * Counts what is read of a body until the call is aborted, and tells its own failure from one of the store. When the
 * body fails, the call is aborted: what is under way in the store is of no use any more.
 */
export function watchBody(body: AsyncIterable<Uint8Array>, call: CallSignal): WatchedBody {
  const source = untilAborted(body, call.signal);
  let size = 0;
  let failure: { readonly error: unknown } | undefined;

  async function nextChunk(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await source.next();
    } catch (error) {
      failure = { error };
      call.abort(error);
      throw error;
    }
  }

  async function* watch(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = await nextChunk(); next.done !== true; next = await nextChunk()) {
        size += next.value.byteLength;
        // A store that fails may throw here; that is no failure of the body.
        yield next.value;
      }
    } finally {
      // Lets the body clean up. Not waited for: a body that hangs would never answer.
      void source.return(undefined).catch(() => undefined);
    }
  }

  return { chunks: watch(), size: () => size, failure: () => failure };
}
