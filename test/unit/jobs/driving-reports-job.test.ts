/** The calls, the progress and the PDF of a driving report; the suites of reports judge how it is drawn. */
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { BackendApi, DrivingRecord, ServiceCalls } from '../../../src/clients/backend-api.js';
import type { GeoApi } from '../../../src/clients/geo-and-voip-api.js';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import {
  drivingReportsJob,
  reportKey,
  type DrivingReportsOptions,
} from '../../../src/jobs/kinds/driving-reports-job.js';
import { observerOf } from '../../../src/programs/telemetry/observers.js';
import {
  JobCancelledError,
  JobGaveWayError,
  JobStoppedError,
  type ItemEnd,
  type JobExecution,
} from '../../../src/jobs/job.js';
import { KeptDays } from '../../../src/jobs/kinds/driving-reports/kept-days.js';
import type { Patience } from '../../../src/jobs/run/patience.js';
import type { JobEnd } from '../../../src/jobs/record/job-ends.js';
import type { Progress } from '../../../src/jobs/record/job-store.js';
import { cutOffError, outageError, refusalError } from '../../support/failed-calls.js';
import { readingEnds } from '../../support/sample-report.js';
import type { DriverOutcome, ReportOptions } from '../../../src/reports/model.js';
import type { ReportRenderer } from '../../../src/reports/render/renderer.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { ERRORS } from '../../../src/base/error-table.js';
import { acceptInput } from '../../../src/jobs/job-start.js';
import { jobExecution } from './job-execution.js';

const DATE = '2026-11-19T09:30:00+09:00';
const SPAN = { from: '2026-11-19T00:00:00+09:00', to: '2026-11-20T00:00:00+09:00' };
const ORDERED = Date.parse('2026-11-18T12:00:00Z');
const FETCHED = Date.parse('2026-11-20T06:00:00Z');
const KEY = 'driving-reports/org/a%2Eb/2026-11-19/job-1.pdf';
const TABLE = KEY.replace('.pdf', '.csv');

let span: typeof SPAN;
let log: CapturedLog;
/** Ids whose day was asked for, in that order, and for whom. */
let fetched: string[];
let services: { org: string | undefined; bypassesCircuit: boolean }[];
/** How backend-api treats a request for the day of a driver. */
let dayOf: (mobileId: string, signal: AbortSignal) => Promise<void> | void;
/** How backend-api treats a request for a vehicle. */
let vehicleOf: (mobileId: string) => void;
let trips: DrivingRecord['trips'];
/** How the object store ends a write after it took an object. */
let store: (key: string, signal?: AbortSignal) => Promise<void> | void;
let stored: { key: string; bytes: string }[];
let drawn: { report: ReportOptions; outcomes: DriverOutcome[] }[];
let noted: Progress[];
let onDrawn: (outcome: DriverOutcome) => void;
let keptDays: KeptDays;

beforeEach(() => {
  span = SPAN;
  log = captureLog();
  [fetched, services, stored, drawn, noted, trips] = [[], [], [], [], [], []];
  const nothing = (): void => undefined;
  [dayOf, vehicleOf, store, onDrawn] = [nothing, nothing, nothing, nothing];
  keptDays = new KeptDays();
  isOfSpan = isTheSpan;
});

const isTheSpan = (asked: typeof span): boolean => asked.from === span.from && asked.to === span.to;
let isOfSpan = isTheSpan;

const backendApi = {
  asService: ({ org, signal, bypassesCircuit }: Parameters<BackendApi['asService']>[0]): Partial<ServiceCalls> => {
    services.push({ org, bypassesCircuit: bypassesCircuit?.() ?? false });
    return {
      async getDrivingRecord(mobileId, asked): Promise<DrivingRecord> {
        expect(isOfSpan(asked)).toBe(true);
        fetched.push(mobileId);
        await dayOf(mobileId, signal ?? new AbortController().signal);
        return { mobileId, ...asked, trips };
      },
      async getMobile(id) {
        await Promise.resolve(id).then(vehicleOf);
        return { id: Number(id), num: `num ${id}`, name: 'van', tagIds: [], position: null };
      },
    };
  },
} as unknown as BackendApi; // reports call it as a service alone

