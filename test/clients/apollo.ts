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
import { relayStylePagination } from '@apollo/client/utilities';
import { filter, firstValueFrom, from, map, switchMap } from 'rxjs';
import { JOB, type Status } from './operations.js';
import type { Session } from './session.js';

/** Creates an Apollo Client. @param persisted names operations by their hashes */
export function createApolloClient(
  gatewayUrl: string,
  session: Session,
  persisted?: PersistedQueryLink.Options,
): ApolloClient {
  return new ApolloClient({
    // Everything with an `id` is kept under its type and that, without `keyFields`.
    cache: new InMemoryCache({
      possibleTypes: {
        JobStatus: ['DrivingReportsStatus', 'BulkOperationUserAccountStatus', 'BulkUpdateMobileStatus'],
      },
      typePolicies: {
        Query: {
          fields: {
            mobiles: relayStylePagination(['search', 'tagIds']),
            userAccounts: relayStylePagination(),
            jobs: relayStylePagination(['kind']),
          },
        },
      },
    }),
    link: ApolloLink.from([
      refreshing(session),
      new SetContextLink(() => ({ headers: { authorization: session.authorization } })),
      ...(persisted === undefined ? [] : [new PersistedQueryLink(persisted)]),
      new HttpLink({ uri: `${gatewayUrl}/graphql` }),
    ]),
  });
}

/** Asks again with new tokens after those in use were refused. */
function refreshing(session: Session): ApolloLink {
  return new ErrorLink(({ error, operation, forward }) => {
    if (!CombinedGraphQLErrors.is(error)) return undefined;
    if (!error.errors.some(({ extensions }) => extensions?.['code'] === 'UnAuthenticated')) return undefined;
    return from(session.refresh()).pipe(switchMap(() => forward(operation)));
  });
}

/** Polls a job to its end. A page shows what comes meanwhile. */
export async function pollWithApollo(
  client: ApolloClient,
  jobId: string,
  pollInterval = 1_000,
  query: TypedDocumentNode<{ readonly job?: Status | null }, { jobId: string }> = JOB,
): Promise<Status> {
  const polled = client.watchQuery({ query, variables: { jobId }, pollInterval, fetchPolicy: 'network-only' });
  const finished = polled.pipe(
    map((result) => (result.dataState === 'complete' ? result.data.job : undefined)),
    filter((job) => job != null),
    filter(({ completed }) => completed),
  );
  return firstValueFrom(finished).finally(() => polled.stop());
}
