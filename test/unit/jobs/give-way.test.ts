/** Who is asked to give way, and how often anybody looks. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JobIdentity } from '../../../src/job-record/job-record.js';
import { createGivingWay, type GivingWay } from '../../../src/jobs/run/give-way.js';
import { JobGaveWayError } from '../../../src/jobs/job.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';

const LOOK_MS = 500;

let log: CapturedLog;
let asked: (string | undefined)[];
/** Who should give way; by default nobody. */
let surplus: () => Promise<readonly Pick<JobIdentity, 'kind' | 'jobId'>[]>;
let givingWay: GivingWay;
let gaveWay: string[];

beforeEach(() => {
  jest.useFakeTimers();
  log = captureLog();
  asked = [];
  gaveWay = [];
  surplus = () => Promise.resolve([]);
  const organisations = {
    surplus: (org: string | undefined) => {
      asked.push(org);
      return surplus();
    },
  };
  givingWay = createGivingWay(organisations, log.logger);
});
afterEach(() => {
  const left = jest.getTimerCount();
  jest.useRealTimers();
  expect(left).toBe(0);
});

function watch(org: string | undefined, jobId: string, kind: JobIdentity['kind'] = 'mobiles'): () => void {
  const giveWay = (reason: JobGaveWayError): void => {
    expect(reason).toBeInstanceOf(JobGaveWayError);
    gaveWay.push(`${org} ${kind} ${jobId}`);
  };
  return givingWay.watch({ job: { kind, org, jobId }, giveWay });
}

describe('running jobs', () => {
  it('are looked at twice a second, once for each organisation, and not at all when none runs', async () => {
    const ends = [watch('acme', '1'), watch('acme', '2'), watch('globex', '3'), watch(undefined, '4')];
    await jest.advanceTimersByTimeAsync(LOOK_MS - 1);
    expect(asked).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(asked).toEqual(['acme', 'globex', undefined]);
    for (const end of ends.slice(1)) end();
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(asked.slice(3)).toEqual(['acme']);
    ends[0]?.();
    await jest.advanceTimersByTimeAsync(10 * LOOK_MS);
    expect(asked).toHaveLength(4);

    const end = watch('acme', '5');
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(asked).toHaveLength(5);
    end();
  });

  it('give way when they are among those that should, by kind, organisation and id', async () => {
    surplus = () => Promise.resolve(asked.length === 1 ? [{ kind: 'mobiles', jobId: '1' }] : []);
    const ends = [watch('acme', '1'), watch('acme', '1', 'user-accounts'), watch('acme', '2'), watch('globex', '1')];
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(gaveWay).toEqual(['acme mobiles 1']);
    for (const end of ends) end();
  });

  it('go on when nobody can be asked, which is logged, and are looked at again', async () => {
    surplus = () => Promise.reject(new Error('the store is away'));
    const end = watch('acme', '1');
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect([gaveWay, log.complaints()]).toEqual([[], ['job.surplus_unknown']]);
    surplus = () => Promise.resolve([{ kind: 'mobiles', jobId: '1' }]);
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(gaveWay).toEqual(['acme mobiles 1']);
    end();
  });

  it('are not looked at again while a look takes its time', async () => {
    let answer = (): void => undefined;
    surplus = () => new Promise((resolve) => (answer = () => resolve([])));
    const end = watch('acme', '1');
    await jest.advanceTimersByTimeAsync(10 * LOOK_MS);
    expect(asked).toHaveLength(1);
    answer();
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(asked).toHaveLength(2);
    answer();
    end();
  });
});
