import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { KeyRing } from '../../../src/base/config/key-ring.js';
import { derivedJobIds, fingerprintsOf } from '../../../src/jobs/record/fingerprint.js';

const keyRing = new KeyRing([new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]);

function expected(value: unknown): string[] {
  const text = canonicalize(value) ?? '';
  const keys = keyRing.for('job-fingerprint');
  const macs = keys.map(({ key }) => createHmac('sha256', key).update(text).digest('base64url'));
  return keys.map(({ kid }, index) => `${kid}.${macs[index]}`);
}

describe('a fingerprint', () => {
  it('is the keyed hash of the canonical JSON of the whole body, under every key, with its name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (body) => {
        expect(await fingerprintsOf(keyRing, body)).toEqual(expected(body));
      }),
    );
  });

  it.each([
    [{ b: 1, a: undefined }],
    [{ drivers: [], date: 'x' }],
    [[{ '\u20ac': 1, '1': 2, ö: 3, '\ud83d\ude00': 4 }]],
  ])('is that of %j, whatever the order of its names', async (body) => {
    expect(await fingerprintsOf(keyRing, body)).toEqual(expected(body));
  });

  it.each<[string, () => unknown]>([
    ['numbers among others', () => [1, '2', 3]],
    ['lists of numbers in an object', () => ({ b: [1, 2], a: [], c: [3] })],
    ['as many numbers as fit into a piece', () => Array.from({ length: 1_024 }, (_, index) => index)],
    ['more numbers', () => Array.from({ length: 2_500 }, (_, index) => index)],
    ['more texts', () => Array.from({ length: 2_500 }, (_, index) => `${index}`)],
    [
      'more names',
      () => Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`n${index}`, index % 2 || undefined])),
    ],
    [
      'more items',
      () => Array.from({ length: 1_500 }, (_, id) => ({ id, name: `mobile ${id}`, tagIds: [id, id + 1] })),
    ],
    ['a long text', () => ['x'.repeat(40_000), { y: 'z'.repeat(40_000) }]],
  ])('is that of %s, in however many pieces', async (_what, make) => {
    const body = make();
    expect(await fingerprintsOf(keyRing, body)).toEqual(expected(body));
  });

  it('of a large body lets others have their turn', async () => {
    const tagIds = Array.from({ length: 1_000 }, (_, tag) => tag);
    const body = Array.from({ length: 1_000 }, (_, id) => ({ id, tagIds }));
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await fingerprintsOf(keyRing, body);
    done = true;
    expect(turns).toBeGreaterThan(5);
  });
});

describe('an id that is made of content', () => {
  const job = { kind: 'mobiles', org: 'acme', body: [{ id: 1 }] } as const;

  it('is the keyed hash of kind, organisation and body, under every key', async () => {
    const macs = expected(['mobiles', 'acme', job.body]).map((print) => print.split('.')[1]);
    const kids = keyRing.for('job-fingerprint').map(({ kid }) => kid);
    expect(await derivedJobIds(keyRing, job)).toEqual(kids.map((kid, index) => ({ kid, jobId: macs[index] })));
  });

  it('is another one for another kind, organisation or body, and for none', async () => {
    const others = [{ kind: 'user-accounts' as const }, { org: 'globex' }, { org: undefined }, { body: [] }];
    const ids = await Promise.all([{}, ...others].map((changes) => derivedJobIds(keyRing, { ...job, ...changes })));
    expect(new Set(ids.map(([{ jobId }]) => jobId)).size).toBe(5);
  });
});
