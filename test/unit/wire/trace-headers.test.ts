import { describe, expect, it } from '@jest/globals';
import { readTraceparent, writeTraceparent } from '../../../src/base/wire/trace-headers.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each([
    ['of this version', `00-${TRACE}-${SPAN}-01`, 1],
    ['that is not sampled', `00-${TRACE}-${SPAN}-00`, 0],
    ['of a later version, with more behind it', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`, 1],
  ])('%s is read', (_what, text, flags) => {
    const read = { traceId: TRACE, spanId: SPAN, flags };
    expect(readTraceparent(text)).toEqual(read);
    expect(writeTraceparent(read)).toBe(`00-${TRACE}-${SPAN}-0${flags}`);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['with more behind it in this version', `00-${TRACE}-${SPAN}-01-more`],
    ['of no version', `ff-${TRACE}-${SPAN}-01`],
    ['in upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['without a trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['without a span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['too short', `00-${TRACE}-${SPAN}`],
    ['given twice', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['no text', [`00-${TRACE}-${SPAN}-01`]],
  ])('that is %s is none', (_what, text) => expect(readTraceparent(text)).toBeUndefined());
});
