/** A gateway after hundreds of jobs: nothing of them is left in the process. */
import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import v8 from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import {
  createAccount,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

const IN_TIME = 600_000;
const AT_ONCE = 10;
const WARM_UP = 60;
/** Twice what connections may account for, so that one signal left of each job shows. */
const JOBS = 200;
const LOOK_MS = 1_000;
/** Signals that connections may have which were opened meanwhile; a busy machine needs more of them. */
const OF_CONNECTIONS = 100;

/** Possible remains of a job: signals, timers that keep the process alive, listeners of the process. */
interface Left {
  readonly signals: number;
  readonly timers: number;
  readonly listeners: number;
}

describe('A gateway', () => {
  // No lease is due to be renewed, so none is lost by itself.
  const gateway = forAllTests(() => startTestGateway({ JOB_LEASE_SECONDS: '3600' }));
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  beforeAll(() => void process.on('warning', onWarning));
  afterAll(() => void process.off('warning', onWarning));

  function left(): Left {
    return {
      // Collects what can be collected first.
      signals: queryObjects(AbortSignal),
      timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
      listeners: process.eventNames().reduce((sum, name) => sum + getEventListeners(process, String(name)).length, 0),
    };
  }

  /** Jobs of all kinds, most of which have something that fails; a report takes longest, so few of them. */
  async function run(index: number): Promise<void> {
    const headers = jobHeaders(`job-${index}`);
    const [path, body] =
      index % 20 === 0
        ? [DRIVING_REPORT, reportOf(1, 'nobody')]
        : index % 2 === 0
          ? [USER_ACCOUNTS, [createAccount(`account-${index}`), deleteAccount('nobody')]]
          : [MOBILES, [{ id: (index % 50) + 1, name: `Truck ${index}` }, { id: 2_000_000_000 }]];
    expect((await gateway.callback(path, body, headers)).status).toBe(200);
  }

  async function runJobs(from: number, to: number): Promise<void> {
    let next = from;
    const worker = async (): Promise<void> => {
      while (next < to) await run(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  it(
    'has as many signals, timers and listeners after hundreds of jobs as before',
    async () => {
      // Connections, fonts and what else is made once.
      await runJobs(0, WARM_UP);
      const before = left();
      await runJobs(WARM_UP, WARM_UP + JOBS);
      await waitFor('what is left to be as before', async () => {
        // Each look walks through the whole heap.
        await delay(LOOK_MS);
        const now = left();
        const { timers, listeners, signals } = before;
        return now.timers <= timers && now.listeners <= listeners && now.signals <= signals + OF_CONNECTIONS;
      }).catch((error: unknown) => {
        throw new Error(`${String(error)} Before ${JSON.stringify(before)}, then ${JSON.stringify(left())}.`);
      });
      expect(warnings).toEqual([]);
    },
    IN_TIME,
  );
});

/** How many objects of a class are alive. Node.js 20.13 and later; its types do not know it yet. */
function queryObjects(constructor: unknown): number {
  const query: unknown = Reflect.get(v8, 'queryObjects');
  if (typeof query !== 'function') throw new Error('v8.queryObjects is missing.');
  return Number(Reflect.apply(query, v8, [constructor]));
}
