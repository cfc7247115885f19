import { expect, it } from '@jest/globals';
import { KeyRing } from '../../src/base/config/key-ring.js';

it('a key ring tells which of two keys had signed a download link, and nothing of a forged one', () => {
  const [old, current, foreign] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]; // as many
  const told: string[] = [];
  const ring = new KeyRing([current, old], (key, generation) => told.push(`${key} ${generation}`));
  const isRight = (key: Buffer): boolean => {
    const [signature] = new KeyRing([key]).sign('download-link', 'a link');
    return ring.verify('download-link', 'a link', signature);
  };
  expect([isRight(old), isRight(current), isRight(foreign)]).toEqual([true, true, false]);
  expect(told).toEqual(['encryption previous', 'encryption current']);
});
