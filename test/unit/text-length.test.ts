/** Bounds of texts in generated validators: the same as Ajv's own, whatever characters a text is made of. */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { countFewerCharacters } from '../../openapi/codegen/text-length.js';

const SCHEMA = { type: 'string', minLength: 3, maxLength: 5, pattern: '^[^!]' };

/** Texts of all lengths about the bounds, with any number of characters that take two UTF-16 units each. */
const TEXTS = Array.from({ length: 9 }, (_, ones) =>
  Array.from({ length: 9 }, (_, twos) => ['a'.repeat(ones) + '🚚'.repeat(twos), '!'.repeat(ones) + '運'.repeat(twos)]),
).flat(2);

function validator(own: boolean) {
  const ajv = new Ajv2020({ strict: true });
  if (own) countFewerCharacters(ajv);
  return ajv.compile(SCHEMA);
}

describe('the length of a text', () => {
  it('is judged as Ajv does, with the same first fault', () => {
    const [ours, theirs] = [validator(true), validator(false)];
    const judged = (validate: typeof ours) =>
      TEXTS.map((text) => ({ text, ok: validate(text), faults: validate.errors }));
    expect(judged(ours)).toEqual(judged(theirs));
    expect(new Set(judged(ours).map(({ faults }) => faults?.[0]?.keyword))).toEqual(
      new Set([undefined, 'maxLength', 'minLength', 'pattern']),
    );
  });

  it('takes no half of a character for one', () => {
    const validate = validator(true);
    expect(['🚚🚚', '🚚🚚🚚', '🚚🚚🚚🚚🚚', '🚚🚚🚚🚚🚚🚚'].map((text) => validate(text))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
