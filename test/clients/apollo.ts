import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
  type TypedDocumentNode,
} from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { RetryLink } from '@apollo/client/link/retry';
import { relayStylePagination } from '@apollo/client/utilities';
import { from, switchMap } from 'rxjs';
import { Kind, visit, type DocumentNode } from 'graphql';
import { possibleTypes } from 'vehicle-location-gateway-front-end';
import { JOB, JOBS, ORDER, withJob, type OrderVariables, type Status } from './operations.js';
import { fetchGateway, NoAnswerError, pollToEnd, RefusedError, type PollOptions } from './poll.js';
import type { Session } from './session.js';

declare module '@apollo/client' {
  // The types of results depend on it.
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the library's own way to declare defaults
  namespace ApolloClient.DeclareDefaultOptions {
    interface WatchQuery {
      errorPolicy: 'all';
    }
    interface Query {
      errorPolicy: 'all';
    }
    interface Mutate {
      errorPolicy: 'all';
    }
  }
}

/** Keeps the data of replies that also have errors: a list of mobiles without voice states is still a list. */
const PARTIAL = { errorPolicy: 'all' } as const;

const TRIES = 5;

/** Creates an Apollo Client. @param persisted names operations by their hashes */
export function createApolloClient(
  gatewayUrl: string,
  session: Session,
  persisted?: PersistedQueryLink.Options,
): ApolloClient {
  return new ApolloClient({
    defaultOptions: { watchQuery: PARTIAL, query: PARTIAL, mutate: PARTIAL },
    // Everything with an `id` is kept under its type and that, without `keyFields`.
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: {
        Query: {
          fields: {
            mobiles: relayStylePagination(['search', 'tagIds']),
            userAccounts: relayStylePagination(),
            jobs: relayStylePagination(['kind', 'state']),
          },
        },
      },
    }),
    link: ApolloLink.from([
      refreshing(session),
      new SetContextLink(() => ({ headers: { authorization: session.authorization } })),
      repeating(),
      ...(persisted === undefined ? [] : [new PersistedQueryLink(persisted)]),
      new HttpLink({ uri: `${gatewayUrl}/graphql`, fetch: fetchGateway }),
    ]),
  });
}

/** Sends mutations with an `idempotencyKey` argument again if they have no answer. Polling repeats its queries by itself. */
function repeating(): ApolloLink {
  return new RetryLink({
    attempts: (count, { query, variables }, error) =>
      count < TRIES && hasKey(query, variables) && error instanceof NoAnswerError && error.mayPass,
  });
}

/** Returns true if an argument `idempotencyKey` has a value, whatever the name of its variable. */
function hasKey(document: DocumentNode, variables: Readonly<Record<string, unknown>>): boolean {
  let isGiven = false;
  visit(document, {
    Argument({ name, value }) {
      if (name.value !== 'idempotencyKey') return;
      isGiven ||= value.kind === Kind.VARIABLE ? variables[value.name.value] != null : value.kind === Kind.STRING;
    },
  });
  return isGiven;
}

/** Asks again with new tokens after those in use were refused. */
function refreshing(session: Session): ApolloLink {
  return new ErrorLink(({ error, operation, forward }) => {
    if (!CombinedGraphQLErrors.is(error)) return undefined;
    if (!error.errors.some(({ extensions }) => extensions?.['code'] === 'UnAuthenticated')) return undefined;
    const { authorization } = (operation.getContext()['headers'] ?? {}) as { authorization?: string }; // set below
    return from(session.refresh(authorization)).pipe(switchMap(() => forward(operation)));
  });
}

/** Orders a report, and puts it on top of the list of jobs that the page shows. @returns id of the job */
export async function orderWithApollo(client: ApolloClient, variables: OrderVariables): Promise<string> {
  const { data, error } = await client.mutate({
    mutation: ORDER,
    variables,
    update(cache, { data: ordered }) {
      const status = ordered?.startDrivingReports?.status;
      if (status) cache.updateQuery({ query: JOBS, variables: {} }, (page) => page && withJob(page, status));
    },
  });
  if (!data?.startDrivingReports) throw new Error(error?.message, { cause: error });
  return data.startDrivingReports.jobId;
}

/** Polls a job to its end. A page that watches the job shows what comes meanwhile. Faults that pass are waited out. */
export function pollWithApollo(
  client: ApolloClient,
  jobId: string,
  options: PollOptions = {},
  query: TypedDocumentNode<{ readonly job?: Status | null }, { jobId: string }> = JOB,
): Promise<Status> {
  const context = { fetchOptions: { signal: options.signal } };
  return pollToEnd(async () => {
    try {
      const fetchPolicy = 'network-only';
      const { data, error } = await client.query({ query, variables: { jobId }, fetchPolicy, context });
      const shown = CombinedGraphQLErrors.is(error) ? new RefusedError(error.errors) : error;
      return { job: (data as { readonly job?: Status | null } | undefined)?.job, error: shown }; // as selected
    } catch (error) {
      return { error };
    }
  }, options);
}
