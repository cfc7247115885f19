import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../support/built-programs.js';
import { prepareCells } from './cells.js';
import { partOf } from './options.js';
import { prepare } from './prepare.js';
import { selfTimes, type CpuProfile } from './self-times.js';
import { Stage } from './stage.js';
import { WORKLOADS, type WorkloadName } from './workloads.js';

/** `npm run bench:profile -- me [--metrics]`: where the gateway spends its time under a workload. */
const RESULTS = path.join(ROOT, 'test/bench/results');
const WARM_UP_SECONDS = 5;
const SECONDS = 10;
const CONNECTIONS = 32;
const TOP = 20;

const {
  positionals: [chosen = 'me'],
  values: { metrics },
} = parseArgs({ allowPositionals: true, options: { metrics: { type: 'boolean', default: false } } });
const part = partOf(chosen);
if (!(part in WORKLOADS)) throw new Error(`Only a workload can be profiled: ${Object.keys(WORKLOADS).join(', ')}.`);
await profile(part as WorkloadName); // it is a key of the table

async function profile(workload: WorkloadName): Promise<void> {
  await prepare();
  await mkdir(RESULTS, { recursive: true });
  const stage = await Stage.open({ metrics });
  const file = `profile-${workload}.cpuprofile`;
  try {
    const { subject } = WORKLOADS[workload];
    const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${RESULTS}`, `--cpu-prof-name=${file}`];
    const running = await stage.replace(subject, { nodeArgs });
    const [cell] = await prepareCells([{ workload, server: subject }], stage);
    if (cell === undefined) throw new Error('There is nothing to load.');
    const load = (seconds: number) =>
      stage.load.run({
        kind: 'closed',
        origin: running.origin,
        requests: [cell.request],
        connections: CONNECTIONS,
        until: { seconds },
      });
    await load(WARM_UP_SECONDS);
    // The profiler counts on the same clock.
    const from = Number(process.hrtime.bigint() / 1_000n);
    const { good } = await load(SECONDS);
    const to = Number(process.hrtime.bigint() / 1_000n);
    await running.stop();
    // Node.js wrote it.
    const written = JSON.parse(await readFile(path.join(RESULTS, file), 'utf8')) as CpuProfile;
    process.stdout.write(`Self time while ${good} requests of \`${workload}\` were answered:\n\n`);
    for (const { share, micros, where } of selfTimes(written, { from, to }).slice(0, TOP)) {
      const figures = `${(100 * share).toFixed(1).padStart(5)} %  ${(micros / good).toFixed(1).padStart(6)} µs a request`;
      process.stdout.write(`${figures}  ${where}\n`);
    }
    process.stdout.write(`\nOpen test/bench/results/${file} in Chrome DevTools (Performance) or speedscope.app.\n`);
  } finally {
    await stage.close();
  }
}
