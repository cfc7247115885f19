import { GraphQLError, Kind, parse } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { isSha256, sha256, type PersistedDocuments } from './persisted-documents.js';

/** List of operations known by the hash of their document. */
export interface PersistedOperationsOptions {
  readonly documents: PersistedDocuments;
  /** True if all other operations are refused. */
  readonly only: boolean;
}

/**
 * Adds the document to the parameters of a request that names it by its hash.
 *
 * @throws {GraphQLError} the operation is unknown, named wrongly, or not accepted
 */
export type FindDocument = (params: GraphQLParams) => GraphQLParams;

/** Reference to a document in `extensions`, as clients of persisted queries send it. */
interface Named {
  readonly version?: unknown;
  readonly sha256Hash?: unknown;
}

/** Creates the look-up in front of the pipeline, for both doors. */
export function createFindDocument({ documents, only }: PersistedOperationsOptions): FindDocument {
  return (params) => {
    const named = namedIn(params);
    if (named === undefined) {
      if (only) throw refusal('Only operations of the list are accepted: name one in extensions.persistedQuery.');
      return params;
    }
    const { version, sha256Hash: hash } = named;
    if (version !== 1 || !isSha256(hash)) {
      throw refusal('extensions.persistedQuery must hold version 1 and sha256Hash, in lower-case hexadecimal.');
    }
    const document = documents.get(hash);
    const { query } = params;
    if (typeof query === 'string' && query !== document && (document !== undefined || sha256(query) !== hash)) {
      throw refusal('The hash in extensions.persistedQuery is not that of query.');
    }
    if (document !== undefined) return { ...params, query: document };
    // The hash is right, so this is an ordinary operation outside the list.
    if (query != null && !only) return params;
    throw refusal(`There is no persisted operation ${hash}.`);
  };
}

/** Creates the same look-up for requests through Yoga. */
export function persistedOperationsPlugin(findDocument: FindDocument): Plugin {
  return { onParams: ({ params, setParams }) => setParams(findDocument(params)) };
}

/** Returns true if a request names its document by a hash, valid or not. */
export function namesDocument(params: object): boolean {
  return namedIn(params) !== undefined;
}

function namedIn({ extensions }: { readonly extensions?: unknown }): Named | undefined {
  if (typeof extensions !== 'object' || extensions === null || !('persistedQuery' in extensions)) return undefined;
  const { persistedQuery: named } = extensions;
  if (named == null) return undefined;
  return typeof named === 'object' ? named : {};
}

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { http: { status: 400 } } });
}

/** Returns the names of the operations of a list; undefined if other operations are accepted as well. */
export function operationNames({ documents, only }: PersistedOperationsOptions): readonly string[] | undefined {
  if (!only) return undefined;
  return [...documents.values()].flatMap((document) =>
    parse(document).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.name?.value ?? []) : [],
    ),
  );
}
