import { readFileSync } from 'node:fs';
import { Progress } from '../../../src/process/run-command.js';
import { requestOf } from './graphql-request.js';
import type { MeasurementOptions } from './measurements.js';
import { median, verdict, type Section } from './section.js';
import type { Stage } from './stage.js';

const TENTHS = 10;
const CONNECTIONS = 32;
const SAMPLE_MS = 100;
const MAX_GROWTH = 1.1;
const MAX_BAD_SHARE = 0.01;

/** Resident memory of a fresh gateway over two million requests, `public` and `me` in turns. */
export async function measureMemory(stage: Stage, { quick }: MeasurementOptions): Promise<Section> {
  const total = quick ? 100_000 : 2_000_000;
  const { origin, pid, stop } = await stage.start('gateway');
  const requests = [requestOf('public', stage), requestOf('me', stage)];
  const tenths: number[] = [];
  const progress = new Progress(process.stderr);
  for (let tenth = 0; tenth < TENTHS; tenth += 1) {
    const samples: number[] = [];
    const timer = setInterval(() => samples.push(residentMiB(pid)), SAMPLE_MS);
    const { failed, refused } = await stage.load.run({
      kind: 'closed',
      origin,
      requests,
      connections: CONNECTIONS,
      until: { requests: total / TENTHS },
    });
    clearInterval(timer);
    const bad = failed + refused;
    if (bad > (MAX_BAD_SHARE * total) / TENTHS) throw new Error(`${bad} of ${total / TENTHS} requests failed.`);
    tenths.push(median([...samples, residentMiB(pid)]));
    progress.show(`memory: tenth ${tenth + 1} of ${TENTHS}`);
  }
  progress.end();
  await stop();
  const growth = (tenths.at(-1) ?? NaN) / (tenths[1] ?? NaN);
  return {
    title: `\`memory\`: ${total.toLocaleString('en')} requests`,
    columns: ['', ...tenths.map((_, index) => `${index + 1}`), 'last ÷ second', 'reach', ''],
    rows: [
      [
        'resident MiB, median of each tenth',
        ...tenths.map((value) => value.toFixed(0)),
        growth.toFixed(2),
        `≤ ${MAX_GROWTH}`,
        verdict(growth, MAX_GROWTH),
      ],
    ],
  };
}

function residentMiB(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
