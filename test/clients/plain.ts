import { pollToEnd, RefusedError, type PollOptions, type Polled } from './poll.js';
import { ask, type Session } from './session.js';

/** A page without a library: asks with the tokens of a session, and once more with new ones. @throws as `ask` does */
export async function request<Data>(
  gatewayUrl: string,
  session: Session,
  query: string,
  variables: object = {},
  signal?: AbortSignal,
): Promise<Data> {
  const { authorization } = session;
  try {
    return await ask<Data>(gatewayUrl, query, variables, { authorization, signal });
  } catch (error) {
    if (!(error instanceof RefusedError && error.has('UnAuthenticated'))) throw error;
    await session.refresh(authorization);
  }
  return ask<Data>(gatewayUrl, query, variables, { authorization: session.authorization, signal });
}

/** Polls a job to its end. Faults that pass are waited out. */
export function pollPlainly<Job extends Polled>(
  gatewayUrl: string,
  session: Session,
  query: string,
  jobId: string,
  options: PollOptions = {},
): Promise<Job> {
  return pollToEnd(
    () =>
      request<{ job: Job | null }>(gatewayUrl, session, query, { jobId }, options.signal).catch((error: unknown) => ({
        job: undefined,
        error,
      })),
    options,
  );
}
