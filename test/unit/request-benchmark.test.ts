/** How the request benchmark compares and judges. */
import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { cellsOf, keyOf, type Cell } from '../bench/requests/cells.js';
import { compare, sectionOf } from '../bench/requests/compare.js';
import { askOnce } from '../bench/requests/graphql-request.js';
import type { Round } from '../bench/requests/interleaved.js';
import { isWhole, readOptions, type BenchOptions } from '../bench/requests/options.js';
import { listenOnLoopback } from '../support/loopback.js';
import { WORKLOADS, type WorkloadName } from '../bench/requests/workloads.js';

/** Processor times in microseconds: of each round one for all its slices, or one for each. */
type Times = readonly (number | readonly number[])[];

/** Rounds whose processor times are these. */
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

describe('the order of turns', () => {
  it('has what is held against each other side by side, and each once', () => {
    const workloads = ['public', 'me', 'public-measured', 'status', 'status-measured'] as const;
    expect(cellsOf(workloads).map(keyOf)).toEqual([
      'public gateway',
      'public-measured gateway-measured',
      'public mercurius',
      'public mercurius-log',
      'public apollo',
      'public yoga',
      'public floor',
      'me gateway',
      'status gateway',
      'status-measured gateway-measured',
      'me mercurius',
      'me mercurius-kept-key',
      'me apollo',
      'me yoga',
      'me floor',
      'me floor-remembers',
      'me-measured gateway-measured',
    ]);
  });

  it('holds the gateway against a Mercurius that keeps keys as far as against one that does not', () => {
    const reach = (name: WorkloadName, server: string) =>
      WORKLOADS[name].against.find((other) => other.server === server)?.max;
    for (const name of ['me', 'me-measured', 'mobiles', 'mobiles-measured'] as const) {
      expect(reach(name, 'mercurius')).toBeGreaterThan(0);
      expect(reach(name, 'mercurius-kept-key')).toBe(reach(name, 'mercurius'));
    }
  });

  it('gives the gateway with METRICS_PORT all reaches of the one without', () => {
    const reaches = (name: WorkloadName) =>
      WORKLOADS[name].against.filter(({ max }) => max !== undefined).map(({ server, max }) => ({ server, max }));
    for (const name of ['public', 'me', 'mobiles'] as const) {
      expect(reaches(`${name}-measured`)).toEqual(expect.arrayContaining(reaches(name)));
    }
    expect(WORKLOADS['status-measured'].against).toContainEqual({
      server: 'gateway-measured',
      workload: 'me-measured',
      max: 1.3,
    });
  });
});

describe('comparing requests', () => {
  const measured = (own: Times, others: Times) =>
    sampled(
      { workload: 'me-cached', server: 'gateway-cached', times: own },
      { workload: 'public', server: 'gateway', times: others },
    );

  it('is done within each round, so that a machine whose speed changes between rounds changes nothing', () => {
    expect(compare('me-cached', measured([90, 180, 45], [30, 60, 15]))[0]?.ratios).toEqual([3, 3, 3]);
  });

  it('is done within each turn, so that a machine whose speed changes within a round changes nothing', () => {
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
    const server = createServer((_request, response) => response.end(text));
    const origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
    try {
      return (await askOnce({ name: 'apollo', origin }, { path: '/', headers: {}, body: '{}' })).data;
    } finally {
      server.close();
    }
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

  it('keep the figures of whatever measures everything but memory', () => {
    expect([[], ['--full'], ['--quick'], ['--only', 'me']].map((args) => wholeOf(...args))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('name what can be measured where something else is asked for', () => {
    expect(() => readOptions(['--only', 'you'])).toThrow('There is no "you" to measure; there are public, ');
  });
});
