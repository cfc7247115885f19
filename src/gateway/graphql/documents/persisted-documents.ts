import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse, type GraphQLSchema } from 'graphql';
import { MAX_SETTINGS_BYTES, requireBoundedFile } from '../../../base/config/variable.js';
import { describeError, toLine } from '../../../base/errors.js';
import { jsonIn } from '../../../base/wire/json-content.js';
import { findDocumentFault, type DocumentRules } from './document-rules.js';

/** Documents by the SHA-256 of their text in UTF-8, in lower-case hexadecimal. */
export type PersistedDocuments = ReadonlyMap<string, string>;

/** Documents of a file, and its faults and doubts, one line each, with the name of the entry. */
export interface ReadDocuments {
  readonly documents: PersistedDocuments;
  readonly faults: readonly string[];
  /** Documents that are refused when they are called. */
  readonly doubts: readonly string[];
}

/**
 * Reads a file of persisted documents: an object of documents by their hashes, which may begin with `sha256:` (client
 * preset of GraphQL Code Generator), or a manifest of Apollo. Checks each document against its hash, the schema and the
 * limits of operations. A document of another version of the schema is only a doubt, because the file of a front end
 * may be older or newer than the gateway.
 */
export async function readPersistedDocuments(
  file: string,
  schema: GraphQLSchema,
  rules: DocumentRules,
): Promise<ReadDocuments> {
  const entries = await readEntries(file);
  if (typeof entries === 'string') return { documents: new Map(), faults: [`${file} ${entries}.`], doubts: [] };
  const documents = new Map<string, string>();
  const faults: string[] = [];
  const doubts: string[] = [];
  for (const [name, document] of entries) {
    const entry = `${file}: the entry ${toLine(String(name))}`;
    const named = readHash(name);
    const fault = documentFault(named, document);
    if (named === undefined || fault !== undefined) {
      faults.push(`${entry} cannot be used: ${toLine(fault ?? '')}`);
      continue;
    }
    documents.set(named, String(document));
    const misfit = findDocumentFault(schema, String(document), rules);
    if (misfit !== undefined) doubts.push(`${entry} is refused when it is called: ${toLine(misfit)}`);
  }
  return { documents, faults, doubts };
}

/** Reads names and documents. @returns a text with the fault, if the file as a whole is unusable */
async function readEntries(file: string): Promise<string | readonly (readonly [name: unknown, document: unknown])[]> {
  let text: string;
  try {
    requireBoundedFile(file, MAX_SETTINGS_BYTES);
    text = await readFile(file, 'utf8');
  } catch (error) {
    return `(PERSISTED_OPERATIONS_FILE) cannot be read: ${describeError(error)}`;
  }
  const content = jsonIn(text);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return '(PERSISTED_OPERATIONS_FILE) is not a JSON object of documents by their SHA-256, or a manifest of Apollo';
  }
  const entries = isManifest(content) ? content.operations.map(documentEntryOf) : Object.entries(content);
  return entries.length === 0 ? '(PERSISTED_OPERATIONS_FILE) holds no operation' : entries;
}

/** Returns true for a persisted query manifest of Apollo, version 1. */
function isManifest(content: object): content is { readonly operations: readonly unknown[] } {
  if (!('format' in content) || content.format !== 'apollo-persisted-query-manifest') return false;
  return 'operations' in content && Array.isArray(content.operations);
}

function documentEntryOf(operation: unknown): readonly [unknown, unknown] {
  if (typeof operation !== 'object' || operation === null) return [undefined, undefined];
  return ['id' in operation ? operation.id : undefined, 'body' in operation ? operation.body : undefined];
}

function documentFault(named: string | undefined, document: unknown): string | undefined {
  if (named === undefined) return 'its name is not a SHA-256 in lower-case hexadecimal.';
  if (typeof document !== 'string') return 'it is not a text.';
  const actual = sha256(document);
  if (named !== actual) return `the SHA-256 of its document is ${actual}.`;
  try {
    parse(document);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

/** Reads a SHA-256 in lower-case hexadecimal, with or without `sha256:` before it; undefined if it is another value. */
export function readHash(name: unknown): string | undefined {
  return typeof name === 'string' ? /^(?:sha256:)?([0-9a-f]{64})$/.exec(name)?.[1] : undefined;
}

/** Returns the SHA-256 of a text in UTF-8, in lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text);
}