const renderer = {
  async *render(report, drivers, _signal, tell) {
    const outcomes: DriverOutcome[] = [];
    drawn.push({ report, outcomes });
    for await (const outcome of drivers(readingEnds(SPAN, 1))) {
      outcomes.push(outcome);
      onDrawn(outcome);
      yield Buffer.from('page.');
    }
    tell?.({ missingCharacters: new Map([['𓀀', 2]]), table: Readable.from([Buffer.from('row')]) });
  },
  close: () => Promise.resolve(),
} satisfies ReportRenderer;

const objectStore = {
  async put(key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
    let bytes = '';
    for await (const chunk of body) bytes += Buffer.from(chunk).toString();
    await store(key, signal);
    stored.push({ key, bytes });
    return { size: bytes.length };
  },
  downloadUrl: () => Promise.reject(new Error('Nothing is downloaded here.')),
  ping: () => Promise.resolve(),
};

function jobOf(
  keeping: KeptDays | undefined = keptDays,
  report: Partial<ReturnType<DrivingReportsOptions['report']>> = {},
  changes: Partial<DrivingReportsOptions> = {},
): ReturnType<typeof drivingReportsJob> {
  return drivingReportsJob({
    backendApi,
    geoApi: { reverseGeocode: () => Promise.resolve([]) } as unknown as GeoApi, // the call that pages are made with
    objectStore,
    renderer,
    reportMaxDrivers: 300,
    report: (org) => ({
      locale: 'ja',
      speedLimitKmh: 80,
      overLimitMinSeconds: 10,
      drivingRules: 'off',
      ...report,
      ...(org === 'far' && { timeZone: 'Pacific/Kiritimati' }),
    }),
    keptDays: keeping,
    ...changes,
  });
}

const driver = (mobileId: string): object => ({ mobileId, employeeCode: `E-${mobileId}`, employeeName: '佐藤' });

function attempt(mobileIds: readonly string[], changes: Partial<JobExecution> = {}, job = jobOf()): Promise<JobEnd> {
  const accepted = job.accept({ date: DATE, drivers: mobileIds.map(driver) });
  if (accepted.kind !== 'work') throw new Error('The body has no faults.');
  return accepted.work.run(
    jobExecution({
      job: { kind: 'driving-reports', org: 'a.b', jobId: 'job-1' },
      createdAt: ORDERED,
      fetchedAt: FETCHED,
      log: log.logger,
      saveProgress: (progress) => Promise.resolve(void noted.push(progress)),
      ...changes,
    }),
  );
}

const refuse = (mobileId: string): void => {
  throw refusalError(404, `no mobile ${mobileId}`);
};

describe('a day that is not over', () => {
  const day = Date.parse(SPAN.to);

  it('is told with a warning, from its first moment to its last', async () => {
    expect(await attempt(['1'], { fetchedAt: day - 1 })).toMatchObject({
      reply: { key: KEY, errorList: null },
      warnings: [{ code: 'DayNotOver', message: ERRORS.DayNotOver.text }],
    });
    expect(await attempt(['1'], { fetchedAt: day })).not.toHaveProperty('warnings');
  });

  it('is refused if it begins more than 24 hours after the order: by the start, and for each driver of a callback', async () => {
    const early = Date.parse(SPAN.from) - 24 * 3_600_000 - 1;
    const failure = { code: 'BadInput', message: ERRORS.DayNotBegun.text };
    const end = await attempt(['1', '2'], { createdAt: early });
    expect(end).toMatchObject({
      reply: {
        key: KEY,
        errorList: [
          { mobileId: '1', ...failure },
          { mobileId: '2', ...failure },
        ],
      },
      failures: [{ from: 0, to: 1, code: 'BadInput', reason: 'DayNotBegun' }],
    });
    expect(fetched).toEqual([]);
    expect(await attempt(['1'], { createdAt: early + 1 })).not.toHaveProperty('failures');
    const orderOf = (from: number) => ({ date: new Date(from).toISOString(), drivers: [driver('1')] });
    const begin = 24 * 3_600_000 * Math.ceil(Date.now() / 24 / 3_600_000);
    expect(acceptInput(jobOf(), orderOf(begin), 'input', 'a.b')).toMatchObject({ total: 1 });
    expect(() => acceptInput(jobOf(), orderOf(begin + 2 * 24 * 3_600_000), 'input', 'a.b')).toThrow(
      expect.objectContaining({ code: 'BadInput', reason: 'DayNotBegun' }),
    );
  });
});

