/** The data that make a driver's page, and the data that it does without. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DrivingRecord, Mobile, ServiceCalls } from '../../../src/clients/backend-api.js';
import { CallError } from '../../../src/clients/call-error.js';
import type { Caller } from '../../../src/clients/caller.js';
import type { GeoApi, GeoPoint } from '../../../src/clients/geo-and-voip-api.js';
import { fetchDriverDay, type FetchedDay } from '../../../src/jobs/kinds/driving-reports/fetch-driver-day.js';
import type { components } from '../../../generated/gateway.js';
import {
  findEmployeeMobiles,
  type EmployeeMobiles,
  vehiclesOf,
} from '../../../src/jobs/kinds/driving-reports/vehicles.js';
import { optionalSources } from '../../../src/jobs/kinds/driving-reports/optional-part.js';
import { captureLog, type CapturedLog } from '../../support/captured-log.js';
import { outageError, refusalError } from '../../support/failed-calls.js';
import { readingEnds } from '../../support/sample-report.js';

type Trip = DrivingRecord['trips'][number];
type Schemas = components['schemas'];

const SPAN = { from: '2026-11-19T00:00:00Z', to: '2026-11-20T00:00:00Z' };
const MOBILE: Mobile = { id: 7, num: '1', name: 'van', tagIds: [], position: null };
const signal = new AbortController().signal;

function trip(start: GeoPoint, end: GeoPoint): Trip {
  const rest = { distanceMeters: 1, stopCount: 2, maxSpeedKmh: 3, idleSeconds: 4, track: [] };
  // Without times all places can be.
  return { start: { time: '', ...start }, end: { time: '', ...end }, ...rest };
}

const HOME = { lat: 35, lng: 139 };
const DEPOT = { lat: 35.5, lng: 139 };

let log: CapturedLog;
let trips: Trip[];
/** The calls to geo-api, and its answers. */
let geocoded: { points: readonly GeoPoint[]; caller: Caller }[];
let addressOf: (point: GeoPoint) => string | null;
let mobile: () => Mobile;

beforeEach(() => {
  log = captureLog();
  trips = [];
  geocoded = [];
  addressOf = ({ lat, lng }) => `at ${lat}/${lng}`;
  mobile = () => MOBILE;
});

function fetchDay(record?: Record, weighedEmployees?: EmployeeMobiles): Promise<FetchedDay> {
  const geoApi = {
    reverseGeocode(points: readonly GeoPoint[], caller: Caller) {
      geocoded.push({ points, caller });
      return new Promise((resolve) => resolve(points.map(addressOf)));
    },
  } as unknown as GeoApi; // the call that pages are made with
  const backend = {
    getDrivingRecord: (mobileId: string, span: typeof SPAN) =>
      Promise.resolve().then(() => record?.(mobileId, span) ?? { mobileId, ...span, trips }),
    getMobile: () => Promise.resolve().then(() => mobile()),
  } as unknown as ServiceCalls; // the calls that pages are made with
  const parts = optionalSources();
  const vehicles = vehiclesOf(['7'], parts.vehicles(), log.logger);
  const readEnds = readingEnds(SPAN, 3);
  const [addresses, weighedTrips] = [parts.addresses(), parts.weighedTrips()];
  const sources = {
    addresses,
    backend,
    backendWithin: () => backend,
    geoApi,
    vehicles,
    readEnds,
    weighedEmployees,
    weighedTrips,
  };
  return fetchDriverDay({ mobileId: '7', employeeCode: 'E1', employeeName: 'Sato' }, SPAN, {
    ...sources,
    log: log.logger,
    org: 'acme',
    signal,
  });
}

type Record = (mobileId: string, span: typeof SPAN) => DrivingRecord;

describe('the trips that rules weigh', () => {
  const driver = (mobileId: string, employeeCode: string): Schemas['Driver'] => ({
    mobileId,
    employeeCode,
    employeeName: 'Sato',
  });
  const asked: string[] = [];
  const record: Record = (mobileId, { from, to }) => {
    asked.push(`${mobileId} ${from} ${to}`);
    if (mobileId === '9') throw outageError();
    return { mobileId, trips };
  };

  it('are those of the 24 hours before, and of the other mobiles of the person; a failed call costs the page nothing', async () => {
    trips = [trip(HOME, DEPOT)];
    const employeeMobiles = findEmployeeMobiles([
      driver('7', 'E1'),
      driver('8', ' E1'),
      driver('9', 'E1'),
      driver('8', 'E2'),
    ]);
    const { weighed, isWhole } = await fetchDay(record, employeeMobiles);
    const [before, day] = ['2026-11-18T00:00:00.000Z 2026-11-19T00:00:00Z', `${SPAN.from} ${SPAN.to}`];
    expect(asked.toSorted()).toEqual([`7 ${before}`, `7 ${day}`, `8 ${before}`, `8 ${day}`, `9 ${before}`, `9 ${day}`]);
    expect(weighed).toEqual({
      isNoPerson: false,
      mobiles: [
        { mobileId: '7', trips: [], before: trips, isShared: false },
        { mobileId: '8', trips, before: trips, isShared: true },
        { mobileId: '9', trips: undefined, before: undefined, isShared: false },
      ],
    });
    expect(isWhole).toBe(false);
  });

  it('join nobody by an empty code, nor by one on more than eight mobiles', () => {
    const numbers = Array.from({ length: 9 }, (_, index) => String(index));
    const employeeMobiles = findEmployeeMobiles([
      ...numbers.map((id) => driver(id, 'E')),
      driver('a', ''),
      driver('b', ' '),
    ]);
    expect(employeeMobiles.of(driver('1', 'E'))).toEqual({ mobileIds: ['1'], isNoPerson: true });
    expect(employeeMobiles.of(driver('a', ''))).toEqual({ mobileIds: ['a'], isNoPerson: false });
    const eight = findEmployeeMobiles(numbers.slice(1).map((id) => driver(id, 'E')));
    expect(eight.of(driver('3', 'E')).mobileIds).toHaveLength(8);
  });
});

