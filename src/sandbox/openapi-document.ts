import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from './json-object.js';

/** A node of a document with its place, after every `$ref` on the way to it was followed. */
export interface DocumentNode {
  /** Keys from the root; the unescaped parts of a JSON pointer (RFC 6901). */
  readonly keys: readonly string[];
  readonly value: JsonObject;
}

/** An OpenAPI 3.1 document whose references all stay inside the file. */
export class OpenApiDocument {
  /** @param root the whole document, parsed */
  constructor(readonly root: JsonObject) {}

  /** Reads a JSON file. Throws when it is not there, not JSON or not OpenAPI 3.1. */
  static read(file: URL): OpenApiDocument {
    const root: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isJsonObject(root) || !String(root['openapi']).startsWith('3.1.')) {
      throw new Error(`${file.pathname} is not an OpenAPI 3.1 document.`);
    }
    return new OpenApiDocument(root);
  }

  /** The object at these keys (names, or indexes of arrays), or undefined when there is none. */
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

  /** The object below a node. */
  child(node: DocumentNode, ...keys: readonly string[]): DocumentNode | undefined {
    return this.node(...node.keys, ...keys);
  }

  /** Every object directly below a key of a node, by name or index. */
  entries(node: DocumentNode, key: string): [string, DocumentNode][] {
    const collection = node.value[key];
    if (typeof collection !== 'object' || collection === null) return [];
    return Object.keys(collection).flatMap((name): [string, DocumentNode][] => {
      const entry = this.child(node, key, name);
      return entry === undefined ? [] : [[name, entry]];
    });
  }
}

/** Keys of a reference within the document (RFC 6901, sections 4 and 6). */
function keysOf(reference: string): string[] {
  if (!reference.startsWith('#/')) throw new Error(`${reference} points outside the document.`);
  const parts = decodeURIComponent(reference.slice(2)).split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** URI fragment form of a JSON pointer (RFC 6901, section 6). */
export function pointerFragment(keys: readonly string[]): string {
  const parts = keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `#/${parts.join('/')}`;
}
