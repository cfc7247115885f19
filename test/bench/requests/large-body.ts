import { readFileSync, writeFileSync } from 'node:fs';
import { freePorts } from '../../support/child-program.js';
import { largeRequests, type LargeRequest } from './large-bodies.js';
import type { MeasurementOptions } from './measurements.js';
import { median, spread, type Section } from './section.js';
import type { Stage } from './stage.js';

const MAX_RATIO = 3;
/** Times that each is sent in a round: they take milliseconds, in which anything may happen. */
const TURNS = 3;
/** Nobody notices less, in milliseconds: one long text takes longer to be received than to be parsed. */
const UNNOTICED_MS = 15;

/** What a request did: milliseconds of processor time, and MiB of resident memory at its peak. */
interface Figure {
  readonly held: number;
  readonly parse: number;
  readonly growth: number;
}

/** The same turn by turn. */
type Figures = { readonly [Name in keyof Figure]: Figure[Name][] };

/** How long a large body holds the gateway's main thread, against parsing it there, and what memory it takes. */
export async function measureLargeBody(stage: Stage, { rounds }: MeasurementOptions): Promise<Section> {
  const [port = 0] = await freePorts(1);
  const probe = `http://127.0.0.1:${port}`;
  const { origin, pid, stop } = await stage.start('gateway', {
    preload: 'held',
    env: {
      HELD_PORT: String(port),
      // The jobs that are ordered are not what is measured.
      JOBS_MAX_OPEN_PER_ORG: '100000',
      JOBS_MAX_OPEN_BYTES_PER_ORG: '1000000000000',
    },
  });
  const requests = largeRequests(stage.credentials);
  const figures = new Map<LargeRequest, Figures>(
    requests.map((request) => [request, { held: [], parse: [], growth: [] }]),
  );
  const measureOnce = async (request: LargeRequest): Promise<Figure> => {
    const parse = await ask(`${probe}/parse`, request.body);
    const before = beginPeak(pid);
    await ask(`${probe}/held`);
    await send(origin, request);
    const held = await ask(`${probe}/held`);
    return { parse, held, growth: peakMiB(pid) - before };
  };
  // The first turn warms up.
  for (let turn = 0; turn <= rounds * TURNS; turn += 1) {
    for (const request of requests) {
      const { parse, held, growth } = await stage.quiet.measure(() => measureOnce(request));
      if (turn === 0) continue;
      const of = figures.get(request);
      of?.parse.push(parse);
      of?.held.push(held);
      of?.growth.push(growth);
    }
  }
  await stop();
  return {
    title: '`large-body`: processor time for which one request holds the main thread',
    columns: ['', 'MB', 'held ms', 'JSON.parse ms', 'ratio', 'reach', '', 'peak MiB more'],
    rows: requests.map((request) => {
      const { held, parse, growth } = figures.get(request) ?? { held: [], parse: [], growth: [] };
      const ratio = median(held) / median(parse);
      const isMet = ratio <= MAX_RATIO || median(held) <= UNNOTICED_MS;
      return [
        request.title,
        (Buffer.byteLength(request.body) / 1e6).toFixed(1),
        spread(held),
        spread(parse),
        ratio.toFixed(1),
        `≤ ${MAX_RATIO}, or ${UNNOTICED_MS} ms`,
        isMet ? 'met' : 'not met',
        spread(growth),
      ];
    }),
  };
}

/** A number that the probe answers. */
async function ask(url: string, body = ''): Promise<number> {
  const reply = await fetch(url, { method: 'POST', body });
  if (!reply.ok) throw new Error(`The probe answered ${reply.status}.`);
  return Number(await reply.text());
}

async function send(origin: string, { title, path, headers, body, expected }: LargeRequest): Promise<void> {
  const text = await (await fetch(`${origin}${path}`, { method: 'POST', headers, body })).text();
  if (!text.includes(expected)) throw new Error(`${title} was answered with ${text.slice(0, 500)}`);
}

/** Forgets the peak of before. @returns resident memory now, in MiB */
function beginPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return memoryOf(pid, 'VmRSS');
}

function peakMiB(pid: number): number {
  return memoryOf(pid, 'VmHWM');
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