describe('the body of a driving report', () => {
  it('may name as many drivers as the limit says, and is begun anew by each attempt', () => {
    const ids = Array.from({ length: 301 }, (_, index) => String(index));
    const body = { date: DATE, drivers: ids.slice(1).map(driver) };
    expect(jobOf().accept(body)).toMatchObject({ kind: 'work', work: { total: 300, resumes: false } });
    expect(jobOf().mobiles(body)).toEqual(
      ids.slice(1).map((id, index) => ({ id, path: ['drivers', index, 'mobileId'] })),
    );
    expect(jobOf().accept({ date: DATE, drivers: ids.map(driver) })).toEqual({
      kind: 'too many',
      values: { found: 301, limit: 300, variable: 'REPORT_MAX_DRIVERS' },
    });
  });

  it.each([
    ['a text', 'text'],
    ['nothing', null],
    ['a number', 7],
    ['an object without drivers', { date: DATE }],
  ])('that is %s is refused by its rules, and not counted', (_what, body) => {
    expect(jobOf().accept(body).kind).toBe('faults');
  });
});

describe('a driving report', () => {
  it('is drawn of the days of its drivers in their order, and stored under a key of its own', async () => {
    const end = await attempt(['1', '2']);
    expect(end).toEqual({ reply: { key: KEY, errorList: null }, hasTable: true });
    expect(stored).toEqual([
      { key: KEY, bytes: 'page.page.' },
      { key: TABLE, bytes: 'row' },
    ]);
    expect(drawn).toEqual([
      {
        report: {
          jobId: 'job-1',
          org: 'a.b',
          createdAt: new Date(ORDERED),
          date: DATE,
          fetchedAt: new Date(FETCHED),
          timeZone: undefined,
          driverCount: 2,
          locale: 'ja',
          speedLimitKmh: 80,
          overLimitMinSeconds: 10,
          drivingRules: 'off',
          form: undefined,
        },
        outcomes: ['1', '2'].map((mobileId) => ({
          kind: 'day',
          driver: { ...driver(mobileId), vehicle: { num: `num ${mobileId}`, name: 'van' } },
          trips: [],
          sent: 1,
          addressesMissing: false,
          isShared: false,
        })),
      },
    ]);
    // Each driver has one for the trips, and one for the vehicle.
    expect(services).toEqual([1, 2, 3, 4].map(() => ({ org: 'a.b', bypassesCircuit: false })));
    expect(log.text()).toContain('"characters":{"𓀀":2}');
  });

  it('with rules asks for the 24 hours before in a call of their own, and has them weighed', async () => {
    const before = '2026-11-17T15:00:00.000Z';
    isOfSpan = ({ from, to }) => (to === span.from ? from === before : from === span.from);
    const end = await attempt(['1'], {}, jobOf(keptDays, { drivingRules: 'eu-561-occasional' }));
    expect(end).not.toHaveProperty('failures');
    expect(fetched).toEqual(['1', '1']);
    expect(drawn[0]?.outcomes[0]).toMatchObject({ weighed: { mobiles: [{ mobileId: '1', trips: [], before: [] }] } });
  });

  it('is of the day of its time zone, by which its object is named, and asks for the trips of that day', async () => {
    span = { from: '2026-11-18T00:00:00-05:00', to: '2026-11-19T00:00:00-05:00' };
    const end = await attempt(['1'], {}, jobOf(keptDays, { timeZone: 'America/New_York' }));
    expect(end.reply).toMatchObject({ key: KEY.replace('2026-11-19', '2026-11-18'), errorList: null });
    expect(drawn[0]?.report).toMatchObject({ date: DATE, timeZone: 'America/New_York' });
  });

  it('has keys that cannot meet, with an organisation and without', () => {
    const job = { kind: 'driving-reports', jobId: '../a' } as const;
    expect(reportKey({ ...job, org: undefined }, '2026-11-19')).toBe(
      'driving-reports/no-org/2026-11-19/%2E%2E%2Fa.pdf',
    );
    expect(reportKey({ ...job, org: 'acme' }, '2026-11-19')).toBe('driving-reports/org/acme/2026-11-19/%2E%2E%2Fa.pdf');
  });

  it('tells of each driver without a page why, and of the others nothing', async () => {
    dayOf = (mobileId) => (mobileId === '2' ? refuse(mobileId) : undefined);
    const error = { mobileId: '2', employeeCode: 'E-2', code: 'NotFound', message: 'no mobile 2' };
    expect(await attempt(['1', '2', '3'])).toEqual({
      reply: { key: KEY, errorList: [error] },
      hasTable: true,
      failures: [{ from: 1, code: 'NotFound', reason: 'UnknownToBackend', values: { backendText: 'no mobile 2' } }],
    });
    expect(drawn[0]?.outcomes[1]).toMatchObject({ kind: 'failed', driver: driver('2'), reason: 'not found' });
    expect(log.complaints()).not.toContain('job.driver_failed');
  });

  it('hides the text of an unexpected error, and logs it', async () => {
    dayOf = () => {
      throw new Error('at line 5');
    };
    expect(await attempt(['1'])).toMatchObject({
      reply: { errorList: [{ code: 'InternalError', message: 'internal error' }] },
    });
    expect(log.complaints()).toContain('job.driver_failed');
    expect(log.text()).toContain('at line 5');
  });

  it('tells those who watch which drivers are done and which failed', async () => {
    dayOf = (mobileId) => (mobileId === '2' ? refuse(mobileId) : undefined);
    const ends: [number, ItemEnd][] = [];
    const observer = observerOf({
      item: (index) => ({ within: (work) => work(), finish: (end) => void ends.push([index, end]) }),
    });
    await attempt(['1', '2'], { observer });
    expect(ends.sort()).toEqual([
      [0, 'done'],
      [1, 'failed'],
    ]);
  });

  it('fetches the days of a few drivers ahead of the one that is drawn', async () => {
    let maxAhead = 0;
    let done = 0;
    onDrawn = () => {
      maxAhead = Math.max(maxAhead, fetched.length - done);
      done += 1;
    };
    await attempt(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(maxAhead).toBe(5);
  });
});

it.each([
  [['1'], 'of 1 driver'],
  [['1', '2'], 'of 2 drivers'],
])('a driving report warns when geo-api has no addresses for the drivers %j', async (mobileIds, whose) => {
  const end = { time: '2026-11-19T01:00:00Z', lat: 35.6, lng: 139.7 };
  const figures = { distanceMeters: 0, stopCount: 0, maxSpeedKmh: 0, idleSeconds: 0 };
  trips = [{ start: { ...end, time: '2026-11-19T00:30:00Z' }, end, ...figures, track: [] }];
  const geoApi = { reverseGeocode: () => Promise.reject(outageError()) } as unknown as GeoApi; // as above
  const message = `The addresses ${whose} could not be looked up. Order the report again to have them.`;
  expect(await attempt(mobileIds, {}, jobOf(keptDays, {}, { geoApi }))).toEqual({
    reply: { key: KEY, errorList: null },
    hasTable: true,
    warnings: [{ code: 'AddressesMissing', message, values: { count: mobileIds.length } }],
  });
});

describe('the progress of a driving report', () => {
  it('is noted for each driver, and is not less than what an earlier attempt had', async () => {
    await attempt(['1', '2', '3'], { doneBefore: 2 });
    expect(noted).toEqual([2, 2, 3].map((done) => ({ done, checkpoint: '{}' })));
  });

  it('counts drivers without a page as well', async () => {
    dayOf = (mobileId) => (mobileId === '2' ? refuse(mobileId) : undefined);
    await attempt(['1', '2', '3']);
    expect(noted.map(({ done }) => done)).toEqual([1, 2, 3]);
  });

  it('of many drivers is noted a hundred times at most, and at the end', async () => {
    await attempt(Array.from({ length: 201 }, (_, index) => String(index)));
    expect(noted.map(({ done }) => done)).toEqual([...Array.from({ length: 67 }, (_, index) => 3 * (index + 1))]);
    noted = [];
    await attempt(Array.from({ length: 203 }, (_, index) => String(index)));
    expect(noted.slice(-2).map(({ done }) => done)).toEqual([201, 203]);
  });
});

describe('a driving report that was cancelled', () => {
  it('is drawn of what was fetched by then; the other drivers were not begun, and are no progress', async () => {
    const cancellation = new AbortController();
    onDrawn = () => cancellation.abort(new JobCancelledError());
    const ids = ['1', '2', '3', '4', '5', '6', '7'];
    const { reply, failures } = await attempt(ids, { cancelled: cancellation.signal });
    expect(failures).toEqual([{ from: 5, to: 6, code: 'Cancelled', reason: 'NotBegun' }]);
    expect(reply).toMatchObject({ errorList: [{ message: 'not done, the job was cancelled' }, { mobileId: '7' }] });
    expect(fetched).toEqual(['1', '2', '3', '4', '5']);
    expect(noted.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5]);
    expect(drawn[0]?.outcomes[5]).toMatchObject({ kind: 'failed', reason: 'cancelled' });
  });

  it('while a driver waits out an outage counts that one as not begun when it was never asked for', async () => {
    const run = (): Promise<never> => Promise.reject(new JobCancelledError());
    const patience = { isExhausted: true, run } as unknown as Patience; // what is used
    const end = await attempt(['1'], { patience });
    expect(end).toMatchObject({ failures: [{ reason: 'NotBegun' }], reply: { errorList: [{ code: 'Cancelled' }] } });
    expect(services).toEqual([{ org: 'a.b', bypassesCircuit: true }]);
  });
});

