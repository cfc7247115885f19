import type { DrivingRecord, ServiceCalls } from '../../../clients/backend-api.js';
import type { GeoApi, GeoPoint } from '../../../clients/geo-and-voip-api.js';
import { endedBy } from '../../../clients/call-error.js';
import { describeError } from '../../../base/errors.js';
import type { Logger } from '../../../base/logging/logger.js';
import type {
  PersonMobile,
  ReadEnds,
  ReportDriver,
  ReportTrip,
  ReportVehicle,
  WeighedTrips,
} from '../../../reports/model.js';
import type { DrivingDay } from '../../../reports/day/report-date.js';
import type { OptionalPart } from './optional-part.js';
import { lookUpFailure } from '../item-error.js';
import type { BackendWithin, EmployeeMobiles, Vehicles } from './vehicles.js';

export interface DriverDaySources {
  readonly backend: Pick<ServiceCalls, 'getDrivingRecord'>;
  /** Calls for parts that a page can do without. */
  readonly backendWithin: BackendWithin;
  readonly geoApi: GeoApi;
  readonly vehicles: Vehicles;
  /** Parts that a page can do without; vehicles are another. */
  readonly addresses: OptionalPart;
  readonly weighedTrips: OptionalPart;
  readonly readEnds: ReadEnds;
  readonly log: Logger;
  readonly org: string | undefined;
  /** People of the request whose trips are weighed; undefined without rules. */
  readonly weighedEmployees: EmployeeMobiles | undefined;
  /** Ends the calls. Data that was fetched before is used. */
  readonly signal: AbortSignal;
}

export interface FetchedDay {
  readonly trips: readonly ReportTrip[];
  /** Number of the day in the drawing thread. */
  readonly sent: number;
  readonly vehicle: ReportVehicle | undefined;
  /** True if another attempt could not fetch more. */
  readonly isWhole: boolean;
  readonly hasAddresses: boolean;
  readonly weighed?: WeighedTrips | undefined;
}

/**
 * Fetches the trips of the mobile of a driver on one day, with the addresses of their ends, its vehicle, and the trips
 * that the driving time rules weigh beside them. An incomplete report is better than none: without geo-api the
 * addresses are null, an unavailable vehicle is left out, and further trips are undefined.
 *
 * @param span RFC 3339, `from` inclusive, `to` exclusive
 * @throws {GatewayError} `BadInput` when the id cannot be part of a request; errors of the call for the trips
 */
export async function fetchDriverDay(driver: ReportDriver, span: Span, sources: DriverDaySources): Promise<FetchedDay> {
  const { mobileId } = driver;
  const { backend, backendWithin, signal } = sources;
  const { trips } = await backend.getDrivingRecord(mobileId, span);
  const [addressed, { vehicle, isFinal }, weighed] = await Promise.all([
    withAddresses(mobileId, trips, sources),
    sources.vehicles.find(mobileId, backendWithin, signal),
    fetchWeighedTrips(driver, span, sources),
  ]);
  const hasAll = weighed?.mobiles.every((each) => each.trips !== undefined && each.before !== undefined) ?? true;
  const isWhole = addressed.hasAddresses && isFinal && hasAll;
  return { ...addressed, vehicle, isWhole, weighed };
}

type Span = Pick<DrivingDay, 'from' | 'to'>;

const DAY_MS = 24 * 3600 * 1000;

/** Fetches the trips of the 24 hours before the day, and those of other mobiles of the person. */
async function fetchWeighedTrips(
  driver: ReportDriver,
  span: Span,
  { backendWithin, log, signal, weighedEmployees, weighedTrips }: DriverDaySources,
): Promise<WeighedTrips | undefined> {
  if (weighedEmployees === undefined) return undefined;
  const { mobileIds, isNoPerson } = weighedEmployees.of(driver);
  const before = { from: new Date(Date.parse(span.from) - DAY_MS).toISOString(), to: span.from };
  const fetch = async (mobileId: string, within: Span): Promise<PersonMobile['trips']> => {
    try {
      const ask = (ending: AbortSignal) => backendWithin(ending).getDrivingRecord(mobileId, within);
      return (await weighedTrips.ask(ask, signal)).trips;
    } catch (error) {
      if (endedBy(error, 'key refused')) throw error;
      log.event('report.record_missing', { mobileId, from: within.from, reason: lookUpFailure(error) });
      return undefined;
    }
  };
  const mobiles = mobileIds.map(async (mobileId, index) => {
    // The trips of the first mobile are those of the page.
    const [earlier, trips] = await Promise.all([fetch(mobileId, before), index === 0 ? [] : fetch(mobileId, span)]);
    return { mobileId, trips, before: earlier, isShared: weighedEmployees.isShared(mobileId) };
  });
  return { mobiles: await Promise.all(mobiles), isNoPerson };
}

async function withAddresses(
  mobileId: string,
  trips: DrivingRecord['trips'],
  { addresses: part, geoApi, readEnds, log, org, signal }: DriverDaySources,
): Promise<Pick<FetchedDay, 'trips' | 'sent' | 'hasAddresses'>> {
  const { sent, ends } = await readEnds(trips);
  // Each place is looked up once: a trip usually starts at the end of the one before.
  const points = new Map(ends.map(({ lat, lng }) => [pointKey({ lat, lng }), { lat, lng }]));
  // The part knows of outages of geo-api sooner than a circuit, and repeats calls itself.
  const caller = { kind: 'job', org, log, bypassesCircuit: () => true } as const;
  const places = [...points.values()];
  let addresses: readonly (string | null)[] = [];
  let hasAddresses = true;
  try {
    const ask = (ending: AbortSignal) => geoApi.reverseGeocode(places, { ...caller, signal: ending });
    if (places.length > 0) addresses = await part.ask(ask, signal);
  } catch (error) {
    hasAddresses = false;
    log.event('report.addresses_missing', { mobileId, reason: describeError(error) });
  }
  const byPoint = new Map([...points.keys()].map((point, index) => [point, addresses[index] ?? null]));
  const lookUp = (point: GeoPoint): string | null => byPoint.get(pointKey(point)) ?? null;
  const addressed = trips.map((trip) => ({ ...trip, startAddress: lookUp(trip.start), endAddress: lookUp(trip.end) }));
  return { trips: addressed, sent, hasAddresses };
}

function pointKey({ lat, lng }: GeoPoint): string {
  return `${lat},${lng}`;
}
