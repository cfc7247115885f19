import { describe, expect, it } from '@jest/globals';
import * as backend from '../../../generated/validators/backend-api.js';
import { CallError } from '../../../src/clients/call-error.js';
import { empty, listed, whole } from '../../../src/clients/read-reply.js';

const POSITION = { lat: 35.6, lng: 139.7, speedKmh: 0, heading: 0, recordedAt: '2026-11-19T12:34:56.789+09:00' };
const MOBILE = { id: 1, num: 'M-1', name: 'Truck', tagIds: [], position: POSITION };

const BREACH = expect.objectContaining({ end: 'unreadable' });

describe('a reply', () => {
  const tag = whole(backend.Tag);

  it.each([
    ['no JSON', '{"id":1'],
    ['empty', ''],
    ['of another shape', '{"id":"1","name":"Night"}'],
  ])('that is %s breaks the contract', (_what, text) => expect(() => tag(text, 'backend-api')).toThrow(BREACH));
});

describe('a reply without a body', () => {
  it('has none, and with one it is no proof of anything', () => {
    expect([''].map((text) => empty(text, 'backend-api'))).toEqual([undefined]);
    expect(() => empty('<html>', 'backend-api')).toThrow(BREACH);
  });
});

describe('a list', () => {
  const mobiles = listed('items', backend.MobilePage, backend.Mobile);
  const read = (items: unknown): readonly unknown[] =>
    mobiles(JSON.stringify({ items, nextCursor: 'next' }), 'backend-api').items;

  it.each([
    ['without a field', { ...MOBILE, name: undefined }],
    ['with an id beyond exact integers', { ...MOBILE, id: 2 ** 53 }],
    ['with an id that is no integer', { ...MOBILE, id: 1.5 }],
    ['with a day that does not exist', { ...MOBILE, position: { ...POSITION, recordedAt: '2026-02-30T00:00:00Z' } }],
    ['with a time without an offset', { ...MOBILE, position: { ...POSITION, recordedAt: '2026-02-03T00:00:00' } }],
    ['with half an offset', { ...MOBILE, position: { ...POSITION, recordedAt: '2026-02-03T00:00:00+09' } }],
    ['with a leap second', { ...MOBILE, position: { ...POSITION, recordedAt: '2016-12-31T23:59:60Z' } }],
    ['with a blank in a time', { ...MOBILE, position: { ...POSITION, recordedAt: '2026-02-03 00:00:00Z' } }],
    ['that is null', null],
    ['that is a number', 7],
  ])('has an error in the place of an entry %s', (_what, odd) => {
    expect(read([MOBILE, odd, MOBILE])).toEqual([MOBILE, expect.any(CallError), MOBILE]);
  });

  it.each([
    ['without entries', {}],
    ['with something else than entries', { items: { 0: MOBILE } }],
    ['with a wrong cursor, odd entries or not', { items: [7], nextCursor: 7 }],
    ['that is none', []],
    ['that is null', null],
  ])('%s breaks the contract as a whole', (_what, body) => {
    expect(() => mobiles(JSON.stringify(body), 'backend-api')).toThrow(BREACH);
  });

  it.each([
    ['tags', listed('items', backend.Tags, backend.Tag), 'items', 10_000],
    ['keys', listed('keys', backend.PublicKeys, backend.PublicKey), 'keys', 20],
    ['trips', listed('trips', backend.DrivingRecord, backend.Trip), 'trips', 10_000],
  ])('of %s has a bound in the contract', (_what, read, key, limit) => {
    const told: unknown[] = [];
    const text = (count: number): string => JSON.stringify({ mobileId: '1', [key]: Array(count).fill({}) });
    expect(read(text(limit), 'backend-api')).toHaveProperty([key, 'length'], limit);
    expect(() => read(text(limit + 1), 'backend-api', (breach) => told.push(breach))).toThrow(
      expect.objectContaining({
        details: { breach: { path: `/${key}`, rule: `must NOT have more than ${limit} items` } },
      }),
    );
    expect(told).toEqual([]);
  });
});
