import type { components } from '../../../generated/gateway.js';
import type { DrivingReportsInput } from '../../../generated/graphql.js';
import { DrivingReportReply, DrivingReportRequest } from '../../../generated/validators/gateway.js';
import type { BackendApi } from '../../clients/backend-api.js';
import type { GeoApi } from '../../clients/geo-and-voip-api.js';
import { textOf } from '../../base/error-table.js';
import { GatewayError } from '../../base/errors.js';
import { type DrivingDay, drivingDay, isUnfinished } from '../../reports/day/report-date.js';
import type { DrawnFile, DriverOutcome, ReportOptions } from '../../reports/model.js';
import type { ReportRenderer } from '../../reports/render/renderer.js';
import type { JobEnd } from '../record/job-ends.js';
import { failuresOfItems, notedFailures } from '../record/job-failures.js';
import { encodeKeyPart, type JobIdentity, type JobResult, type JobWarning } from '../record/job-record.js';
import type { ObjectStore } from '../../objects/object-store.js';
import {
  beforeClosing,
  CLOSING_MS,
  JobGaveWayError,
  JobStoppedError,
  observedItem,
  type JobExecution,
} from '../job.js';
import {
  NOT_BEGUN,
  type FailedDriver,
  type OutcomeOfDriver,
  outcomeOfDriver,
  type OutcomeSources,
} from './driving-reports/outcome-of-driver.js';
import { reasonOf } from './item-error.js';
import { KeptDays } from './driving-reports/kept-days.js';
import { optionalSources } from './driving-reports/optional-part.js';
import { defineJob } from '../job-definition.js';
import { storeTable, tableKeyOf } from './driving-reports/stored-table.js';
import { findEmployeeMobiles, vehiclesOf } from './driving-reports/vehicles.js';

type Schemas = components['schemas'];
type Driver = Schemas['Driver'];
type Reply = Schemas['DrivingReportReply'];

export interface DrivingReportsOptions {
  readonly report: ReportSettingsOf;
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  readonly objectStore: ObjectStore;
  readonly renderer: ReportRenderer;
  readonly reportMaxDrivers: number;
  /** Days of drivers whose reports could not be stored; by default a separate instance. */
  readonly keptDays?: KeptDays;
}

/** Returns the settings of the reports of an organisation, or of a job without one. */
export type ReportSettingsOf = (
  org: string | undefined,
) => Omit<ReportOptions, 'jobId' | 'org' | 'createdAt' | 'date' | 'fetchedAt' | 'driverCount'>;

/** Number of drivers whose data is fetched while an earlier one is drawn. */
const FETCH_AHEAD = 4;

/** Approximate number of progress updates, independent of the number of drivers. */
const PROGRESS_STEPS = 100;

/** Generates the driving report of one day and stores the PDF in the object store. */
export function drivingReportsJob(options: DrivingReportsOptions) {
  const keptDays = options.keptDays ?? new KeptDays();
  const parts = optionalSources();
  return defineJob({
    kind: 'driving-reports',
    start: 'startDrivingReports',
    // RFC 3339 takes `t` and `z`, and the callback only capitals.
    bodyOf: ({ date, ...input }: DrivingReportsInput) => ({ ...input, date: date.toUpperCase() }),
    status: 'fetchDrivingReportsStatus',
    statusType: 'DrivingReportsStatus',
    administratorsOnly: false,
    limit: { variable: 'REPORT_MAX_DRIVERS', max: options.reportMaxDrivers },
    validate: DrivingReportRequest,
    itemsAt: ['drivers'],
    requireOrderable: ({ date }, org) => {
      if (isTooEarly(drivingDay(date, options.report(org).timeZone), Date.now())) throw new GatewayError('DayNotBegun');
    },
    visibility: {
      date: 'no thing',
      drivers: { mobileId: 'mobile', employeeCode: 'no thing', employeeName: 'no thing' },
    },
    resumes: false,
    run: (request, execution) => generate(request, execution, { ...options, keptDays, parts }),
    validateReply: DrivingReportReply,
    toStatus: statusPartsOf,
  });
}

