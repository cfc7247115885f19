import { MOBILES } from '../../support/job-requests.js';
import { pin } from './processors.js';
import type { BenchOptions } from './options.js';
import { median, ratioInTurns, spread, verdict, type Section } from './section.js';
import { SERVERS, type ServerName } from './servers.js';
import type { RunningServer, Stage } from './stage.js';

const ITEMS = Array.from({ length: 1_000 }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));
const MAX_RATIO = 1.25;

/** Updates by each server that warm up: 5 s, as with everything else. */
const WARM_UP = 20;
const QUICK_WARM_UP = 4;

/** Updates of a round by each server, in turns: one takes a fraction of a second, in which anything may happen. */
const TURNS = 8;

/**
 * Wall time of a bulk update of 1,000 mobiles, from the callback to its reply, against a loop of the same calls. Redis
 * is beside the gateway meanwhile: where it is else, it would take turns with the backend, which the loop has to itself.
 */
export async function measureBulk(stage: Stage, options: BenchOptions): Promise<Section> {
  const { cores, redis } = stage;
  if (redis === undefined) return measure(stage, options);
  await pin(redis.pid, cores?.servers);
  try {
    return await measure(stage, options);
  } finally {
    await pin(redis.pid, cores?.load);
  }
}

async function measure(stage: Stage, { rounds, quick }: BenchOptions): Promise<Section> {
  const floor = 'bulk-loop';
  const names: ServerName[] = [floor, ...(stage.redis ? (['gateway'] as const) : []), 'gateway-embedded'];
  const times = new Map<ServerName, number[][]>(names.map((name) => [name, []]));
  let updates = 0;
  const warmUp = quick ? QUICK_WARM_UP : WARM_UP;
  for (let turn = 0; turn < warmUp; turn += 1) await updateByEach(names, stage, `bench-bulk-warm-up-${turn}`);
  for (let round = 0; round < rounds; round += 1) {
    const taken = new Map<ServerName, number[]>(names.map((name) => [name, []]));
    for (let turn = 0; turn < TURNS; turn += 1) {
      const each = await updateByEach(names, stage, `bench-bulk-${(updates += 1)}`);
      for (const [name, time] of each) taken.get(name)?.push(time);
    }
    for (const [name, inTurns] of taken) times.get(name)?.push(inTurns);
  }
  const floors = times.get(floor) ?? [];
  return {
    title: '`bulk`: 1,000 mobiles updated by one callback',
    columns: ['', 'wall ms', 'ratio to the loop', 'limit', ''],
    rows: [...times].map(([name, all]) => {
      const ratios = all.map((inTurns, round) => ratioInTurns(inTurns, floors[round] ?? []));
      const reach =
        name === floor ? ['', '', ''] : [spread(ratios, 2, '×'), `≤ ${MAX_RATIO}×`, verdict(median(ratios), MAX_RATIO)];
      const label = name === 'gateway' ? 'this gateway with jobs in Redis' : SERVERS[name].label;
      return [label, spread(all.map(median)), ...reach];
    }),
  };
}

async function updateByEach(
  names: readonly ServerName[],
  stage: Stage,
  jobId: string,
): Promise<ReadonlyMap<ServerName, number>> {
  const times = new Map<ServerName, number>();
  for (const name of names) times.set(name, await timeOfUpdate(await stage.server(name), stage, jobId));
  return times;
}

async function timeOfUpdate(server: RunningServer, stage: Stage, jobId: string): Promise<number> {
  const startedAt = performance.now();
  const text = await stage.callback(server, MOBILES, jobId, ITEMS);
  if (text !== '{"status":"Success"}') throw new Error(`${server.name} answered the bulk update with ${text}`);
  return performance.now() - startedAt;
}
