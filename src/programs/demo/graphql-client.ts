import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { jsonIn } from '../../base/wire/json-content.js';
import { check } from './steps.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutcomeFragment } from '../../../generated/demo-operations.js';

/** GraphQL operation with one root field; its types are generated from the SDL. */
export type TypedOperation<Data, Variables> = string & DocumentTypeDecoration<Data, Variables>;

/** Value of the one root field. It is never null, because then there is an error. */
export type RootField<Data> = NonNullable<Data[keyof Data]>;

export type GraphQLClient = ReturnType<typeof createGraphQLClient>;

interface GraphQLClientOptions {
  /** URL of the gateway, base path included. */
  readonly gatewayUrl: string;
  /** Absent: only operations without a token work. */
  readonly accessToken?: string | undefined;
  /** Aborts requests; absent: only the time limit does. */
  readonly signal?: AbortSignal;
}

const REQUEST_TIMEOUT_MS = 30_000;

export function createGraphQLClient({ gatewayUrl, accessToken, signal }: GraphQLClientOptions) {
  const url = `${gatewayUrl}/graphql`;
  return {
    /** Runs an operation. @throws {Error} if the gateway does not answer, or answers with an error or not in GraphQL */
    async request<Data, Variables>(
      query: TypedOperation<Data, Variables>,
      variables: NoInfer<Variables>,
    ): Promise<RootField<Data>> {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        },
        body: JSON.stringify({ query, variables }),
        signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      const somethingElse = `${url} answered ${response.status}, not as GraphQL does. Is GATEWAY_URL right?`;
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const result = isJson ? jsonIn(await response.text()) : undefined;
      check(isResult(result), somethingElse);
      const { data, errors = [] } = result;
      check(errors.length === 0, errors.map(({ message }) => message).join(' '));
      const [answer, ...others] = isRecord(data) ? Object.values(data) : [];
      check(isRecord(answer) && others.length === 0, somethingElse);
      return answer as RootField<Data>; // GraphQL returns the requested fields, from which both types are generated
    },
  };
}

/** Result of any operation (GraphQL specification, "Response Format"). */
interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string }[];
}

function isResult(value: unknown): value is Result {
  if (!isRecord(value)) return false;
  const { errors = [] } = value;
  return Array.isArray(errors) && errors.every((error) => isRecord(error) && typeof error['message'] === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A visit to a gateway: its client, the output, and the signal that interrupts it. */
export interface Visit {
  readonly client: GraphQLClient;
  readonly print: (line: string) => void;
  /** Shows the progress of a job in place of the previous line. */
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

const POLL_INTERVAL_MS = 150;
const JOB_LIMIT_MS = 120_000;

/** Polls a job until it ends, and shows its progress. @throws {Error} after two minutes */
export async function awaitJob<Status extends OutcomeFragment>(
  { progress, signal }: Pick<Visit, 'progress' | 'signal'>,
  poll: () => Promise<Status>,
): Promise<Status> {
  const until = performance.now() + JOB_LIMIT_MS;
  let shown = '';
  for (;;) {
    const status = await poll();
    const line = describeProgress(status);
    if (line !== shown) progress(line);
    shown = line;
    if (status.completed) return status;
    if (performance.now() > until) throw new Error(`The job has not ended after ${JOB_LIMIT_MS / 1000} seconds.`);
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}

const BAR_LENGTH = 20;

function describeProgress({ state, progress: { done, total } }: OutcomeFragment): string {
  const filled = total === 0 ? BAR_LENGTH : Math.round((BAR_LENGTH * done) / total);
  return `   ${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${done}/${total} ${state.toLowerCase()}`;
}