function statusPartsOf(reply: Reply | undefined, { failures: noted, hasTable }: Partial<JobResult> = {}) {
  const errorList = reply?.errorList ?? null;
  const errors = errorList?.map(({ mobileId, employeeCode, message }) =>
    mobileId === '' ? message : `${mobileId} ${employeeCode}: ${message}`,
  );
  const items = failuresOfItems(noted);
  const failures = (errorList ?? []).map((error, at) => ({
    ...error,
    // One entry may stand for all drivers.
    index: items.length === errorList?.length ? (items[at]?.index ?? null) : null,
    subject: error.employeeCode === '' ? null : error.employeeCode,
    ...reasonOf(items[at]),
  }));
  const key = reply?.key || null;
  const tableUrl = key && hasTable ? tableKeyOf(key) : null;
  return { errors, failures, own: { key, tableUrl, errorList: errorList && failures } };
}

/**
 * Object key of a report. Keys of jobs with and without an organisation cannot collide.
 *
 * @param day `yyyy-mm-dd`
 */
export function reportKey({ org, jobId }: JobIdentity, day: string): string {
  const owner = org === undefined ? 'no-org' : `org/${encodeKeyPart(org)}`;
  return `driving-reports/${owner}/${day}/${encodeKeyPart(jobId)}.pdf`;
}

async function generate(
  request: Schemas['DrivingReportRequest'],
  execution: JobExecution,
  options: Required<DrivingReportsOptions> & { readonly parts: ReturnType<typeof optionalSources> },
): Promise<JobEnd> {
  const { job, signal, log, orderedBy } = execution;
  const settings = options.report(job.org);
  const fetchedAt = new Date(execution.fetchedAt);
  const day = drivingDay(request.date, settings.timeZone, fetchedAt);
  const mobileIds = request.drivers.map(({ mobileId }) => mobileId);
  const days = options.keptDays.of(execution);
  const employeeMobiles = findEmployeeMobiles(request.drivers);
  const sources = {
    ...options,
    vehicles: vehiclesOf(mobileIds, options.parts.vehicles(), log),
    addresses: options.parts.addresses(),
    weighedTrips: options.parts.weighedTrips(),
    days,
    employeeMobiles,
    isTooEarly: isTooEarly(day, execution.createdAt),
    weighedEmployees: settings.drivingRules === 'off' ? undefined : employeeMobiles,
  };
  const key = reportKey(job, day.day);
  const shortcomings: Shortcomings = { failed: [], withoutAddresses: 0 };

  let drawnTable: DrawnFile['table'] | undefined;
  const pdf = options.renderer.render(
    {
      ...settings,
      jobId: job.jobId,
      org: job.org,
      orderedBy: orderedBy && [orderedBy.BackendUser, orderedBy.LoggedInId].filter(Boolean).join(' / '),
      createdAt: new Date(execution.createdAt),
      date: request.date,
      fetchedAt,
      driverCount: request.drivers.length,
    },
    (readEnds) => driverOutcomes(request.drivers, day, execution, { ...sources, readEnds }, shortcomings),
    signal,
    ({ missingCharacters: characters, table }) => {
      drawnTable = table;
      if (characters.size > 0) log.event('report.characters_missing', { characters: Object.fromEntries(characters) });
    },
  );
  try {
    const { size } = await beforeClosing(execution, CLOSING_MS, (closing) =>
      options.objectStore.put(key, pdf, closing),
    );
    log.event('report.stored', { key, bytes: size });
    days.forget();
  } catch (error) {
    // A job that was stopped usually continues in another process.
    const isAborted = signal.aborted || error instanceof JobStoppedError;
    if (isAborted && !(signal.reason instanceof JobGaveWayError)) days.forget();
    else days.keep();
    throw error;
  }
  const hasTable = drawnTable !== undefined && (await storeTable(drawnTable, execution, options.objectStore, key));
  const { failed, withoutAddresses: count } = shortcomings;
  const warnings = [
    ...(isUnfinished(day) ? [warningOf('DayNotOver')] : []),
    ...(count > 0 ? [addressesMissing(count)] : []),
    ...(hasTable ? [] : [warningOf('TableMissing')]),
  ];
  const errorList = failed.map(({ driver: { mobileId, employeeCode }, failure: { code, message } }) => ({
    mobileId,
    employeeCode,
    code,
    message,
  }));
  const reply: Reply = { key, errorList: failed.length > 0 ? errorList : null };
  return {
    reply,
    ...notedFailures(failed.map(({ index, failure: { code, reason, values } }) => ({ index, code, reason, values }))),
    ...(warnings.length > 0 && { warnings }),
    ...(hasTable && { hasTable }),
  };
}

