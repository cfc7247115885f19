import { processorTimeOfTree } from '../processor-time.js';
import { waitFor } from '../../support/wait-for.js';
import { median, spread, verdict, type MeasurementOptions, type Section } from './section.js';
import type { Stage } from './stage.js';

const MAX_WALL_SECONDS = 1;
const MAX_PROCESSOR_SECONDS = 0.6;

/** Seconds since the start. */
interface Moment {
  readonly wall: number;
  readonly processor: number;
}

interface Started {
  readonly live: Moment;
  readonly graphql: Moment;
}

const OPERATION = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: '{ serviceVersion }' }),
};

/**
 * From the start of a gateway on empty embedded stores to the first 200 of `/health/live`, which is answered before GraphQL
 * has been loaded, and to that of a GraphQL request. Then, of others that may use both cores, to the first `OK` of
 * `/health/ready`.
 */
export async function measureStart(stage: Stage, { rounds }: MeasurementOptions): Promise<Section> {
  const started: Started[] = [];
  for (let round = 0; round < rounds; round += 1) started.push(await startOnce(stage));
  const ready: number[] = [];
  for (let round = 0; round < rounds; round += 1) ready.push(await secondsToReady(stage));
  const all = (name: keyof Started, time: keyof Moment): number[] => started.map((each) => each[name][time]);
  return {
    title: '`start`: time to the first 200 of `/health/live` and of `{ serviceVersion }`, with embedded stores',
    columns: ['', 'seconds', 'limit', ''],
    rows: [
      rowOf('`/health/live`, wall', all('live', 'wall'), MAX_WALL_SECONDS),
      rowOf('`/health/live`, processor', all('live', 'processor'), MAX_PROCESSOR_SECONDS),
      rowOf('`{ serviceVersion }`, wall', all('graphql', 'wall')),
      rowOf('`{ serviceVersion }`, processor', all('graphql', 'processor')),
      rowOf('`/health/ready` says `OK`, wall, on both cores', ready, MAX_WALL_SECONDS),
    ],
  };
}

async function startOnce(stage: Stage): Promise<Started> {
  const startedAt = performance.now();
  const { origin, pid, stop } = await stage.start('gateway-embedded', { isAwaited: false });
  const now = (): Moment => ({
    wall: (performance.now() - startedAt) / 1_000,
    processor: processorTimeOfTree(pid) / 1_000,
  });
  await waitFor('the gateway to be alive', () => isAnswered(`${origin}/health/live`));
  const live = now();
  await waitFor('an operation to be answered', () => isAnswered(`${origin}/graphql`, OPERATION));
  const graphql = now();
  await stop();
  return { live, graphql };
}

async function secondsToReady(stage: Stage): Promise<number> {
  const startedAt = performance.now();
  const { origin, stop } = await stage.start('gateway-embedded', { isAwaited: false, onAnyCore: true });
  await waitFor('the gateway to be ready', () => isAnswered(`${origin}/health/ready`, {}, '"Status":"OK"'));
  const seconds = (performance.now() - startedAt) / 1_000;
  await stop();
  return seconds;
}

/** Whether a request is answered with 200 and a body that contains something. */
async function isAnswered(url: string, init?: RequestInit, expected = '{'): Promise<boolean> {
  try {
    const reply = await fetch(url, init);
    return (await reply.text()).includes(expected) && reply.status === 200;
  } catch {
    return false;
  }
}

function rowOf(what: string, values: readonly number[], max?: number): string[] {
  const reach = max === undefined ? ['', ''] : [`≤ ${max.toFixed(1)}`, verdict(median(values), max)];
  return [what, spread(values, 2), ...reach];
}
