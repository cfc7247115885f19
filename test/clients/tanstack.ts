import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { QueryObserverOptions } from '@tanstack/query-core';
import { print } from 'graphql';
import { request } from './plain.js';
import { pauseAfter, type Polled } from './poll.js';
import type { Session } from './session.js';

/** Creates the options of `useQuery` that poll a job to its end, with a document of the client preset. */
export function jobQuery<Job extends Polled>(
  gatewayUrl: string,
  session: Session,
  document: TypedDocumentNode<{ readonly job?: Job | null }, { jobId: string }>,
  jobId: string,
  secondMs = 1_000,
): QueryObserverOptions<Job | null> {
  return {
    queryKey: ['job', jobId],
    queryFn: async ({ signal }) => {
      const { job } = await request<{ job?: Job | null }>(gatewayUrl, session, print(document), { jobId }, signal);
      return job ?? null;
    },
    // Polling repeats by itself, also while the page is hidden or believes to be offline.
    retry: false,
    networkMode: 'always',
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data, error } }) => {
      if (data?.completed === true) return false;
      return pauseAfter(error, (data?.pollAfterSeconds ?? 1) * secondMs) ?? false;
    },
  };
}
