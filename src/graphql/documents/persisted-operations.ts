import { GraphQLError, Kind, parse } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { isSha256, sha256, type PersistedDocuments } from './persisted-documents.js';

/** Which operations are known by the hash of their document. */
export interface PersistedOperationsOptions {
  readonly documents: PersistedDocuments;
  /** Whether any other operation is refused. */
  readonly only: boolean;
}

/**
 * Puts the document into the parameters of a request that names it by its hash.
 *
 * @throws {GraphQLError} the operation is not known, is named wrongly, or is one that is not accepted
 */
export type FindDocument = (params: GraphQLParams) => GraphQLParams;

/** Names of `extensions` that say which document is meant, as clients of persisted queries send them. */
interface Named {
  readonly version?: unknown;
  readonly sha256Hash?: unknown;
}

/** Creates the step in front of the pipeline; both doors take it. */
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
    // Its hash is right, so it is an operation like any other that is not in the list.
    if (query != null && !only) return params;
    throw refusal(`There is no persisted operation ${hash}.`);
  };
}

/** The same for requests that come through the server's own door. */
export function persistedOperationsPlugin(findDocument: FindDocument): Plugin {
  return { onParams: ({ params, setParams }) => setParams(findDocument(params)) };
}

/** Whether a request names its document by its hash, rightly or not. */
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

/** Names of the operations of a list; undefined where operations that are not in it are taken as well. */
export function operationNames({ documents, only }: PersistedOperationsOptions): readonly string[] | undefined {
  if (!only) return undefined;
  return [...documents.values()].flatMap((document) =>
    parse(document).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.name?.value ?? []) : [],
    ),
  );
}
