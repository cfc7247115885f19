import { LRUCache } from 'lru-cache';

/**
 * Limits of the number of cached documents and of their total text in characters. A parsed document takes about 80
 * bytes per character, and a compiled one half as much again.
 */
const MAX_DOCUMENTS = 1_000;
const MAX_CHARACTERS = 256 * 1024;

/**
 * Creates a cache of values by text of documents, which keeps a value from its second `set` on. Documents that come
 * once evict no others. Keeping them made each a fifth more expensive, because of the garbage collector.
 */
export function createDocumentCache<Value extends object>() {
  const kept = lastUsed<Value>();
  const seen = lastUsed<true>();
  return {
    get: (text: string): Value | undefined => kept.get(text),
    /** Call after each processing of a document. */
    set(text: string, value: Value): void {
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
