import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { jsonIn } from '../../base/wire/json-content.js';
import { isObject } from '../../jobs/record/stored-fields.js';
import type { OutcomeFragment } from '../../../generated/demo-operations.js';

/** Value of the one root field. It is never null, because then there is an error. */
type RootField<Data> = NonNullable<Data[keyof Data]>;

/** Runs an operation. @throws {Error} if the gateway does not answer, or answers with an error or not in GraphQL */
export type GraphQLClient = <Data, Variables>(
  operation: string & DocumentTypeDecoration<Data, Variables>,
  variables: NoInfer<Variables>,
) => Promise<RootField<Data>>;

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Creates a client of a gateway.
 *
 * @param gatewayUrl base path included
 * @param signal aborts requests; absent: only the time limit does
 */
export function createGraphQLClient(gatewayUrl: string, accessToken?: string, signal?: AbortSignal): GraphQLClient {
  const url = `${gatewayUrl}/graphql`;
  return async <Data, Variables>(query: string & DocumentTypeDecoration<Data, Variables>, variables: Variables) => {
    const timeLimit = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      },
      body: JSON.stringify({ query, variables }),
      signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit,
    });
    const result = jsonIn(await response.text());
    const { data, errors } = isObject(result) ? result : {};
    const messages = Array.isArray(errors) ? errors.flatMap((error: unknown) => messageOf(error) ?? []) : [];
    if (messages.length > 0) throw new Error(messages.join(' '));
    const [answer] = isObject(data) ? Object.values(data) : [];
    if (isObject(answer)) return answer as RootField<Data>; // the requested fields, from which both types are generated
    throw new Error(`${url} answered ${response.status}, not as GraphQL does. Is GATEWAY_URL right?`);
  };
}

function messageOf(error: unknown): string | undefined {
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
}

const POLL_INTERVAL_MS = 150;
const JOB_LIMIT_MS = 120_000;
const BAR_LENGTH = 20;

/** Polls a job until it ends, and shows its progress. @throws {Error} after two minutes */
export async function awaitJob<Status extends OutcomeFragment>(
  poll: () => Promise<Status>,
  signal: AbortSignal,
  show: (line: string) => void,
): Promise<Status> {
  const until = performance.now() + JOB_LIMIT_MS;
  let shown = '';
  while (performance.now() < until) {
    const status = await poll();
    const { done, total } = status.progress;
    const filled = total === 0 ? BAR_LENGTH : Math.round((BAR_LENGTH * done) / total);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)}`;
    const line = `   ${bar} ${done}/${total} ${status.state.toLowerCase()}`;
    if (line !== shown) show(line);
    shown = line;
    if (status.completed) return status;
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
  throw new Error(`The job has not ended after ${JOB_LIMIT_MS / 1000} seconds.`);
}
