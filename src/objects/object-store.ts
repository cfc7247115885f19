/** Options for storing an object. */
export interface PutOptions {
  readonly contentType: string;
  /** Ends the upload at once when aborted, without leftovers. */
  readonly signal?: AbortSignal;
}

/**
 * Store of reports. Keys are paths of non-empty parts without `.` and `..`. Every method throws
 * `ServiceUnavailableError` if the store does not serve: it is unreachable, full, or refuses until an operator changes
 * its configuration or rights. The cause says in one line what to change.
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
