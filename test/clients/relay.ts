import {
  ConnectionHandler,
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type GraphQLResponse,
} from 'relay-runtime';
import FleetJobQuery, { type FleetJobQuery as Job } from './generated/relay/FleetJobQuery.graphql';
import { fetchGateway, pollToEnd, RefusedError, repeated, type PollOptions, type ShownError } from './poll.js';
import type { Session } from './session.js';

/** Creates an environment of Relay. It names operations by the hashes that relay-compiler wrote. */
export function createRelayEnvironment(gatewayUrl: string, session: Session): Environment {
  const send = async (body: string): Promise<Answer> => {
    const response = await fetchGateway(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: session.authorization },
      body,
    });
    return (await response.json()) as Answer; // the compiler made the operation of the schema
  };
  return new Environment({
    network: Network.create(async ({ id, text }, variables, { metadata }) => {
      const body = JSON.stringify({ ...(id === null ? { query: text } : { documentId: `sha256:${id}` }), variables });
      // An idempotency key makes a mutation safe to repeat, which its caller says: a persisted operation has no text.
      const tries = metadata?.['hasIdempotencyKey'] === true ? undefined : 1;
      const { authorization } = session;
      let answer = await repeated(() => send(body), tries);
      if (errorsOf(answer).some(({ extensions }) => extensions?.['code'] === 'UnAuthenticated')) {
        await session.refresh(authorization);
        answer = await repeated(() => send(body), tries);
      }
      // Relay would show a null in place of an error of a root field. Deeper errors leave the rest as good as it is.
      const refusals = errorsOf(answer).filter(({ path = [] }) => path.length <= 1);
      if (refusals.length > 0) throw new RefusedError(refusals);
      return answer;
    }),
    store: new Store(new RecordSource()),
    // Ids are unique within a type only. A part without an id is named by Relay, after what it stands in.
    getDataID: ({ id }, typeName) => (id === undefined ? undefined : `${typeName}:${String(id)}`),
  });
}

type Answer = GraphQLResponse & { readonly errors?: readonly AnswerError[] };

interface AnswerError extends ShownError {
  readonly path?: readonly (string | number)[];
}

function errorsOf({ errors = [] }: Answer): readonly AnswerError[] {
  return errors;
}

/** Returns the `connections` of an order: the new job goes on top of the list of jobs (`@prependNode`) if it was read. */
export function shownJobs(environment: Environment): string[] {
  const list = ConnectionHandler.getConnectionID('client:root', 'Fleet_jobs');
  return environment.getStore().getSource().has(list) ? [list] : [];
}

/** Polls a job to its end. Faults that pass are waited out, at which `poll` of Relay itself would end. */
export function pollWithRelay(
  environment: Environment,
  jobId: string,
  options: PollOptions = {},
): Promise<NonNullable<Job['response']['job']>> {
  return pollToEnd(async () => {
    try {
      return { job: (await fetchQuery<Job>(environment, FleetJobQuery, { jobId }).toPromise())?.job };
    } catch (error) {
      return { error };
    }
  }, options);
}
