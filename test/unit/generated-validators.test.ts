/** Dates, times and bounds of texts in generated validators: the same as the library's own, whatever is written. */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import fc from 'fast-check';
import { recogniseUsualDateTimes } from '../../openapi/codegen/date-time.js';
import { countFewerCharacters } from '../../openapi/codegen/text-length.js';

function validator(own: boolean) {
  const ajv = new Ajv2020({ strict: true, code: { lines: true, source: true } });
  addFormatsModule.default(ajv);
  if (own) recogniseUsualDateTimes(ajv);
  return ajv.compile({ type: 'string', format: 'date-time' });
}

const [ours, theirs] = [validator(true), validator(false)];
const judged = (validate: typeof ours, text: string) => ({ text, ok: validate(text), faults: validate.errors });

const two = (value: number) => String(value).padStart(2, '0');
/** Days of each month from 0 to 32, in years that are leap years and years that are not. */
const DAYS = [1900, 2000, 2024, 2026].flatMap((year) =>
  Array.from({ length: 14 }, (_, month) =>
    Array.from({ length: 33 }, (__, day) => `${year}-${two(month)}-${two(day)}T12:00:00Z`),
  ).flat(),
);
const ODD = [
  ...['T23:59:60Z', 'T12:59:60Z', 'T24:00:00Z', 'T12:60:00Z', 'T12:00:00', 't12:00:00z', ' 12:00:00Z', 'T12:00:00.Z'],
  ...['T12:00:00.5+09:00', 'T12:00:00+0900', 'T12:00:00+24:00', `T12:00:59.${'9'.repeat(30)}Z`, 'T12:00:00Z\n'],
].map((time) => `2026-11-24${time}`);
const TEXTS = [...DAYS, ...ODD, ' 2026-11-24T12:00:00Z', '12026-11-24T12:00:00Z', ''];

describe('a date and time', () => {
  it('is judged as the library does, with the same fault', () => {
    expect(TEXTS.map((text) => judged(ours, text))).toEqual(TEXTS.map((text) => judged(theirs, text)));
    expect(TEXTS.filter((text) => ours(text)).length).toBeGreaterThan(1_000);
    expect(TEXTS.filter((text) => !ours(text)).length).toBeGreaterThan(100);
  });

  it('is judged so whatever is written', () => {
    const part = (from: number, to: number) => fc.integer({ min: from, max: to }).map(two);
    const shaped = fc
      .tuple(part(1, 12), part(1, 31), part(0, 24), part(0, 60), part(0, 61), fc.constantFrom('', '.1', '.123456789'))
      .chain(([month, day, hour, minute, second, fraction]) =>
        fc
          .tuple(fc.constantFrom('T', 't', ' ', 'U'), fc.constantFrom('Z', 'z', '', '+09:00', '-23:59', '+0930', '+1'))
          .map(([mark, zone]) => `2026-${month}-${day}${mark}${hour}:${minute}:${second}${fraction}${zone}`),
      );
    fc.assert(
      fc.property(fc.oneof(shaped, fc.string()), (text) => {
        expect(judged(ours, text)).toEqual(judged(theirs, text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is asked of the library only when it is unusual', () => {
    const ajv = new Ajv2020({ strict: true });
    addFormatsModule.default(ajv);
    const asked: string[] = [];
    ajv.addFormat('date-time', { type: 'string', validate: (text: string) => asked.push(text) > 0 });
    recogniseUsualDateTimes(ajv);
    const validate = ajv.compile({ type: 'string', format: 'date-time' });
    for (const text of ['2026-11-30T23:59:59.123Z', '2024-02-29T00:00:00Z', '2026-12-31T00:00:00+09:00'])
      validate(text);
    expect(asked).toEqual(['2024-02-29T00:00:00Z']);
  });
});

const SCHEMA = { type: 'string', minLength: 3, maxLength: 5, pattern: '^[^!]' };

/** Texts of all lengths about the bounds, with any number of characters that take two UTF-16 units each. */
const BOUNDED = Array.from({ length: 9 }, (_, ones) =>
  Array.from({ length: 9 }, (_, twos) => ['a'.repeat(ones) + '🚚'.repeat(twos), '!'.repeat(ones) + '運'.repeat(twos)]),
).flat(2);

function boundedValidator(own: boolean) {
  const ajv = new Ajv2020({ strict: true });
  if (own) countFewerCharacters(ajv);
  return ajv.compile(SCHEMA);
}

describe('the length of a text', () => {
  it('is judged as Ajv does, with the same first fault', () => {
    const [ours, theirs] = [boundedValidator(true), boundedValidator(false)];
    const judged = (validate: typeof ours) =>
      BOUNDED.map((text) => ({ text, ok: validate(text), faults: validate.errors }));
    expect(judged(ours)).toEqual(judged(theirs));
    expect(new Set(judged(ours).map(({ faults }) => faults?.[0]?.keyword))).toEqual(
      new Set([undefined, 'maxLength', 'minLength', 'pattern']),
    );
  });
});
