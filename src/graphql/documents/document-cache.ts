import { LRUCache } from 'lru-cache';

/**
 * Documents that are remembered, and the text of all of them together, in characters. Parsed, a document takes about
 * 80 bytes a character, and compiled half as much again.
 */
const MAX_DOCUMENTS = 1_000;
const MAX_CHARACTERS = 256 * 1024;

/**
 * What became of documents, by their text. Operations of a front end are few and come again and again; whoever sends
 * ever new ones, or long ones, displaces old ones and fills no memory.
 */
export function createDocumentCache<Value extends object>(): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_value, text) => Math.max(1, text.length),
  });
}
