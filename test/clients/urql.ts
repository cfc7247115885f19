import { authExchange } from '@urql/exchange-auth';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { persistedExchange } from '@urql/exchange-persisted';
import type { IntrospectionQuery } from 'graphql';
import { Client, fetchExchange } from 'urql';
import { graphcacheKeys } from 'vehicle-location-gateway-front-end';
import { JOB, ORDER, type OrderVariables, type Status } from './operations.js';
import { pass, pauseAfter } from './poll.js';
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
    exchanges: [
      cacheExchange({
        schema,
        keys: graphcacheKeys,
        resolvers: { Query: { mobiles: relayPagination(), userAccounts: relayPagination(), jobs: relayPagination() } },
      }),
      authExchange((utilities) =>
        Promise.resolve({
          addAuthToOperation: (operation) =>
            utilities.appendHeaders(operation, { authorization: session.authorization }),
          didAuthError: ({ graphQLErrors }) =>
            graphQLErrors.some(({ extensions }) => extensions['code'] === 'UnAuthenticated'),
          refreshAuth: () => session.refresh(),
        }),
      ),
      ...(persisted === undefined ? [] : [persistedExchange(persisted)]),
      fetchExchange,
    ],
    // Queries by GET would stand in logs of proxies, with the texts of searches.
    preferGetMethod: false,
  });
}

const TRIES = 5;

/** Orders a report. With its key the order may be repeated, which urql leaves to its users. @returns id of the job */
export async function orderWithUrql(
  client: Client,
  input: OrderVariables['input'],
  { idempotencyKey = crypto.randomUUID(), pauseMs = 1_000 } = {},
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const { data, error } = await client.mutation(ORDER, { input, idempotencyKey }).toPromise();
    if (data?.startDrivingReports) return data.startDrivingReports.jobId;
    if (error?.networkError === undefined || tries === TRIES) throw error ?? new Error('The order has no answer.');
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Polls a job to its end, which urql leaves to its users. Faults that pass are waited out. */
export async function pollWithUrql(client: Client, jobId: string, pauseMs = 1_000): Promise<Status> {
  for (;;) {
    const { data, error } = await client.query(JOB, { jobId }, { requestPolicy: 'network-only' }).toPromise();
    if (data?.job?.completed === true) return data.job;
    const waitMs = pauseAfter(error?.graphQLErrors ?? [], pauseMs);
    if (waitMs === undefined) throw error ?? new Error('The job has no status.');
    await pass(waitMs);
  }
}
