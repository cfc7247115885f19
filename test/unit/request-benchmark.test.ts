/** How the request benchmark compares and judges, and what it reads of a CPU profile. */
import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { cellsOf, keyOf, type Cell } from '../bench/requests/cells.js';
import { compare, sectionOf } from '../bench/requests/compare.js';
import { askOnce } from '../bench/requests/graphql-request.js';
import type { Round } from '../bench/requests/interleaved.js';
import { isWhole, readOptions, type BenchOptions } from '../bench/requests/options.js';
import { QuietMachine } from '../bench/requests/quiet-machine.js';
import { selfTimes } from '../bench/requests/self-times.js';
import { terminalTextOf } from '../bench/requests/terminal-text.js';
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
    expect([[], ['--metrics'], ['--full'], ['--quick'], ['--only', 'me']].map((args) => wholeOf(...args))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('leave out with --metrics what compares with a gateway without, and refuse it where it is asked for', () => {
    expect(readOptions(['--metrics'])?.parts.filter((name) => name.endsWith('-measured'))).toEqual([]);
    expect(() => readOptions(['--metrics', '--only', 'me-measured'])).toThrow(
      '"me-measured" needs a gateway without METRICS_PORT: leave out --metrics.',
    );
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
    const servers = ['gateway', 'mercurius', 'mercurius-log', 'apollo', 'yoga', 'floor'] as const;
    const samples = sampled(
      ...servers.map((server) => ({ workload: 'public', server, times: [3_000, 4_000, 5_000] }) as const),
    );
    const remark = 'Node.js on a machine '.repeat(10);
    const text = terminalTextOf([sectionOf('public', samples)], [remark], 80);
    expect(Math.max(...text.split('\n').map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(text).not.toMatch(/[…*`|]/);
    expect(text).toContain('4000 (3000–5000)');
  });
});

describe('measuring while nobody else uses the machine', () => {
  const USUAL = 6;
  const DISTURBED = 9;

  /** A core that is disturbed during some of the measurements, and a way to measure that says which one it was. */
  function machine({ disturbed, patienceMs = 60_000 }: { disturbed: readonly number[]; patienceMs?: number }) {
    let measurement = 0;
    let isMeasured = false;
    const look = (): Promise<number> =>
      Promise.resolve(isMeasured && disturbed.includes(measurement) ? DISTURBED : USUAL);
    const quiet = new QuietMachine([() => Promise.resolve(USUAL), settling(look)], patienceMs);
    const measure = () =>
      quiet.measure(() => {
        measurement += 1;
        isMeasured = true;
        return Promise.resolve(measurement);
      });
    return { quiet, measure };

    /** Whoever disturbed is gone at the second look. */
    function settling(inner: () => Promise<number>): () => Promise<number> {
      return async () => {
        const seen = await inner();
        isMeasured = false;
        return seen;
      };
    }
  }

  it('measures once what nobody disturbed', async () => {
    const { quiet, measure } = machine({ disturbed: [] });
    expect([await measure(), await measure()]).toEqual([1, 2]);
    expect(quiet.quietness).toEqual({ measurements: 2, repeated: 0, disturbed: 0 });
  });

  it('measures again what somebody disturbed, and takes that', async () => {
    const { quiet, measure } = machine({ disturbed: [1, 2] });
    expect(await measure()).toBe(3);
    expect(quiet.quietness).toEqual({ measurements: 1, repeated: 1, disturbed: 0 });
  });

  it('takes what it has when nothing undisturbed is to be had, and says so', async () => {
    const { quiet, measure } = machine({ disturbed: [1, 2, 3, 4] });
    expect(await measure()).toBe(1);
    expect(quiet.quietness).toEqual({ measurements: 1, repeated: 1, disturbed: 1 });
  });

  it('does so at once when all patience is used up', async () => {
    const { quiet, measure } = machine({ disturbed: [1], patienceMs: 0 });
    expect(await measure()).toBe(1);
    expect(quiet.quietness).toEqual({ measurements: 1, repeated: 0, disturbed: 1 });
  });

  it('waits until nobody is there, and no longer than it has patience', async () => {
    let looks = 0;
    const quiet = new QuietMachine(
      [() => Promise.resolve((looks += 1) > 20 && looks <= 23 ? DISTURBED : USUAL)],
      60_000,
    );
    expect(await quiet.measure(() => Promise.resolve(looks))).toBe(24);
    let later = 0;
    const never = new QuietMachine([() => Promise.resolve((later += 1) > 20 ? DISTURBED : USUAL)], 200);
    expect(await never.measure(() => Promise.resolve('as it comes'))).toBe('as it comes');
    expect(never.quietness).toEqual({ measurements: 1, repeated: 0, disturbed: 1 });
  });
});