describe('the day of a driver', () => {
  it('has its trips with the addresses of their ends, and its vehicle', async () => {
    trips = [trip(HOME, DEPOT), trip(DEPOT, HOME)];
    expect(await fetchDay()).toEqual({
      trips: [
        { ...trips[0], startAddress: 'at 35/139', endAddress: 'at 35.5/139' },
        { ...trips[1], startAddress: 'at 35.5/139', endAddress: 'at 35/139' },
      ],
      sent: 3,
      vehicle: { num: '1', name: 'van' },
      isWhole: true,
      hasAddresses: true,
    });
    expect(log.complaints()).toEqual([]);
  });

  it('asks for each place once, for its job, and tells of it where it is and nothing else', async () => {
    trips = [trip(HOME, DEPOT), trip(DEPOT, HOME)];
    await fetchDay();
    const caller = { kind: 'job', org: 'acme', signal: expect.any(AbortSignal), log: log.logger };
    expect(geocoded).toMatchObject([{ points: [HOME, DEPOT], caller }]);
  });

  it('asks for no place that there cannot be, and has no address of it', async () => {
    const [pole, dateLine] = [
      { lat: 90, lng: 180 },
      { lat: -90, lng: -180 },
    ];
    trips = [
      trip(pole, dateLine),
      trip({ lat: 90.1, lng: 0 }, { lat: 0, lng: 180.1 }),
      trip({ lat: -91, lng: -181 }, HOME),
    ];
    const day = await fetchDay();
    expect(geocoded[0]?.points).toEqual([pole, dateLine, HOME]);
    expect(day.trips.map(({ startAddress, endAddress }) => [startAddress, endAddress])).toEqual([
      ['at 90/180', 'at -90/-180'],
      [null, null],
      [null, 'at 35/139'],
    ]);
  });

  it('asks for no place that cannot be reached in time', async () => {
    const [made] = [trip(HOME, { lat: 43, lng: 141 })];
    const at = (minute: number): string => new Date(Date.parse(SPAN.from) + minute * 60_000).toISOString();
    const track = [1, 2, 3].map((minute) => ({ time: at(minute), ...HOME, speedKmh: 5 }));
    trips = [{ ...made, start: { ...made.start, time: at(0) }, end: { ...made.end, time: at(4) }, track }];
    const day = await fetchDay();
    expect(geocoded[0]?.points).toEqual([HOME]);
    expect(day.trips).toMatchObject([{ startAddress: 'at 35/139', endAddress: null }]);
  });

  it('is whole where geo-api knows no address', async () => {
    trips = [trip(HOME, DEPOT)];
    addressOf = () => null;
    expect(await fetchDay()).toMatchObject({ trips: [{ startAddress: null, endAddress: null }], isWhole: true });
  });

  it('has no addresses while geo-api is away, is not whole then, and the log says why', async () => {
    trips = [trip(HOME, DEPOT)];
    addressOf = () => {
      throw new CallError('geo-api', 'unsent', new Error('ECONNREFUSED'));
    };
    expect(await fetchDay()).toMatchObject({
      trips: [{ startAddress: null, endAddress: null }],
      vehicle: { num: '1' },
      isWhole: false,
      hasAddresses: false,
    });
    expect(log.complaints()).toEqual(['report.addresses_missing']);
    expect(JSON.parse(log.text())).toMatchObject({ mobileId: '7', reason: expect.stringContaining('geo-api') });
  });

  it.each([
    ['is whole without a vehicle that backend-api refuses', refusalError(404, 'no'), true],
    ['is not whole without a vehicle that another attempt may have', outageError(), false],
  ])('%s', async (_what, error, isWhole) => {
    mobile = () => {
      throw error;
    };
    expect(await fetchDay()).toMatchObject({ trips: [], vehicle: undefined, isWhole });
  });

  it('is none without its trips', async () => {
    const refusal = refusalError(404, 'no such mobile');
    const day = fetchDay(() => {
      throw refusal;
    });
    await expect(day).rejects.toBe(refusal);
    expect(geocoded).toEqual([]);
  });
});
