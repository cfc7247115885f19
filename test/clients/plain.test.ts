import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { print } from 'graphql';
import { environmentManager, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { installFrontEndPackage } from '../support/front-end-package.js';
import { pollsInTheBackground } from './background-tabs.js';
import { outlivesBadDays } from './bad-days.js';
import { POLL_MS, REPORT } from './front-end.js';
import { JOB, JOBS, ORDER, withJob, type Jobs, type Ordered, type OrderVariables, type Status } from './operations.js';
import { pollPlainly, request } from './plain.js';
import { pauseAfter, pollToEnd, repeated } from './poll.js';
import { jobQuery, jobsQuery, orderMutation } from './tanstack.js';

installFrontEndPackage('test/clients');

const variables = (): OrderVariables => ({ input: REPORT, idempotencyKey: randomUUID() });

const idsIn = (page: Jobs | undefined): readonly string[] => page?.jobs.edges.map(({ node }) => node.id) ?? [];

describe('fetch alone', () => {
  outlivesBadDays({}, (url, session) => {
    let shown: Jobs = { jobs: { edges: [] } };
    return {
      async order() {
        const ordered = variables();
        const ask = () => request<Ordered>(url, session, print(ORDER), ordered);
        const { startDrivingReports: job } = await repeated(ask);
        if (job?.status) shown = withJob(shown, job.status);
        return job?.jobId ?? '';
      },
      list: async () => (shown = await request<Jobs>(url, session, print(JOBS))),
      listed: () => idsIn(shown),
      poll: (jobId, signal) => pollPlainly<Status>(url, session, print(JOB), jobId, { secondMs: POLL_MS, signal }),
    };
  });

  pollsInTheBackground(
    {},
    `import { print } from 'graphql';
    import { JOB } from './operations.js';
    import { pollPlainly } from './plain.js';
    const pollJob = (jobId) => pollPlainly(url, session, print(JOB), jobId, options);`,
  );

  it('ends polling at a fault of the page, which is no fault of the network', async () => {
    const fault = new TypeError('undefined is not a function');
    await expect(pollToEnd(() => Promise.resolve({ error: fault }))).rejects.toBe(fault);
  });
});

describe('TanStack Query', () => {
  // It polls in pages alone.
  environmentManager.setIsServer(() => false);

  outlivesBadDays({}, (url, session) => {
    // Timers that throw away what no page shows would outlive the test.
    const kept = { gcTime: Infinity };
    const client = new QueryClient({ defaultOptions: { queries: kept, mutations: kept } });
    return {
      async order() {
        const observer = new MutationObserver(client, orderMutation(url, session, client));
        return (await observer.mutate(variables())).startDrivingReports?.jobId ?? '';
      },
      list: () => client.query(jobsQuery(url, session)),
      listed: () => idsIn(client.getQueryData(['jobs'])),
      poll(jobId, signal) {
        const observer = new QueryObserver(client, jobQuery<Status>(url, session, JOB, jobId, POLL_MS));
        let leave = (): void => undefined;
        const polled = new Promise<Status>((resolve, reject) => {
          leave = observer.subscribe(({ data, error }) => {
            if (data?.completed === true) resolve(data);
            else if (error instanceof Error && pauseAfter(error, 0) === undefined) reject(error);
          });
          signal?.addEventListener('abort', () => reject(signal.reason as Error)); // what `abort` was given
        });
        return polled.finally(() => {
          leave();
          client.clear();
        });
      },
    };
  });

  pollsInTheBackground(
    {},
    `import { QueryClient, QueryObserver } from '@tanstack/query-core';
    import { JOB } from './operations.js';
    import { jobQuery } from './tanstack.js';
    const pollJob = (jobId) => new Promise((resolve, reject) => {
      const observer = new QueryObserver(new QueryClient(), jobQuery(url, session, JOB, jobId, options.secondMs));
      observer.subscribe(({ data, error }) => (data?.completed ? resolve(data) : error && reject(error)));
    });`,
  );
});
