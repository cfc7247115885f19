import type { DrivingRecord, ServiceCalls } from '../../../clients/backend-api.js';
import type { GeoApi, Point } from '../../../clients/geo-api.js';
import { describeError } from '../../../errors.js';
import type { Logger } from '../../../logging/logger.js';
import type { ReadEnds, ReportTrip, ReportVehicle } from '../../../reports/model.js';
import type { Patience } from '../../run/patience.js';
import type { Vehicles } from './vehicles.js';

export interface DriverDaySources {
  readonly backend: ServiceCalls;
  readonly geoApi: GeoApi;
  readonly patienceWithGeoApi: Patience;
  readonly vehicles: Vehicles;
  readonly readEnds: ReadEnds;
  readonly log: Logger;
  /** Organisation of the job, if it has one. */
  readonly org: string | undefined;
  /** Ends the calls. Data that was fetched before is used. */
  readonly signal: AbortSignal;
}

export interface DriverDay {
  readonly trips: readonly ReportTrip[];
  /** Number of the day in the drawing thread. */
  readonly sent: number;
  readonly vehicle: ReportVehicle | undefined;
  /** True if another attempt could not fetch more. */
  readonly isWhole: boolean;
  /** True if the addresses could be looked up. */
  readonly hasAddresses: boolean;
}

/**
 * Fetches the trips of one mobile on one day, with the addresses of their ends, and its vehicle. An incomplete report
 * is better than none: without geo-api the addresses are null, and an unavailable vehicle is left out.
 *
 * @param span RFC 3339, `from` inclusive, `to` exclusive
 * @throws {GatewayError} `BadInput` when the id cannot be part of a request; errors of the call for the trips
 */
export async function fetchDriverDay(
  mobileId: string,
  span: { readonly from: string; readonly to: string },
  sources: DriverDaySources,
): Promise<DriverDay> {
  const { trips } = await sources.backend.getDrivingRecord(mobileId, span);
  const [addressed, { vehicle, isFinal }] = await Promise.all([
    withAddresses(mobileId, trips, sources),
    sources.vehicles.find(mobileId, sources.backend),
  ]);
  return { ...addressed, vehicle, isWhole: addressed.hasAddresses && isFinal };
}

async function withAddresses(
  mobileId: string,
  trips: DrivingRecord['trips'],
  { geoApi, patienceWithGeoApi, readEnds, log, org, signal }: DriverDaySources,
): Promise<Pick<DriverDay, 'trips' | 'sent' | 'hasAddresses'>> {
  const { sent, ends: possible } = await readEnds(trips);
  // Each place is looked up once: a trip usually starts at the end of the one before.
  const ends = new Map(possible.map((end) => [pointKey(end), { lat: end.lat, lng: end.lng }]));
  const caller = { kind: 'job', org, signal, log, insists: () => patienceWithGeoApi.isSpent } as const;
  let addresses: readonly (string | null)[] = [];
  let hasAddresses = true;
  try {
    addresses = await patienceWithGeoApi.run(() => geoApi.reverseGeocode([...ends.values()], caller));
  } catch (error) {
    hasAddresses = false;
    log.event('report.addresses_missing', { mobileId, reason: describeError(error) });
  }
  const byPoint = new Map([...ends.keys()].map((point, index) => [point, addresses[index] ?? null]));
  const addressed = trips.map((trip) => ({
    ...trip,
    startAddress: byPoint.get(pointKey(trip.start)) ?? null,
    endAddress: byPoint.get(pointKey(trip.end)) ?? null,
  }));
  return { trips: addressed, sent, hasAddresses };
}

function pointKey({ lat, lng }: Point): string {
  return `${lat},${lng}`;
}
