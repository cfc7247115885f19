/** HMAC-SHA-256 under a key that is kept: what `createHmac` and RFC 4231 say it is. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Hmac } from '../../../src/config/hmac.js';

describe('an HMAC', () => {
  it.each([
    [
      'RFC 4231, test case 1',
      Buffer.alloc(20, 0x0b),
      'Hi There',
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    ],
    [
      'RFC 4231, test case 2',
      Buffer.from('Jefe'),
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
  ])('is that of %s', (_name, key, text, digest) => {
    expect(Buffer.from(new Hmac(key).of(text), 'base64url').toString('hex')).toBe(digest);
  });

  it('is that of Node.js for whatever key and texts, one after another', () => {
    const key = fc.uint8Array({ maxLength: 64 });
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 300, maxLength: 400 }));
    fc.assert(
      fc.property(key, fc.array(text, { maxLength: 5 }), (bytes, texts) => {
        const hmac = new Hmac(bytes);
        for (const each of texts) {
          expect(hmac.of(each)).toBe(createHmac('sha256', bytes).update(each).digest('base64url'));
        }
      }),
    );
  });

  it.each([341, 342, 1_024, 100_000])('is that of Node.js for %i characters of three bytes', (length) => {
    const key = Buffer.alloc(32, 7);
    expect(new Hmac(key).of('報'.repeat(length))).toBe(
      createHmac('sha256', key).update('報'.repeat(length)).digest('base64url'),
    );
  });

  it('refuses a key that is longer than a block', () => {
    expect(() => new Hmac(Buffer.alloc(65))).toThrow('A key of 65 bytes is longer than a block of SHA-256.');
  });
});
