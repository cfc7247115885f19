import { describe, expect, it } from '@jest/globals';

import { redeliveryDelayMs } from '../../../src/queue-function/deliver.js';

const NOW = Date.parse('2026-11-20T10:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    [' 60 ', 60_000],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
  ])('"%s" is %i ms', (header, expected) => {
    expect(redeliveryDelayMs(header, NOW)).toBe(expected);
  });

  it.each([['0'], ['Fri, 20 Nov 2026 09:59:00 GMT']])('"%s" is at least a second', (header) => {
    expect(redeliveryDelayMs(header, NOW)).toBe(1_000);
  });

  it.each([['86400'], ['9'.repeat(400)], ['Sat, 20 Nov 2027 10:00:00 GMT']])('"%s" is at most 5 minutes', (header) => {
    expect(redeliveryDelayMs(header, NOW)).toBe(300_000);
  });

  it.each([[null], [''], ['-5'], ['1.5'], ['soon'], ['2026-11-20']])('%s is 5 seconds', (header) => {
    expect(redeliveryDelayMs(header, NOW)).toBe(5_000);
  });
});
