import { Environment, fetchQuery, Network, RecordSource, Store, type GraphQLResponse } from 'relay-runtime';
import FleetJobQuery, { type FleetJobQuery as Job } from './generated/relay/FleetJobQuery.graphql';
import { pass, pauseAfter, type ShownError } from './poll.js';
import type { Session } from './session.js';

/** Creates an environment of Relay. It names operations by the hashes that relay-compiler wrote. */
export function createRelayEnvironment(gatewayUrl: string, session: Session): Environment {
  const send = async (body: string): Promise<Answer> => {
    const response = await fetch(`${gatewayUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: session.authorization },
      body,
    });
    return (await response.json()) as Answer; // the compiler made the operation of the schema
  };
  return new Environment({
    network: Network.create(async ({ id, text }, variables) => {
      const body = JSON.stringify({ ...(id === null ? { query: text } : { documentId: `sha256:${id}` }), variables });
      // An idempotency key makes a mutation safe to repeat. Polling repeats its queries by itself.
      const tries = 'idempotencyKey' in variables ? TRIES : 1;
      let answer = await repeated(tries, () => send(body));
      if (errorsOf(answer).some(({ extensions }) => extensions?.['code'] === 'UnAuthenticated')) {
        await session.refresh();
        answer = await repeated(tries, () => send(body));
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

const TRIES = 5;
const PAUSE_MS = 300;

/** Sends a request again as long as its answer is lost. */
async function repeated<T>(tries: number, send: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await send();
    } catch (error) {
      if (left <= 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

type Answer = GraphQLResponse & { readonly errors?: readonly AnswerError[] };

interface AnswerError extends ShownError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

function errorsOf({ errors = [] }: Answer): readonly AnswerError[] {
  return errors;
}

/** The gateway refused a root field, or the request as a whole. */
export class RefusedError extends Error {
  readonly errors: readonly AnswerError[];

  constructor(errors: readonly AnswerError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }
}

/** Polls a job to its end. Faults that pass are waited out, at which `poll` of Relay itself would end. */
export async function pollWithRelay(
  environment: Environment,
  jobId: string,
  intervalMs = 1_000,
): Promise<NonNullable<Job['response']['job']>> {
  for (;;) {
    let waitMs: number | undefined = intervalMs;
    try {
      const answer = await fetchQuery<Job>(environment, FleetJobQuery, { jobId }).toPromise();
      if (answer?.job?.completed === true) return answer.job;
    } catch (error) {
      waitMs = pauseAfter(error instanceof RefusedError ? error.errors : [], intervalMs);
      if (waitMs === undefined) throw error;
    }
    await pass(waitMs);
  }
}
