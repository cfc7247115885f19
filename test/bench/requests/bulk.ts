import type { MeasurementOptions } from './measurements.js';
import { pin } from './processors.js';
import { median, spread, verdict, type Section } from './section.js';
import { SERVERS, type ServerName } from './servers.js';
import type { RunningServer, Stage } from './stage.js';

const ITEMS = Array.from({ length: 1_000 }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));
const CALLBACK = '/api/v1/Mobile/BulkUpdateCallback';
const MAX_RATIO = 1.25;

/** Rounds that warm up. A round is a tenth of one of the others. */
const WARM_UP = 4;

/**
 * Wall time of a bulk update of 1,000 mobiles, from the callback to its reply, against a loop of the same calls. Redis
 * is beside the gateway meanwhile: where it is else, it would take turns with the backend, which the loop has to itself.
 */
export async function measureBulk(stage: Stage, options: MeasurementOptions): Promise<Section> {
  const { cores, redis } = stage;
  if (redis === undefined) return measure(stage, options);
  await pin(redis.pid, cores?.servers);
  try {
    return await measure(stage, options);
  } finally {
    await pin(redis.pid, cores?.load);
  }
}

async function measure(stage: Stage, { rounds }: MeasurementOptions): Promise<Section> {
  const names: ServerName[] = ['bulk-loop', ...(stage.redis ? (['gateway'] as const) : []), 'gateway-embedded'];
  const times = new Map<ServerName, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    for (const name of names) {
      const time = await timeOfUpdate(await stage.server(name), stage, `bench-bulk-${round}`);
      if (round >= WARM_UP) times.get(name)?.push(time);
    }
  }
  const floor = median(times.get('bulk-loop') ?? []);
  return {
    title: '`bulk`: 1,000 mobiles updated by one callback',
    columns: ['', 'wall ms', 'against the loop', 'reach', ''],
    rows: [...times].map(([name, all]) => {
      const ratio = median(all) / floor;
      const reach =
        name === 'bulk-loop' ? ['', '', ''] : [`${ratio.toFixed(2)}×`, `≤ ${MAX_RATIO}×`, verdict(ratio, MAX_RATIO)];
      return [name === 'gateway' ? 'this gateway, jobs in Redis' : SERVERS[name].label, spread(all), ...reach];
    }),
  };
}

async function timeOfUpdate({ origin, name }: RunningServer, { credentials }: Stage, jobId: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'x-api-key': credentials.callbackKey,
    'x-job-id': jobId,
    'x-org-id': 'acme',
  };
  const startedAt = performance.now();
  const reply = await fetch(`${origin}${CALLBACK}`, { method: 'POST', headers, body: JSON.stringify(ITEMS) });
  const text = await reply.text();
  if (text !== '{"status":"Success"}')
    throw new Error(`${name} answered the bulk update with ${reply.status}: ${text}`);
  return performance.now() - startedAt;
}
