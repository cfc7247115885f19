import { authExchange } from '@urql/exchange-auth';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { persistedExchange } from '@urql/exchange-persisted';
import type { IntrospectionQuery } from 'graphql';
import { Client, fetchExchange } from 'urql';
import { graphcacheKeys } from 'vehicle-location-gateway-front-end';
import { JOB, JOBS, ORDER, withJob, type OrderVariables, type Ordered, type Status } from './operations.js';
import { fetchGateway, pollToEnd, RefusedError, repeated, type PollOptions } from './poll.js';
import type { Session } from './session.js';

type PersistedOptions = Parameters<typeof persistedExchange>[0];

/**
 * Creates a client of urql.
 *
 * @param schema `introspection.json` of the package, because production answers no introspection
 * @param persisted names operations by their hashes
 */
export function createUrqlClient(
  gatewayUrl: string,
  session: Session,
  schema: IntrospectionQuery,
  persisted?: PersistedOptions,
): Client {
  return new Client({
    url: `${gatewayUrl}/graphql`,
    fetch: fetchGateway,
    exchanges: [
      cacheExchange({
        schema,
        keys: graphcacheKeys,
        // A new job goes on top of the list that the page shows.
        updates: {
          Mutation: {
            startDrivingReports(ordered, _arguments, cache) {
              const { startDrivingReports: job } = ordered as unknown as Ordered; // as `ORDER` selects it
              const status = job?.status;
              if (status) cache.updateQuery({ query: JOBS, variables: {} }, (page) => page && withJob(page, status));
            },
          },
        },
        resolvers: { Query: { mobiles: relayPagination(), userAccounts: relayPagination(), jobs: relayPagination() } },
      }),
      authExchange((utilities) => {
        let refused: string | undefined;
        return Promise.resolve({
          addAuthToOperation: (operation) =>
            utilities.appendHeaders(operation, { authorization: session.authorization }),
          didAuthError: ({ graphQLErrors }, { context: { fetchOptions } }) => {
            refused = headersIn(fetchOptions).get('authorization') ?? undefined;
            return graphQLErrors.some(({ extensions }) => extensions['code'] === 'UnAuthenticated');
          },
          refreshAuth: () => session.refresh(refused),
        });
      }),
      ...(persisted === undefined ? [] : [persistedExchange(persisted)]),
      fetchExchange,
    ],
    // Queries by GET would stand in logs of proxies, with the texts of searches.
    preferGetMethod: false,
  });
}

/** Orders a report. With its key the order may be repeated, which urql leaves to its users. @returns id of the job */
export function orderWithUrql(client: Client, variables: OrderVariables): Promise<string> {
  return repeated(async () => {
    const { data, error } = await client.mutation(ORDER, variables).toPromise();
    if (data?.startDrivingReports) return data.startDrivingReports.jobId;
    throw error?.networkError ?? error ?? new Error('The order has no answer.');
  });
}

/** Polls a job to its end, which urql leaves to its users. Faults that pass are waited out. */
export function pollWithUrql(client: Client, jobId: string, options: PollOptions = {}): Promise<Status> {
  const { signal } = options;
  const settings = { requestPolicy: 'network-only', ...(signal && { fetchOptions: { signal } }) } as const;
  return pollToEnd(async () => {
    const { data, error } = await client.query(JOB, { jobId }, settings).toPromise();
    const shown = error?.graphQLErrors.length ? new RefusedError(error.graphQLErrors) : error?.networkError;
    return { job: data?.job, error: shown };
  }, options);
}

function headersIn(fetchOptions: RequestInit | (() => RequestInit) | undefined): Headers {
  return new Headers((typeof fetchOptions === 'function' ? fetchOptions() : fetchOptions)?.headers);
}
