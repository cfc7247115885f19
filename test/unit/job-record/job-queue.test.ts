import { expect, it } from '@jest/globals';

import { backOffMs } from '../../../src/job-record/job-queue.js';

it('Back-off doubles from one second to one minute', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 100].map(backOffMs);
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});
