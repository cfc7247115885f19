import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { JobStoppedError } from '../../../src/jobs/job.js';
import { uploadTime } from '../../../src/jobs/upload-time.js';

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

let job: AbortController;
let deadline: AbortController;
beforeEach(() => {
  [job, deadline] = [new AbortController(), new AbortController()];
});

describe('the time of an upload', () => {
  it('ends with the job, for the same reason', () => {
    const upload = uploadTime({ signal: job.signal, deadline: deadline.signal });
    const reason = new JobStoppedError('shutting down');
    job.abort(reason);
    expect(upload.signal.reason).toBe(reason);
    upload.end();
  });

  it('ends some time after the deadline, and says which variable set it', async () => {
    const upload = uploadTime({ signal: job.signal, deadline: deadline.signal }, 20);
    expect(upload.signal.aborted).toBe(false);
    deadline.abort();
    expect(await aborted(upload.signal)).toMatchObject({
      code: 'InternalError',
      message: expect.stringContaining('JOB_DEADLINE_SECONDS'),
    });
  });

  it('leaves nothing on the signals of the job', () => {
    const upload = uploadTime({ signal: job.signal, deadline: deadline.signal }, 20);
    deadline.abort();
    upload.end();
    expect([job, deadline].map(({ signal }) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
  });
});
