import { GatewayError } from '../errors.js';

/** Options for storing an object. */
export interface PutOptions {
  readonly contentType: string;
  /** Ends the upload at once when aborted, without leftovers. */
  readonly signal?: AbortSignal;
}

/**
 * Error for a refusal that lasts until an operator changes the configuration or rights of the store. `cause` says in
 * one line what to change.
 */
export class ObjectStoreRefusal extends GatewayError {
  constructor(options: { readonly cause: Error }) {
    super('InternalError', 'The object store refuses to serve.', options);
  }
}

/**
 * Store of reports. Keys are paths of non-empty parts without `.` and `..`. Every method throws
 * `ServiceUnavailableError` if the store is unreachable, and {@link ObjectStoreRefusal} if it refuses.
 */
export interface ObjectStore {
  /**
   * Stores a stream under a key atomically; replaces an existing object. Rethrows an error of the stream, or the reason
   * of the signal, unchanged. @returns the size in bytes
   */
  put(key: string, body: AsyncIterable<Uint8Array>, options: PutOptions): Promise<{ readonly size: number }>;
  /**
   * Makes a link that downloads the object as an attachment with its content type until it expires. Absolute, or
   * relative to the root of the gateway's own origin.
   */
  downloadUrl(key: string, options: { readonly expiresInMs: number; readonly downloadName: string }): Promise<string>;
  /** Resolves if the store answers. */
  ping(): Promise<void>;
}
