/** How an object is stored and handed out. */
export interface PutOptions {
  readonly contentType: string;
  /** Ends the upload at once when aborted, and nothing is left behind. */
  readonly signal?: AbortSignal;
}

/**
 * Where reports are kept. Keys are paths of non-empty parts; `.` and `..` cannot occur in them. Every method throws
 * `ServiceUnavailableError` when the store does not serve: it cannot be reached, is full, or refuses until somebody
 * changes its configuration or rights. The cause says in one line what to change.
 */
export interface ObjectStore {
  /**
   * Stores a stream under a key, whole or not at all, and replaces what was there. An error of the stream, or the
   * reason of the signal, is thrown on unchanged. @returns the size in bytes
   */
  put(key: string, body: AsyncIterable<Uint8Array>, options: PutOptions): Promise<{ readonly size: number }>;
  /**
   * A link under which the object can be downloaded as an attachment with its content type until it expires.
   * Absolute, or relative to the root of the gateway's own origin.
   */
  downloadUrl(key: string, options: { readonly expiresInMs: number; readonly downloadName: string }): Promise<string>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
}
