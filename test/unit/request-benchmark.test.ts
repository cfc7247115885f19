/** How the request benchmark compares and judges, and what it reads of a CPU profile. */
import { describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { keyOf, type Cell } from '../bench/requests/cells.js';
import { compare, sectionOf } from '../bench/requests/compare.js';
import type { Sample } from '../bench/requests/interleaved.js';
import { selfTimes } from '../bench/requests/self-times.js';
import { terminalTextOf } from '../bench/requests/terminal-text.js';

/** Samples whose processor times are these, in microseconds. */
function sampled(...cells: readonly (Cell & { readonly times: readonly number[] })[]): Map<string, Sample[]> {
  return new Map(
    cells.map(({ times, ...cell }) => [
      keyOf(cell),
      times.map((processorMicros) => ({ processorMicros, requestsPerSecond: 1_000, p99: 5 })),
    ]),
  );
}

describe('comparing requests', () => {
  const samples = sampled(
    { workload: 'me-cached', server: 'gateway-cached', times: [90, 60, 5_000] },
    { workload: 'public', server: 'gateway', times: [30, 1, 40] },
  );

  it('takes the medians, so that one disturbed round changes nothing', () => {
    expect(compare('me-cached', samples)).toEqual([expect.objectContaining({ server: 'gateway', ratio: 3 })]);
  });

  it('takes the best rounds where it is told to', () => {
    expect(compare('me-cached', samples, (rounds) => Math.min(...rounds))[0]?.ratio).toBe(60);
  });

  it('says what is within its reach and what is not', () => {
    const row = (times: number[]) =>
      sectionOf(
        'me-cached',
        sampled(
          { workload: 'me-cached', server: 'gateway-cached', times },
          { workload: 'public', server: 'gateway', times: [40] },
        ),
      ).rows[1];
    expect(row([100])).toEqual(['this gateway, `public`', '40 (40–40)', '1000', '5.0', '2.50×', '≤ 2.5×', 'met']);
    expect(row([101])?.at(-1)).toBe('not met');
  });
});

describe('self times of a profile', () => {
  const frame = (functionName: string) => ({ functionName, url: 'file:///app/dist/http/routes.js', lineNumber: 6 });
  const profile = {
    startTime: 1_000,
    nodes: [
      { id: 1, callFrame: frame('handle') },
      { id: 2, callFrame: { functionName: '(idle)', url: '', lineNumber: -1 } },
      { id: 3, callFrame: frame('') },
    ],
    samples: [1, 2, 1, 3, 1],
    timeDeltas: [500, 100, 300, 100, 900],
  };

  it('leave out idle time and what lies outside the span, largest first', () => {
    expect(selfTimes(profile, { from: 1_550, to: 2_100 })).toEqual([
      { where: 'handle  dist/http/routes.js:7', micros: 300, share: 0.75 },
      { where: '(anonymous)  dist/http/routes.js:7', micros: 100, share: 0.25 },
    ]);
  });
});

describe('results on a terminal', () => {
  it('fit 80 columns, with nothing cut and no marks of Markdown', () => {
    const samples = sampled(
      { workload: 'public', server: 'gateway', times: [3_000, 4_000, 5_000] },
      { workload: 'public', server: 'mercurius', times: [2_000, 2_500, 3_000] },
      { workload: 'public', server: 'apollo', times: [2_000, 2_500, 3_000] },
      { workload: 'public', server: 'floor', times: [2_000, 2_500, 3_000] },
    );
    const remark = 'Node.js on a machine '.repeat(10);
    const text = terminalTextOf([sectionOf('public', samples)], [remark], 80);
    expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(text).not.toMatch(/[…*`|]/);
    expect(text).toContain('4000 (3000–5000)');
  });
});