describe('a driving report whose time is over', () => {
  it('asks for no further driver, and is stored with the reason', async () => {
    const deadline = AbortSignal.abort();
    expect(await attempt(['1'], { deadline })).toMatchObject({
      reply: { key: KEY, errorList: [{ message: 'not fetched, the time allowed for the job was over' }] },
    });
    expect([fetched, stored.length, drawn[0]?.outcomes[0]]).toEqual([
      [],
      2,
      expect.objectContaining({ kind: 'failed', driver: driver('1'), reason: 'out of time' }),
    ]);
  });

  it('ends the call that is under way, whose driver is not fetched', async () => {
    const deadline = new AbortController();
    dayOf = (_mobileId, signal) => {
      deadline.abort();
      if (signal.aborted) throw cutOffError();
    };
    expect(await attempt(['1'], { deadline: deadline.signal })).toMatchObject({
      reply: { errorList: [{ message: 'not fetched, the time allowed for the job was over' }] },
    });
  });

  it('still has its days for the drivers who are drawn', async () => {
    store = () => {
      throw new ServiceUnavailableError('the object store');
    };
    await expect(attempt(['1'])).rejects.toThrow(ServiceUnavailableError);
    store = () => undefined;
    const end = await attempt(['1'], { attempt: 2, deadline: AbortSignal.abort() });
    expect(end).not.toHaveProperty('failures');
  });
});

