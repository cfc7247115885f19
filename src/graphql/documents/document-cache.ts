import { LRUCache } from 'lru-cache';

/**
 * Limits of the number of cached documents and of their total text in characters. A parsed document takes about 80
 * bytes per character, and a compiled one half as much again.
 */
const MAX_DOCUMENTS = 1_000;
const MAX_CHARACTERS = 256 * 1024;

/** Values by text of documents. */
export interface DocumentCache<Value extends object> {
  /** Returns undefined if the document has to be processed. */
  get(text: string): Value | undefined;
  /** Call whenever a document was processed. */
  set(text: string, value: Value): void;
}

/**
 * Creates a cache that keeps a value from its second `set` on. A front end has few operations and repeats them. Clients
 * that always send new documents evict none of these and leave no values behind: keeping every value made each such
 * document a fifth more expensive, because of the garbage collector.
 */
export function createDocumentCache<Value extends object>(): DocumentCache<Value> {
  const kept = lastUsed<Value>();
  const seen = lastUsed<true>();
  return {
    get: (text) => kept.get(text),
    set(text, value) {
      if (seen.has(text)) kept.set(text, value);
      else seen.set(text, true);
    },
  };
}

function lastUsed<Value extends object | true>(): LRUCache<string, Value> {
  return new LRUCache({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_value, text) => Math.max(1, text.length),
  });
}
