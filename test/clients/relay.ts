import { Environment, fetchQuery, Network, RecordSource, Store, type GraphQLResponse } from 'relay-runtime';
import FleetJobQuery, { type FleetJobQuery as Job } from './generated/relay/FleetJobQuery.graphql';
import type { Session } from './session.js';

/** Creates an environment of Relay. It names operations by the hashes that relay-compiler wrote. */
export function createRelayEnvironment(gatewayUrl: string, session: Session): Environment {
  const send = async (body: string): Promise<GraphQLResponse> => {
    const response = await fetch(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: session.authorization },
      body,
    });
    return (await response.json()) as GraphQLResponse; // the compiler made the operation of the schema
  };
  return new Environment({
    network: Network.create(async ({ id, text }, variables) => {
      const body = JSON.stringify({ ...(id === null ? { query: text } : { documentId: `sha256:${id}` }), variables });
      const answer = await send(body);
      if (!isRefused(answer)) return answer;
      await session.refresh();
      return send(body);
    }),
    store: new Store(new RecordSource()),
    // Ids are unique within a type only. A part without an id is named by Relay, after what it stands in.
    getDataID: ({ id }, typeName) => (id === undefined ? undefined : `${typeName}:${String(id)}`),
  });
}

function isRefused(answer: GraphQLResponse): boolean {
  if (!('errors' in answer)) return false;
  const errors = answer.errors as readonly { readonly extensions?: { readonly code?: string } }[] | undefined; // ErrorCode
  return errors?.some(({ extensions }) => extensions?.code === 'UnAuthenticated') === true;
}

/** Polls a job to its end. */
export function pollWithRelay(
  environment: Environment,
  jobId: string,
  intervalMs = 1_000,
): Promise<NonNullable<Job['response']['job']>> {
  return new Promise((resolve, reject) => {
    const polled = fetchQuery<Job>(environment, FleetJobQuery, { jobId }).poll(intervalMs);
    const subscription = polled.subscribe({
      next: ({ job }) => {
        if (job?.completed !== true) return;
        subscription.unsubscribe();
        resolve(job);
      },
      error: reject,
    });
  });
}
