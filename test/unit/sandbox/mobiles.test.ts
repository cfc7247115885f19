import { describe, expect, it } from '@jest/globals';
import { asService, useSandbox } from './sandbox-client.js';

interface Mobile {
  readonly id: number;
  readonly num: string;
  readonly name: string;
  readonly tagIds: readonly number[];
  readonly position: object | null;
}
interface Page {
  readonly items: readonly Mobile[];
  readonly nextCursor?: string;
}

const own = useSandbox();

const page = async (query: Record<string, string>, org?: string): Promise<Page> => {
  const path = `/v1/mobiles?${new URLSearchParams(query).toString()}`;
  return (await own.ask<Page>(`GET ${path}`, undefined, { headers: asService(org) })).body;
};

async function all(query: Record<string, string> = {}): Promise<readonly Mobile[]> {
  const { items, nextCursor } = await page({ limit: '200', ...query });
  return nextCursor === undefined ? items : [...items, ...(await all({ ...query, cursor: nextCursor }))];
}

const idsOf = (items: readonly Mobile[]): number[] => items.map(({ id }) => id);

describe('Listing mobiles', () => {
  it('ends without a cursor when the last page is full', async () => {
    expect((await page({ limit: '20' }, 'globex')).nextCursor).toBeUndefined();
    expect((await page({ limit: '19' }, 'globex')).nextCursor).toBeDefined();
  });

  it('finds part of the number or the name, whatever the case and the width', async () => {
    const tanker = (await all()).find(({ name }) => name.startsWith('Tanker'));
    for (const search of ['m-0042', 'Ｍ－００４２']) expect(idsOf((await page({ search })).items)).toEqual([42]);
    expect(await all({ search: 'tANKER' })).toContainEqual(tanker);
    expect((await all({ search: '冷凍' })).length).toBeGreaterThan(0);
    expect((await page({ search: 'no such mobile' })).items).toEqual([]);
  });

  it('finds the mobiles that carry every one of the tags', async () => {
    const expected = (await all()).filter(({ tagIds }) => [1, 2].every((tag) => tagIds.includes(tag)));
    expect(expected.length).toBeGreaterThan(0);
    expect(await all({ tagIds: '1,2' })).toEqual(expected);
    expect(await all({ tagIds: '999' })).toEqual([]);
  });

  it.each(['nonsense', btoa('after:x')])('refuses the cursor %s', async (cursor) => {
    const reply = await own.ask(`GET /v1/mobiles?cursor=${encodeURIComponent(cursor)}`);
    expect(reply).toMatchObject({ status: 400, body: { message: 'The cursor is not valid.' } });
    expect(own.sandbox.journal.contractViolations()).toEqual([]);
  });
});

describe('Updating a mobile', () => {
  const get = async (id: string) => (await own.ask(`GET /v1/mobiles/${id}`)).body;

  it('changes what is given, keeps the rest, and is journaled as one effect', async () => {
    const patch = { name: '新しい名前', tagIds: [3, 1] };
    const changed = { ...(await get('60')), ...patch };
    expect((await own.ask('PATCH /v1/mobiles/60', patch)).body).toEqual(changed);
    expect(await get('60')).toEqual(changed);
    expect(own.sandbox.journal.effects('mobileUpdated')).toEqual([
      expect.objectContaining({ org: 'acme', id: 60, patch }),
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
    expect(await own.ask(`PATCH /v1/mobiles/${id}`, body)).toMatchObject({ status, body: { message } });
    expect(await get(id)).toEqual(before);
    expect(own.sandbox.journal.effects()).toEqual([]);
  });
});
