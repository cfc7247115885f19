import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import { describeError, toLine } from '../../errors.js';
import { findDocumentFault, type DocumentRules } from './document-rules.js';

/** Documents by the SHA-256 of their text in UTF-8, in lower-case hexadecimal. */
export type PersistedDocuments = ReadonlyMap<string, string>;

/** Valid documents of a file, and its faults, one line each naming the entry. */
export interface ReadDocuments {
  readonly documents: PersistedDocuments;
  readonly faults: readonly string[];
}

/**
 * Reads a file of persisted documents and checks each against its hash, the schema and the limits of operations, so
 * that all can run.
 */
export async function readPersistedDocuments(
  file: string,
  schema: GraphQLSchema,
  rules: DocumentRules,
): Promise<ReadDocuments> {
  const entries = await readEntries(file);
  if (typeof entries === 'string') return { documents: new Map(), faults: [`${file} ${entries}.`] };
  const documents = new Map<string, string>();
  const faults: string[] = [];
  for (const [hash, document] of entries) {
    const fault = faultOf(hash, document) ?? findDocumentFault(schema, String(document), rules);
    if (fault === undefined) documents.set(hash, String(document));
    else faults.push(`${file}: the entry ${toLine(hash)} cannot be used: ${toLine(fault)}`);
  }
  return { documents, faults };
}

/** Reads the entries. @returns a text if the file as a whole is faulty */
async function readEntries(file: string): Promise<string | readonly [string, unknown][]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return `(PERSISTED_OPERATIONS_FILE) cannot be read: ${describeError(error)}`;
  }
  const content = parse(text);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return '(PERSISTED_OPERATIONS_FILE) is not a JSON object of documents by their SHA-256';
  }
  const entries: [string, unknown][] = Object.entries(content);
  return entries.length === 0 ? '(PERSISTED_OPERATIONS_FILE) holds no operation' : entries;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOf(hash: string, document: unknown): string | undefined {
  if (!isSha256(hash)) return 'its name is not a SHA-256 in lower-case hexadecimal.';
  if (typeof document !== 'string') return 'it is not a text.';
  const actual = sha256(document);
  return hash === actual ? undefined : `the SHA-256 of its document is ${actual}.`;
}

/** Returns true for a SHA-256 in lower-case hexadecimal. */
export function isSha256(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
}

/** Returns the SHA-256 of a text in UTF-8, in lower-case hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
