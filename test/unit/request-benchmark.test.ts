/** How the request benchmark compares and judges. */
import { describe, expect, it } from '@jest/globals';
import { askOnce, keyOf, type Cell } from '../bench/requests/cells.js';
import { compare, sectionOf } from '../bench/requests/compare.js';
import type { Round } from '../bench/requests/interleaved.js';
import { isWhole, readOptions, type BenchOptions } from '../bench/requests/options.js';
import { serveOnLoopback } from '../support/loopback.js';
import { closeAfterTest } from '../support/resources.js';

/** Processor times in microseconds: of each round one for all its slices, or one for each. */
type Times = readonly (number | readonly number[])[];

function sampled(...cells: readonly (Cell & { readonly times: Times })[]): Map<string, Round[]> {
  return new Map(
    cells.map(({ times, ...cell }) => [
      keyOf(cell),
      times.map((slices) =>
        [slices].flat().map((processorMicros) => ({ processorMicros, requestsPerSecond: 1_000, p99: 5 })),
      ),
    ]),
  );
}

describe('comparing requests', () => {
  const measured = (own: Times, others: Times) =>
    sampled(
      { workload: 'me-cached', server: 'gateway-cached', times: own },
      { workload: 'public', server: 'gateway', times: others },
    );

  it('is done within each round and turn, so that a machine whose speed changes between them changes nothing', () => {
    expect(compare('me-cached', measured([90, 180, 45], [30, 60, 15]))[0]?.ratios).toEqual([3, 3, 3]);
    expect(compare('me-cached', measured([[90, 180, 45, 45]], [[30, 60, 15, 15]]))[0]?.ratios).toEqual([3]);
  });

  const row = (times: number[]) => sectionOf('me-cached', measured(times, [40, 40, 40].slice(0, times.length))).rows[1];

  it('says what is within its reach and what is not', () => {
    const figures = ['40 (40–40)', '1000', '5.0', '2.50× (2.50–2.50)'];
    expect(row([100])).toEqual(['this gateway, `public`', ...figures, '≤ 2.5×', 'met']);
    expect(row([101])?.at(-1)).toBe('not met');
  });

  it('judges by the median, so that one disturbed round changes nothing', () => {
    expect(row([100, 9_000, 80])?.slice(-3)).toEqual(['2.50× (2.00–225.00)', '≤ 2.5×', 'met']);
  });
});

describe('what a server answers first', () => {
  async function dataOf(text: string): Promise<string> {
    const { url: origin } = closeAfterTest(await serveOnLoopback((_request, response) => response.end(text)));
    return (await askOnce({ name: 'apollo', origin }, { path: '/', headers: {}, body: '{}' })).data;
  }

  it('is compared byte by byte, as far as it is data', async () => {
    expect(await dataOf('{"data":{"a":1.0, "b":"\\u0041"}}\n')).toBe('{"a":1.0, "b":"\\u0041"}');
  });

  it('has to be data and nothing else', async () => {
    for (const text of ['{"data":{},"errors":[]}', '{"data":{},"extensions":{}}', '{"errors":[]}', '[]', 'null']) {
      await expect(dataOf(text)).rejects.toThrow(`apollo answered 200: ${text}`);
    }
  });
});

describe('the options', () => {
  const wholeOf = (...args: string[]) => isWhole(readOptions(args) as BenchOptions); // none of them asks for help

  it('keep the figures of whatever measures everything', () => {
    expect([[], ['--quick'], ['--only', 'me']].map((args) => wholeOf(...args))).toEqual([true, false, false]);
  });

  it('name what can be measured where something else is asked for', () => {
    expect(() => readOptions(['--only', 'you'])).toThrow('There is no "you" to measure; there are public, ');
  });
});
