import { describe, expect, it } from '@jest/globals';
import type { components } from '../../../generated/backend-api.js';
import { asService, clientsOf, startQuietSandbox, useSandbox } from './sandbox-client.js';

type Mobile = components['schemas']['Mobile'];
type Query = { limit?: number; cursor?: string; search?: string; tagIds?: number[] };

const own = useSandbox({ now: () => new Date('2026-11-20T03:00:00Z') });
const service = asService();

async function page(query: Query, credentials = service) {
  const { data } = await own.backend.GET('/v1/mobiles', { ...credentials, params: { query } });
  return { items: Array.from(data?.items ?? []), nextCursor: data?.nextCursor };
}

async function all(query: Query = {}, credentials = service): Promise<ReturnType<typeof page>> {
  const { items, nextCursor } = await page({ limit: 200, ...query }, credentials);
  if (nextCursor === undefined) return { items, nextCursor };
  const rest = await all({ ...query, cursor: nextCursor }, credentials);
  return { items: [...items, ...rest.items], nextCursor: undefined };
}

describe('The fleet', () => {
  it('has 300 mobiles with Japanese and English names, some without a position', async () => {
    const { items } = await all();
    expect(items.map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(items[41]?.num).toBe('M-0042');
    const named = (pattern: RegExp): number => items.filter(({ name }) => pattern.test(name)).length;
    expect(named(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u)).toBeGreaterThan(100);
    expect(named(/^[\p{Script=Latin}\p{P}\d ]+$/u)).toBeGreaterThan(50);
    expect(items.filter(({ position }) => position === null).map(({ id }) => id)).toContain(15);
    expect(items.filter(({ position }) => position !== null).length).toBeGreaterThan(250);
  });

  it('is the same in every run', async () => {
    const other = await startQuietSandbox({ now: () => new Date('2026-11-20T03:00:00Z') });
    try {
      const again = await clientsOf(other).backend.GET('/v1/mobiles', {
        ...service,
        params: { query: { limit: 200 } },
      });
      expect(Array.from(again.data?.items ?? [])).toEqual((await page({ limit: 200 })).items);
      expect(again.data?.items).toHaveLength(200);
    } finally {
      await other.close();
    }
  });

  it('has tags, and mobiles that carry them', async () => {
    const { data } = await own.backend.GET('/v1/tags', service);
    expect(data?.items).toHaveLength(10);
    const ids = new Set(Array.from(data?.items ?? []).map(({ id }) => id));
    const used = new Set((await all()).items.flatMap(({ tagIds }) => Array.from(tagIds)));
    expect(used).toEqual(ids);
  });
});

describe('Listing mobiles', () => {
  it('ends without a cursor when the last page is full', async () => {
    expect((await page({ limit: 20 }, asService('globex'))).nextCursor).toBeUndefined();
    expect((await page({ limit: 19 }, asService('globex'))).nextCursor).toBeDefined();
  });

  it('finds part of the number or the name, whatever the case and the width', async () => {
    const { items } = await all();
    const tanker = items.find(({ name }) => name.startsWith('Tanker'));
    expect((await page({ search: 'm-0042' })).items.map(({ id }) => id)).toEqual([42]);
    expect((await page({ search: 'Ｍ－００４２' })).items.map(({ id }) => id)).toEqual([42]);
    expect((await all({ search: 'tANKER' })).items).toContainEqual(tanker);
    expect((await all({ search: '冷凍' })).items.length).toBeGreaterThan(0);
    expect((await page({ search: 'no such mobile' })).items).toEqual([]);
  });

  it('finds the mobiles that carry every one of the tags', async () => {
    const expected = (await all()).items.filter(({ tagIds }) =>
      [1, 2].every((tag) => Array.from(tagIds).includes(tag)),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect((await all({ tagIds: [1, 2] })).items).toEqual(expected);
    expect((await all({ tagIds: [999] })).items).toEqual([]);
  });

  it.each(['nonsense', btoa('after:x')])('refuses the cursor %s', async (cursor) => {
    const query = { ...service, params: { query: { cursor } } };
    const { response, error } = await own.backend.GET('/v1/mobiles', query);
    expect([response.status, error]).toEqual([400, { message: 'The cursor is not valid.' }]);
    expect(own.sandbox.journal.contractViolations()).toEqual([]);
  });
});

describe('Updating a mobile', () => {
  const update = (id: string, body: Partial<Pick<Mobile, 'num' | 'name'>> & { tagIds?: number[] }) =>
    own.backend.PATCH('/v1/mobiles/{id}', { ...service, params: { path: { id } }, body });
  const get = async (id: string) =>
    (await own.backend.GET('/v1/mobiles/{id}', { ...service, params: { path: { id } } })).data;

  it('changes what is given, keeps the rest, and is journaled as one effect', async () => {
    const before = await get('60');
    const { data } = await update('60', { name: '新しい名前', tagIds: [3, 1] });
    expect(data).toEqual({ ...before, name: '新しい名前', tagIds: [3, 1] });
    expect(await get('60')).toEqual(data);
    expect(own.sandbox.journal.effects('mobileUpdated')).toEqual([
      expect.objectContaining({ org: 'acme', id: 60, patch: { name: '新しい名前', tagIds: [3, 1] } }),
    ]);
  });

  it.each([
    ['999', { name: 'x' }, 404, 'mobile not found'],
    ['1001', { name: 'x' }, 404, 'mobile not found'],
    ['one', { name: 'x' }, 404, 'mobile not found'],
    ['61', { tagIds: [1, 77, 101] }, 422, 'unknown tag 77, 101'],
    ['61', { num: ' ' }, 422, 'num must not be empty'],
    ['61', { name: '' }, 422, 'name must not be empty'],
    ['61', { num: 'M-0062' }, 409, 'num is used by another mobile'],
  ])('%s with %j is refused with %i: %s', async (id, body, status, message) => {
    const before = await get(id);
    const { response, error } = await update(id, body);
    expect([response.status, error]).toEqual([status, { message }]);
    expect(await get(id)).toEqual(before);
    expect(own.sandbox.journal.effects()).toEqual([]);
  });
});
