import * as contract from '../../../generated/validators/backend-api.js';
import type { Trip } from './backend-api-parts.js';

/** Reads a trip that breaks the contract. An unreadable number becomes NaN, and an unreadable time an empty text. */
export function readableTrip(entry: unknown): Trip {
  const track = fieldOf(entry, 'track');
  return {
    start: fixOf(fieldOf(entry, 'start')),
    end: fixOf(fieldOf(entry, 'end')),
    distanceMeters: numberOf(entry, 'distanceMeters'),
    stopCount: numberOf(entry, 'stopCount'),
    maxSpeedKmh: numberOf(entry, 'maxSpeedKmh'),
    idleSeconds: numberOf(entry, 'idleSeconds'),
    track: Array.isArray(track)
      ? track.map((point: unknown) => ({ ...fixOf(point), speedKmh: numberOf(point, 'speedKmh') }))
      : [],
  };
}

function fixOf(value: unknown): Trip['start'] {
  const timed = { time: fieldOf(value, 'time'), lat: 0, lng: 0 };
  return { time: contract.Fix(timed) ? timed.time : '', lat: numberOf(value, 'lat'), lng: numberOf(value, 'lng') };
}

function numberOf(value: unknown, key: string): number {
  const field = fieldOf(value, key);
  return typeof field === 'number' ? field : Number.NaN;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