describe('the table of a driving report', () => {
  const TABLE_MISSING = {
    reply: { key: KEY, errorList: null },
    warnings: [{ code: 'TableMissing', message: ERRORS.TableMissing.text }],
  };

  it('is left out with a warning if it cannot be stored, and the report is as it was', async () => {
    store = (key) => {
      if (key === TABLE) throw new ServiceUnavailableError('the object store');
    };
    expect(await attempt(['1'])).toEqual(TABLE_MISSING);
    expect(stored.map(({ key }) => key)).toEqual([KEY]);
    expect(log.entries()).toContainEqual(expect.objectContaining({ event: 'report.table_missing', key: KEY }));
  });

  it('holds the job for as long as a part that a report can do without', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      store = (key, signal) =>
        key === KEY
          ? undefined
          : new Promise((_resolve, reject) => {
              signal?.addEventListener('abort', () => reject(signal.reason as Error)); // an error, as the job's are
              jest.advanceTimersByTime(14_999);
              if (!signal?.aborted) jest.advanceTimersByTime(1);
            });
      expect(await attempt(['1'])).toEqual(TABLE_MISSING);
      expect(log.entries()).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('15000 ms') }));
    } finally {
      jest.useRealTimers();
    }
  });

  it('is not stored by a job that was taken over, which says nothing', async () => {
    const letGo = new AbortController();
    store = (key) => {
      if (key === TABLE) letGo.abort(new Error('taken over'));
      letGo.signal.throwIfAborted();
    };
    await expect(attempt(['1'], { signal: letGo.signal })).rejects.toThrow('taken over');
    expect(stored.map(({ key }) => key)).toEqual([KEY]);
  });
});

