import { LRUCache } from 'lru-cache';

/**
 * Documents that are remembered, and the text of all of them together, in characters. Parsed, a document takes about
 * 80 bytes a character, and compiled half as much again.
 */
const MAX_DOCUMENTS = 1_000;
const MAX_CHARACTERS = 256 * 1024;

/** What became of documents, by their text. */
export interface DocumentCache<Value extends object> {
  /** Undefined when the document has to be looked through. */
  get(text: string): Value | undefined;
  /** To be told of what became of it whenever it was looked through. */
  set(text: string, value: Value): void;
}

/**
 * Keeps what became of a document from the second time on that it is told of it. Operations of a front end are few and
 * come again and again. Whoever sends ever new ones displaces none of them, and leaves nothing behind: keeping whatever
 * came cost a fifth of what such a document takes, in the garbage collector.
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
