import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { MutationObserverOptions, QueryClient, QueryObserverOptions } from '@tanstack/query-core';
import { print } from 'graphql';
import { JOBS, ORDER, withJob, type Jobs, type Ordered, type OrderVariables } from './operations.js';
import { request } from './plain.js';
import { pauseAfter, repeated, type Polled } from './poll.js';
import type { Session } from './session.js';

/** Creates the options of `useQuery` for the list of jobs. */
export function jobsQuery(gatewayUrl: string, session: Session): QueryObserverOptions<Jobs> {
  return { queryKey: ['jobs'], queryFn: ({ signal }) => request<Jobs>(gatewayUrl, session, print(JOBS), {}, signal) };
}

/** Creates the options of `useMutation` that order a report and put it on top of that list. */
export function orderMutation(
  gatewayUrl: string,
  session: Session,
  client: QueryClient,
): MutationObserverOptions<Ordered, Error, OrderVariables> {
  return {
    mutationFn: (variables) => repeated(() => request(gatewayUrl, session, print(ORDER), variables)),
    onSuccess: ({ startDrivingReports: job }) => {
      const status = job?.status;
      if (status) client.setQueryData<Jobs>(['jobs'], (page) => page && withJob(page, status));
    },
  };
}

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
