import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readInstant } from '../../../src/reports/day/instant.js';

it('a time is the same instant as the language reads it, to the second, to the millisecond and in any offset', () => {
  const year = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
  fc.assert(
    fc.property(fc.date({ ...year, noInvalidDate: true }), (date) => {
      const text = date.toISOString();
      expect(readInstant(text)).toBe(date.getTime());
      expect(readInstant(`${text.slice(0, 19)}Z`)).toBe(Math.floor(date.getTime() / 1000) * 1000);
      expect(readInstant(`${text.slice(0, 19)}+09:00`)).toBe(Date.parse(`${text.slice(0, 19)}+09:00`));
    }),
  );
});

it('a text that is nearly a time is read as the language reads it, or not at all', () => {
  const shape = '2024-05-31T23:59:59.999Z';
  const changed = fc
    .tuple(fc.nat(shape.length - 1), fc.constantFrom(...Array.from('0123456789:-.TZ+ x/٣')), fc.boolean())
    .map(([index, character, isShort]) => {
      const text = `${shape.slice(0, index)}${character}${shape.slice(index + 1)}`;
      return isShort ? text.replace('.999', '') : text;
    });
  fc.assert(
    fc.property(fc.oneof(changed, fc.string()), (text) => expect(readInstant(text)).toBe(Date.parse(text))),
    { numRuns: 2_000 },
  );
});
