import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from './json-object.js';

/** Node of a document with its location, after resolution of every `$ref` on the way. */
export interface DocumentNode {
  /** Keys from the root; the unescaped parts of a JSON pointer (RFC 6901). */
  readonly keys: readonly string[];
  readonly value: JsonObject;
}

/** OpenAPI 3.1 document with references inside the file only. */
export class OpenApiDocument {
  /** @param root the whole document, parsed */
  constructor(readonly root: JsonObject) {}

  /** Reads a JSON file. Throws if it is missing, not JSON or not OpenAPI 3.1. */
  static read(file: URL): OpenApiDocument {
    const root: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isJsonObject(root) || !String(root['openapi']).startsWith('3.1.')) {
      throw new Error(`${file.pathname} is not an OpenAPI 3.1 document.`);
    }
    return new OpenApiDocument(root);
  }

  /** Returns the object at these keys (names or array indexes); undefined if there is none. */
  node(...keys: readonly string[]): DocumentNode | undefined {
    let reached: readonly string[] = [];
    let value: unknown = this.root;
    for (const key of keys) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = Object.entries(value).find(([name]) => name === key)?.[1];
      reached = [...reached, key];
      if (isJsonObject(value) && typeof value['$ref'] === 'string') {
        const target = this.node(...keysOf(value['$ref']));
        if (target === undefined) throw new Error(`${value['$ref']} is not in the document.`);
        ({ keys: reached, value } = target);
      }
    }
    return isJsonObject(value) ? { keys: reached, value } : undefined;
  }

  /** Returns the object at these keys below a node. */
  child(node: DocumentNode, ...keys: readonly string[]): DocumentNode | undefined {
    return this.node(...node.keys, ...keys);
  }

  /** Returns every object directly below a key of a node, by name or index. */
  entries(node: DocumentNode, key: string): [string, DocumentNode][] {
    const collection = node.value[key];
    if (typeof collection !== 'object' || collection === null) return [];
    return Object.keys(collection).flatMap((name): [string, DocumentNode][] => {
      const entry = this.child(node, key, name);
      return entry === undefined ? [] : [[name, entry]];
    });
  }
}

/** Returns the keys of a reference within the document (RFC 6901, sections 4 and 6). */
function keysOf(reference: string): string[] {
  if (!reference.startsWith('#/')) throw new Error(`${reference} points outside the document.`);
  const parts = decodeURIComponent(reference.slice(2)).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the URI fragment form of a JSON pointer (RFC 6901, section 6). */
export function pointerFragment(keys: readonly string[]): string {
  const parts = keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `#/${parts.join('/')}`;
}