/** Time before a day in which its report may be ordered, in milliseconds: orders may be sent ahead. */
const EARLY_MS = 24 * 3_600_000;

function isTooEarly({ from }: Pick<DrivingDay, 'from'>, orderedAt: number): boolean {
  return Date.parse(from) > orderedAt + EARLY_MS;
}

function warningOf(code: 'DayNotOver' | 'TableMissing'): JobWarning {
  return { code, message: textOf(code) };
}

function addressesMissing(count: number): JobWarning {
  return { code: 'AddressesMissing', message: textOf('AddressesMissing', { count }), values: { count } };
}

interface Shortcomings {
  /** Drivers without a page, with their places in the body, from 0. */
  readonly failed: (FailedDriver & { readonly index: number })[];
  /** Number of drivers whose addresses could not be looked up. */
  withoutAddresses: number;
}

function isNotBegun(outcome: OutcomeOfDriver): boolean {
  return outcome.kind === 'failed' && outcome.reason === NOT_BEGUN.reason;
}

/** Yields the outcomes of the drivers in order, and adds to `shortcomings`. */
async function* driverOutcomes(
  drivers: readonly Driver[],
  span: { readonly from: string; readonly to: string },
  execution: JobExecution,
  options: OutcomeSources,
  shortcomings: Shortcomings,
): AsyncGenerator<DriverOutcome> {
  const step = Math.ceil(drivers.length / PROGRESS_STEPS);
  let index = 0;
  let done = 0;
  const outcomes = mapAhead(drivers, FETCH_AHEAD, (driver, place) => {
    const work = (): Promise<OutcomeOfDriver> => outcomeOfDriver(driver, span, execution, options);
    return observedItem(execution, place, work, ({ kind }) => kind === 'failed');
  });
  for await (const outcome of outcomes) {
    if (outcome.kind === 'failed') shortcomings.failed.push({ ...outcome, index });
    else if (outcome.addressesMissing === true) shortcomings.withoutAddresses += 1;
    yield outcome;
    index += 1;
    if (isNotBegun(outcome)) continue;
    done += 1;
    if (done % step !== 0 && done !== drivers.length) continue;
    // The checkpoint is empty, because every attempt draws the report from its beginning.
    await execution.saveProgress({ done: Math.max(done, execution.doneBefore), checkpoint: '{}' });
  }
}

/**
 * Maps items in order with up to `ahead` calls under way, so that input is fetched while the consumer works. The error
 * of a failed call is thrown in the place of its result. A consumer that leaves the loop early starts no further call.
 */
export async function* mapAhead<Item, Result>(
  items: readonly Item[],
  ahead: number,
  map: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  let next = 0;
  const start = (): void => {
    for (const item of items.slice(next, next + ahead - underWay.length)) {
      const result = map(item, next);
      // The result may be awaited late or never; until then a rejection must not count as unhandled.
      result.catch(() => undefined);
      underWay.push(result);
      next += 1;
    }
  };
  start();
  for (let result = underWay.shift(); result !== undefined; result = underWay.shift()) {
    const value = await result;
    start();
    yield value;
  }
}
