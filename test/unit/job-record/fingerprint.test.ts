import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { KeyRing } from '../../../src/config/key-ring.js';
import { fingerprintsOf } from '../../../src/job-record/fingerprint.js';

const keyRing = new KeyRing([new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]);

function expected(value: unknown): string[] {
  const text = canonicalize(value) ?? '';
  const keys = keyRing.for('job-fingerprint');
  const macs = keys.map(({ key }) => createHmac('sha256', key).update(text).digest('base64url'));
  return [...keys.map(({ kid }, index) => `${kid}.${macs[index]}`), ...macs];
}

describe('a fingerprint', () => {
  it('is the keyed hash of the canonical JSON of the whole body, under every key, with and without its name', async () => {
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

  it('of a large body lets others have their turn', async () => {
    const body = Array.from({ length: 1_000 }, (_, id) => ({
      id,
      tagIds: Array.from({ length: 1_000 }, (__, tag) => tag),
    }));
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
