import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { print } from 'graphql';
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/query-core';
import { installFrontEndPackage } from '../support/front-end-package.js';
import { outlivesBadDays } from './bad-days.js';
import { POLL_MS, REPORT } from './front-end.js';
import { JOB, ORDER, type Status } from './operations.js';
import { pollPlainly, request } from './plain.js';
import { NoAnswerError, pauseAfter, pollToEnd } from './poll.js';
import type { Session } from './session.js';
import { jobQuery } from './tanstack.js';

installFrontEndPackage('test/clients');

async function order(gatewayUrl: string, session: Session): Promise<string> {
  const variables = { input: REPORT, idempotencyKey: randomUUID() };
  const ask = () => request<{ startDrivingReports: { jobId: string } }>(gatewayUrl, session, print(ORDER), variables);
  // Its key makes an order safe to repeat.
  const { startDrivingReports } = await ask().catch((error: unknown) => {
    if (error instanceof NoAnswerError && error.mayPass) return ask();
    throw error;
  });
  return startDrivingReports.jobId;
}

describe('fetch alone', () => {
  outlivesBadDays({}, (url, session) => ({
    order: () => order(url, session),
    poll: (jobId, signal) => pollPlainly<Status>(url, session, print(JOB), jobId, { secondMs: POLL_MS, signal }),
  }));

  it('ends polling at a fault of the page, which is no fault of the network', async () => {
    const fault = new TypeError('undefined is not a function');
    await expect(pollToEnd(() => Promise.resolve({ error: fault }))).rejects.toBe(fault);
  });
});

describe('TanStack Query', () => {
  // It polls in pages alone.
  environmentManager.setIsServer(() => false);

  outlivesBadDays({}, (url, session) => ({
    order: () => order(url, session),
    poll: (jobId, signal) => {
      const client = new QueryClient();
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
  }));
});
