import { describe, expect, it } from '@jest/globals';
import type { Mobile } from '../../../src/clients/backend-api.js';
import { Vehicles } from '../../../src/jobs/kinds/driving-reports/vehicles.js';
import { captureLog } from '../../support/captured-log.js';
import { outageError, refusalError } from '../../support/failed-calls.js';

const MOBILE: Mobile = { id: 7, num: '品川 100 あ 12-34', name: '4 t truck', tagIds: [], position: null };
const VEHICLE = { num: MOBILE.num, name: MOBILE.name };

/** A backend whose answers a test decides, and that knows its calls. */
function backendWith(answer: () => Mobile): { asked: string[]; getMobile(id: string): Promise<Mobile> } {
  const asked: string[] = [];
  return {
    asked,
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
    const vehicles = new Vehicles(['7', '8', '7'], captureLog().logger);
    const found = await Promise.all(['7', '8', '7'].map((id) => vehicles.find(id, backend)));
    expect(found.map(({ vehicle }) => vehicle)).toEqual([VEHICLE, VEHICLE, VEHICLE]);
    expect(backend.asked).toEqual(['7', '8']);
  });

  it('is left out for good when backend-api refuses it, and the log says why', async () => {
    const log = captureLog();
    const backend = backendWith(failing(refusalError(404, 'No such mobile.')));
    const found = await new Vehicles(['7'], log.logger).find('7', backend);
    expect(found).toEqual({ vehicle: undefined, isFinal: true });
    expect(log.complaints()).toEqual(['report.vehicle_missing']);
    expect(log.text()).toContain('No such mobile.');
  });

  it('is asked for although backend-api refused that of another driver', async () => {
    let answer = failing(refusalError(404, 'No such mobile.'));
    const backend = backendWith(() => answer());
    const vehicles = new Vehicles(['7', '8'], captureLog().logger);
    await vehicles.find('7', backend);
    answer = () => MOBILE;
    expect(await vehicles.find('8', backend)).toEqual({ vehicle: VEHICLE, isFinal: true });
  });

  it('is asked for again when the day of its only driver is fetched again', async () => {
    const backend = backendWith(() => MOBILE);
    const vehicles = new Vehicles(['7', '8'], captureLog().logger);
    for (const id of ['7', '7']) await vehicles.find(id, backend);
    expect(backend.asked).toEqual(['7', '7']);
  });

  it('is not waited for, driver by driver, while backend-api fails over it', async () => {
    let now = 0;
    let answer = failing(outageError({ httpStatus: 500 }));
    const backend = backendWith(() => answer());
    const vehicles = new Vehicles(['1', '2', '3'], captureLog().logger, () => now);
    expect(await vehicles.find('1', backend)).toEqual({ vehicle: undefined, isFinal: false });
    answer = () => MOBILE;
    expect(await vehicles.find('2', backend)).toEqual({ vehicle: undefined, isFinal: false });
    now = 10_000;
    expect(await vehicles.find('3', backend)).toEqual({ vehicle: VEHICLE, isFinal: true });
    expect(backend.asked).toEqual(['1', '3']);
  });

  it('is not waited for by the clock of the system either', async () => {
    const backend = backendWith(failing(outageError()));
    const vehicles = new Vehicles(['1', '2'], captureLog().logger);
    for (const id of ['1', '2']) await vehicles.find(id, backend);
    expect(backend.asked).toEqual(['1']);
  });
});
