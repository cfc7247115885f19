import { Kind, parse } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { GatewayError } from '../../../base/errors.js';
import { OnceInAWhile } from '../../../base/once-in-a-while.js';
import type { ClientContext, RequestContext } from '../context.js';
import { asGraphQLError, requestError } from '../error-mapping.js';
import { readHash, sha256, type PersistedDocuments } from './persisted-documents.js';

export interface PersistedOperationsOptions {
  readonly documents: PersistedDocuments;
  /** True if every other operation is refused. */
  readonly only: boolean;
}

/**
 * Puts the document into the parameters of a request that names it by its hash, in `documentId` (GraphQL over HTTP,
 * "Persisted Documents") or in `extensions.persistedQuery`.
 *
 * @throws {GraphQLError} the operation is unknown, is named wrongly or is refused
 */
export type FindDocument = (
  params: GraphQLParams,
  context: Pick<ClientContext, 'log' | 'operationLog'>,
) => GraphQLParams;

/** Operations that are not listed and that are logged within a minute, as a front end may send any number. */
const LOGGED = { everyMs: 60_000, max: 10 };

interface Params extends GraphQLParams {
  readonly documentId?: unknown;
}

/** Creates the first step of all requests. @param options undefined without persisted operations */
export function createFindDocument(options: PersistedOperationsOptions | undefined): FindDocument {
  const { documents, only } = options ?? { documents: new Map<string, string>(), only: false };
  // Clients of persisted queries (Apollo, urql) send the whole document if the error has this text.
  const unknown = options === undefined ? 'PersistedQueryNotSupported' : 'PersistedQueryNotFound';
  const logged = new OnceInAWhile(LOGGED);
  return (given: Params, { log, operationLog }) => {
    const hash = hashIn(given);
    if (hash === undefined) {
      if (only) throw requestError('PersistedOnly');
      return given;
    }
    const { documentId: _named, ...params } = given;
    const { query } = params;
    const document = documents.get(hash);
    if (typeof query === 'string' && query !== document && (document !== undefined || sha256(query) !== hash)) {
      throw requestError('WrongHash');
    }
    if (document !== undefined) return { ...params, query: document };
    if (only) {
      operationLog.isUnlisted = logged.isDue(hash);
      if (operationLog.isUnlisted) log.event('operation.not_listed', { hash, client: operationLog.client });
      throw requestError('OperationNotListed');
    }
    // A document with the right hash that is not in the list counts like one without a hash.
    if (query != null) return params;
    throw asGraphQLError(new GatewayError(unknown));
  };
}

/** Creates a plugin that finds the documents of requests that Yoga reads. */
export function persistedOperationsPlugin(findDocument: FindDocument): Plugin<object, RequestContext> {
  return { onParams: ({ params, setParams, context }) => setParams(findDocument(params, context)) };
}

/** Returns the hash that names a document, if any. @throws {GraphQLError} it is malformed, or there are two */
function hashIn(params: Params): string | undefined {
  const ofApollo = persistedQueryIn(params);
  const hash = readHash(params.documentId);
  if (params.documentId != null && hash === undefined) throw requestError('InvalidDocumentId');
  if (ofApollo === undefined) return hash;
  const other = ofApollo.version === 1 ? readHash(ofApollo.sha256Hash) : undefined;
  if (other === undefined) throw requestError('InvalidPersistedQuery');
  if (hash !== undefined && hash !== other) throw requestError('TwoDocuments');
  return other;
}

/** Returns the member of `extensions` by which clients of persisted queries name a document. */
function persistedQueryIn({ extensions }: Params): { version?: unknown; sha256Hash?: unknown } | undefined {
  const named: unknown = extensions?.['persistedQuery'];
  if (named == null) return undefined;
  return typeof named === 'object' ? named : {};
}

/** Returns the names of the operations of a list; undefined if other operations are accepted as well. */
export function operationNames({ documents }: PersistedOperationsOptions): readonly string[] {
  return [...documents.values()].flatMap((document) =>
    parse(document).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.name?.value ?? []) : [],
    ),
  );
}
