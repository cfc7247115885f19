import { describe, expect, it } from '@jest/globals';
import * as backend from '../../../generated/validators/backend-api.js';
import * as geo from '../../../generated/validators/geo-api.js';
import { ContractBreach } from '../../../src/clients/call-errors.js';
import { empty, listed, MAX_ODD, whole } from '../../../src/clients/read-reply.js';

const POSITION = { lat: 35.6, lng: 139.7, speedKmh: 0, heading: 0, recordedAt: '2026-11-19T12:34:56.789+09:00' };
const MOBILE = { id: 1, num: 'M-1', name: 'Truck', tagIds: [], position: POSITION };
const ACCOUNT = { id: 1, loginId: 'a', name: 'A', isAdmin: false };

describe('a reply', () => {
  const tag = whole(backend.Tag);

  it.each([
    ['no JSON', '{"id":1'],
    ['empty', undefined],
    ['of another shape', '{"id":"1","name":"Night"}'],
  ])('that is %s breaks the contract', (_what, text) => {
    expect(() => tag(text, 'backend-api')).toThrow(ContractBreach);
  });
});

describe('a reply without a body', () => {
  it('has none, and with one it is no proof of anything', () => {
    expect([undefined, ''].map((text) => empty(text, 'backend-api'))).toEqual([undefined, undefined]);
    expect(() => empty('<html>', 'backend-api')).toThrow(ContractBreach);
  });
});

describe('a list', () => {
  const mobiles = listed('items', backend.MobilePage, backend.Mobile);
  const accounts = listed('items', backend.UserAccountPage, backend.UserAccount);
  const read = (items: unknown): readonly unknown[] =>
    mobiles(JSON.stringify({ items, nextCursor: 'next' }), 'backend-api').items;

  it('with nothing odd is taken as it is', () => {
    expect(read([MOBILE, { ...MOBILE, position: null }])).toEqual([MOBILE, { ...MOBILE, position: null }]);
  });

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
    expect(read([MOBILE, odd, MOBILE])).toEqual([MOBILE, expect.any(ContractBreach), MOBILE]);
  });

  it('has an error in the place of an account whose restriction is beyond Int', () => {
    const text = JSON.stringify({ items: [ACCOUNT, { ...ACCOUNT, functionRestriction: -(2 ** 31) - 1 }] });
    expect(accounts(text, 'backend-api').items).toEqual([ACCOUNT, expect.any(ContractBreach)]);
  });

  it.each([
    ['without entries', {}],
    ['with something else than entries', { items: { 0: MOBILE } }],
    ['with a wrong cursor, odd entries or not', { items: [7], nextCursor: 7 }],
    ['that is none', []],
    ['that is null', null],
  ])('%s breaks the contract as a whole', (_what, body) => {
    expect(() => mobiles(JSON.stringify(body), 'backend-api')).toThrow(ContractBreach);
  });

  it('longer than was asked for breaks the contract as a whole, before any entry is judged', () => {
    const told: unknown[] = [];
    const text = JSON.stringify({ items: [MOBILE, {}, {}] });
    expect(mobiles(text, 'backend-api', (breach) => told.push(breach), 3).items).toHaveLength(3);
    expect(told).toHaveLength(2);
    expect(() => mobiles(text, 'backend-api', (breach) => told.push(breach), 2)).toThrow(
      expect.objectContaining({ path: '/items', rule: 'must NOT have more than 2 items' }),
    );
    expect(told).toHaveLength(2);
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
      expect.objectContaining({ path: `/${key}`, rule: `must NOT have more than ${limit} items` }),
    );
    expect(told).toEqual([]);
  });

  it('has an error for each of a few odd entries, of which the last has the number of all', () => {
    const told: unknown[] = [];
    const items = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? MOBILE : 7));
    const text = JSON.stringify({ items });
    const odd = mobiles(text, 'backend-api', (breach) => told.push(breach)).items.filter((_, index) => index % 2);
    const errors = odd.slice(0, MAX_ODD);
    expect(errors).toEqual(told);
    expect(errors.map((error) => (error as ContractBreach).ofAll)).toEqual([...Array<undefined>(20), 50]);
    expect(errors[20]).toMatchObject({ path: '/items/41', rule: 'must be object' });
    expect(odd.slice(MAX_ODD)).toEqual(Array(29).fill(null));
  });

  it('may have entries that are null', () => {
    const addresses = listed('addresses', geo.Addresses, geo.Address);
    const text = JSON.stringify({ addresses: ['Tokyo', null, 7] });
    expect(addresses(text, 'geo-api').addresses).toEqual(['Tokyo', null, expect.any(ContractBreach)]);
  });

  it('tells where an entry departs from the contract', () => {
    const told: unknown[] = [];
    const text = JSON.stringify({ items: [MOBILE, { ...MOBILE, id: 'one' }] });
    const { items } = mobiles(text, 'backend-api', (breach) => told.push(breach));
    expect(told).toEqual([items[1]]);
    expect(items[1]).toMatchObject({
      message: 'Vehicles and accounts cannot be reached at the moment. Try again later.',
      path: '/items/1/id',
      rule: 'must be integer',
      cause: { message: 'backend-api broke its contract: /items/1/id must be integer' },
    });
  });
});