describe('a driving report that cannot be stored', () => {
  beforeEach(() => {
    store = () => {
      throw new ServiceUnavailableError('the object store');
    };
  });

  it('fails, and its next attempt fetches no day again', async () => {
    await expect(attempt(['1', '2'])).rejects.toThrow(ServiceUnavailableError);
    const first = drawn[0]?.outcomes;
    fetched = [];
    store = () => undefined;
    await attempt(['1', '2'], { attempt: 2 });
    // The thread of this attempt has not read them.
    const unread = first?.map((outcome) => ({ ...outcome, sent: undefined }));
    expect([fetched, drawn[1]?.outcomes]).toEqual([[], unread]);
    expect(keptDays.bytes).toBe(0);
  });

  it('has a place of its own for its days where none is given', async () => {
    const job = jobOf(undefined);
    await expect(attempt(['1'], {}, job)).rejects.toThrow(ServiceUnavailableError);
    fetched = [];
    await expect(attempt(['1'], { attempt: 2 }, job)).rejects.toThrow(ServiceUnavailableError);
    expect(fetched).toEqual([]);
  });

  it('keeps no day that is not whole', async () => {
    vehicleOf = (mobileId) => {
      if (mobileId === '1') throw outageError();
    };
    const whole = attempt(['2']);
    await expect(whole).rejects.toThrow(ServiceUnavailableError);
    const bytes = keptDays.bytes;
    await expect(attempt(['1', '2'])).rejects.toThrow(ServiceUnavailableError);
    expect([bytes > 0, keptDays.bytes]).toEqual([true, bytes]);
  });

  it.each<[string, Error, boolean]>([
    ['was cut off', new JobStoppedError(), false],
    ['was taken over', new Error('taken over'), false],
    ['gave way', new JobGaveWayError(), true],
  ])('because it %s keeps its days only when it comes back here', async (_why, reason, isKept) => {
    const letGo = new AbortController();
    store = () => {
      letGo.abort(reason);
      throw reason;
    };
    await expect(attempt(['1'], { signal: letGo.signal })).rejects.toBe(reason);
    expect(keptDays.bytes > 0).toBe(isKept);
  });

  it('because it had to stop while it fetched forgets its days', async () => {
    dayOf = (mobileId) => {
      if (mobileId === '2') throw new JobStoppedError();
    };
    await expect(attempt(['1', '2'])).rejects.toThrow(JobStoppedError);
    expect(keptDays.bytes).toBe(0);
  });

  it('because it was let go while it fetched says so, and not that a driver failed', async () => {
    const letGo = new AbortController();
    dayOf = () => {
      letGo.abort(new Error('taken over'));
      throw cutOffError();
    };
    await expect(attempt(['1'], { signal: letGo.signal })).rejects.toThrow('taken over');
    // A day that came all the same is not drawn either.
    const later = new AbortController();
    dayOf = () => later.abort(new Error('taken over'));
    await expect(attempt(['1'], { signal: later.signal })).rejects.toThrow('taken over');
    expect(drawn.map(({ outcomes }) => outcomes)).toEqual([[], []]);
  });
});
