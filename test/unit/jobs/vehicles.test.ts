import { describe, expect, it } from '@jest/globals';
import type { Mobile } from '../../../src/clients/backend-api.js';
import type { Logger } from '../../../src/base/logging/logger.js';
import { optionalSources } from '../../../src/jobs/kinds/driving-reports/optional-part.js';
import { vehiclesOf, type Vehicles } from '../../../src/jobs/kinds/driving-reports/vehicles.js';
import { captureLog } from '../../support/captured-log.js';
import { outageError, refusalError } from '../../support/failed-calls.js';
import { waitFor } from '../../support/wait-for.js';

const MOBILE: Mobile = { id: 7, num: '品川 100 あ 12-34', name: '4 t truck', tagIds: [], position: null };
const VEHICLE = { num: MOBILE.num, name: MOBILE.name };

const { signal } = new AbortController();

function vehiclesIn(mobileIds: readonly string[], logger: Logger): Vehicles {
  return vehiclesOf(mobileIds, optionalSources().vehicles(), logger);
}

/** A backend whose answers a test decides, and that knows its calls. */
function backendWith(answer: () => Mobile): {
  asked: string[];
  getMobile(id: string): Promise<Mobile>;
  getDrivingRecord(): never;
} {
  const asked: string[] = [];
  return {
    asked,
    getDrivingRecord() {
      throw new Error('nobody asks for it');
    },
    getMobile(id) {
      asked.push(id);
      return Promise.resolve().then(answer);
    },
  };
}

function failing(error: Error): () => Mobile {
  return () => {
    throw error;
  };
}

describe('the vehicle of a driver', () => {
  it('has its number and name, and is asked for once however many drivers share it', async () => {
    const backend = backendWith(() => MOBILE);
    const vehicles = vehiclesIn(['7', '8', '7'], captureLog().logger);
    const found = await Promise.all(['7', '8', '7'].map((id) => vehicles.find(id, () => backend, signal)));
    expect(found.map(({ vehicle }) => vehicle)).toEqual([VEHICLE, VEHICLE, VEHICLE]);
    expect(backend.asked).toEqual(['7', '8']);
  });

  it('is left out for good when backend-api refuses it, and the log says why', async () => {
    const log = captureLog();
    const backend = backendWith(failing(refusalError(404, 'No such mobile.')));
    const found = await vehiclesIn(['7'], log.logger).find('7', () => backend, signal);
    expect(found).toEqual({ vehicle: undefined, isFinal: true });
    expect(log.complaints()).toEqual(['report.vehicle_missing']);
    expect(log.text()).toContain('No such mobile.');
  });

  it('is asked for although backend-api refused that of another driver', async () => {
    let answer = failing(refusalError(404, 'No such mobile.'));
    const backend = backendWith(() => answer());
    const vehicles = vehiclesIn(['7', '8'], captureLog().logger);
    await vehicles.find('7', () => backend, signal);
    answer = () => MOBILE;
    expect(await vehicles.find('8', () => backend, signal)).toEqual({ vehicle: VEHICLE, isFinal: true });
  });

  it('is asked for again when the day of its only driver is fetched again', async () => {
    const backend = backendWith(() => MOBILE);
    const vehicles = vehiclesIn(['7', '8'], captureLog().logger);
    for (const id of ['7', '7']) await vehicles.find(id, () => backend, signal);
    expect(backend.asked).toEqual(['7', '7']);
  });

  it('is not waited for, driver by driver, while backend-api fails over it', async () => {
    let answer = failing(outageError());
    const backend = backendWith(() => answer());
    const vehicles = vehiclesIn(['1', '2', '3'], captureLog().logger);
    expect(await vehicles.find('1', () => backend, signal)).toEqual({ vehicle: undefined, isFinal: false });
    expect(await vehicles.find('2', () => backend, signal)).toEqual({ vehicle: undefined, isFinal: false });
    answer = () => MOBILE;
    await waitFor('the end of the outage', async () => {
      const { vehicle } = await vehicles.find('3', () => backend, signal);
      return vehicle?.num === MOBILE.num;
    });
  });
});
