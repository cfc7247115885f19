/** Errors as data: reasons and values are those of the table. Every reply that a test reads is held against them. */
import { describe, expect, it } from '@jest/globals';
import type { Reason, ValuesOfReason } from '../../generated/front-end.js';
import { ERRORS, type ErrorRow, type ValuesOf } from '../../src/base/error-table.js';
import { PUBLISHED_ERRORS, reasonsIn } from '../support/published-errors.js';

/** The published types are those of the table; the compiler checks it. */
type OfTable = { readonly [Name in Reason]: ValuesOf<Name> };
const published = (values: OfTable): ValuesOfReason => values;
const ofTable = (values: ValuesOfReason): OfTable => values;

describe('the list of errors', () => {
  it('has every reason that GraphQL can carry, and no other', () => {
    expect([published, ofTable]).toHaveLength(2);
    const carried = Object.entries<ErrorRow>(ERRORS).filter(
      ([, { code, field, item, warning, read }]) => code ?? item ?? warning ?? (field && read === 'front ends'),
    );
    expect(new Set(PUBLISHED_ERRORS.map(({ reason }) => reason))).toEqual(new Set(carried.map(([reason]) => reason)));
    for (const { reason, readBy } of PUBLISHED_ERRORS) expect(readBy).toBe(ERRORS[reason].read);
  });

  it('finds what has a reason wherever it stands in a reply', () => {
    const busy = { reason: 'Busy', values: {} };
    expect(reasonsIn({ data: [{ failures: [busy] }], errors: [{ extensions: busy }] })).toEqual([busy, busy]);
  });

  it.each([
    ['a phrase', { reason: 'FieldRequired', values: { field: 'the password' } }, 'phrase'],
    ['no values', { extensions: { reason: 'Busy' } }, 'other values'],
    ['a value that is not published', { reason: 'Busy', values: { seconds: 1 } }, 'other values'],
    ['an unknown reason', { reason: 'Unheard', values: {} }, 'other values'],
  ])('does not pass a reply with %s', (_what, reply, fault) => expect(() => reasonsIn(reply)).toThrow(fault));
});
