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
import { filter, firstValueFrom, from, map, switchMap } from 'rxjs';
import { possibleTypes } from 'vehicle-location-gateway-front-end';
import { JOB, type Status } from './operations.js';
import { pauseAfter } from './poll.js';
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
      new HttpLink({ uri: `${gatewayUrl}/graphql` }),
    ]),
  });
}

/** Sends mutations that have an idempotency key again after a network fault. Polling repeats its queries by itself. */
function repeating(): ApolloLink {
  return new RetryLink({ attempts: (count, { variables }) => count < TRIES && 'idempotencyKey' in variables });
}

/** Asks again with new tokens after those in use were refused. */
function refreshing(session: Session): ApolloLink {
  return new ErrorLink(({ error, operation, forward }) => {
    if (!CombinedGraphQLErrors.is(error)) return undefined;
    if (!error.errors.some(({ extensions }) => extensions?.['code'] === 'UnAuthenticated')) return undefined;
    return from(session.refresh()).pipe(switchMap(() => forward(operation)));
  });
}

/** Polls a job to its end. A page shows what comes meanwhile. Faults that pass are waited out. */
export async function pollWithApollo(
  client: ApolloClient,
  jobId: string,
  pollInterval = 1_000,
  query: TypedDocumentNode<{ readonly job?: Status | null }, { jobId: string }> = JOB,
): Promise<Status> {
  const polled = client.watchQuery({ query, variables: { jobId }, pollInterval, fetchPolicy: 'network-only' });
  const finished = polled.pipe(
    map(({ data, error }) => {
      const waitMs = pauseAfter(CombinedGraphQLErrors.is(error) ? error.errors : [], pollInterval);
      if (waitMs === undefined) throw new Error(error?.message, { cause: error });
      polled.startPolling(waitMs);
      return (data as { readonly job?: Status | null } | undefined)?.job; // as selected; parts count as well
    }),
    filter((job) => job != null),
    filter(({ completed }) => completed),
  );
  return firstValueFrom(finished).finally(() => polled.stop());
}
