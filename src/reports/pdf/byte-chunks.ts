/** Chunk size in bytes: sending one costs little beside drawing it, and memory stays flat. */
const CHUNK_SIZE = 256 * 1024;

/** Collects the many small pieces of a file into chunks that own their memory and can move to another thread. */
export class ByteChunks {
  readonly #read: () => Uint8Array | null;
  #chunk = new Uint8Array(CHUNK_SIZE);
  #used = 0;

  /** @param read returns the bytes since the last call, or null without any */
  constructor(read: () => Uint8Array | null) {
    this.#read = read;
  }

  /** Reads the available bytes and yields the full chunks. */
  *full(): Generator<Uint8Array> {
    for (let bytes = this.#read(); bytes !== null; bytes = this.#read()) {
      let taken = 0;
      while (taken < bytes.length) {
        const part = bytes.subarray(taken, taken + CHUNK_SIZE - this.#used);
        this.#chunk.set(part, this.#used);
        this.#used += part.length;
        taken += part.length;
        if (this.#used === CHUNK_SIZE) yield this.#next();
      }
    }
  }

  /** Yields everything up to the end, the last chunk in its own size. */
  *rest(): Generator<Uint8Array> {
    yield* this.full();
    if (this.#used > 0) yield this.#chunk.slice(0, this.#used);
    this.#used = 0;
  }

  #next(): Uint8Array {
    const full = this.#chunk;
    this.#chunk = new Uint8Array(CHUNK_SIZE);
    this.#used = 0;
    return full;
  }
}
