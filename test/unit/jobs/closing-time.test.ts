import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { beforeClosing, JobStoppedError } from '../../../src/jobs/job.js';

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    const tell = (): void => resolve(signal.reason);
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell);
  });

let job: AbortController;
let deadline: AbortController;
beforeEach(() => {
  [job, deadline] = [new AbortController(), new AbortController()];
});

const run = <T>(graceMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  beforeClosing({ signal: job.signal, deadline: deadline.signal }, graceMs, work);

describe('what must not outlast its job', () => {
  it('ends with the job, for the same reason, also when that was let go before', async () => {
    const reason = new JobStoppedError('shutting down');
    const ended = run(10_000, aborted);
    job.abort(reason);
    expect(await ended).toBe(reason);
    expect(await run(10_000, aborted)).toBe(reason);
  });

  it.each([0, 20])('ends %d ms after the deadline, and says which variable set it', async (graceMs) => {
    let isOver = false;
    const ended = run(graceMs, aborted).finally(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    deadline.abort();
    expect(String(await ended)).toContain('JOB_DEADLINE_SECONDS');
    expect(String(await run(0, aborted))).toContain('JOB_DEADLINE_SECONDS');
  });

  it('has the whole time of grace, and none where there is none', async () => {
    jest.useFakeTimers();
    const isOver: boolean[] = [];
    const look = ({ aborted: isAborted }: AbortSignal): void => void isOver.push(isAborted);
    await run(20, (signal) => {
      deadline.abort();
      look(signal);
      jest.advanceTimersByTime(19);
      look(signal);
      jest.advanceTimersByTime(1);
      look(signal);
      return Promise.resolve();
    });
    await run(0, (signal) => {
      look(signal);
      return Promise.resolve();
    });
    jest.useRealTimers();
    expect(isOver).toEqual([false, false, true, true]);
  });

  it('leaves nothing on the signals of the job, and no timer', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await run(60_000, () => {
      deadline.abort();
      return Promise.resolve();
    });
    expect([job, deadline].map(({ signal }) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
    expect(timers()).toBe(before);
  });
});
