import { processorTimeOfTree } from '../report-processor-time.js';
import { waitFor } from '../../support/wait-for.js';
import type { MeasurementOptions } from './measurements.js';
import { median, spread, verdict, type Section } from './section.js';
import type { Stage } from './stage.js';

const MAX_WALL_SECONDS = 1;
const MAX_PROCESSOR_SECONDS = 0.6;

/** From `node dist/main.js` on empty embedded stores to the first 200 of `/health/live`. */
export async function measureStart(stage: Stage, { rounds }: MeasurementOptions): Promise<Section> {
  const wall: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const { origin, pid, stop } = await stage.start('gateway-embedded', { isAwaited: false });
    await waitFor('the gateway to be alive', () =>
      fetch(`${origin}/health/live`).then(
        async (reply) => (await reply.text()) !== '' && reply.status === 200,
        () => false,
      ),
    );
    wall.push((performance.now() - startedAt) / 1_000);
    processor.push(processorTimeOfTree(pid) / 1_000);
    await stop();
  }
  const row = (what: string, values: readonly number[], max: number): string[] => [
    what,
    spread(values, 2),
    `≤ ${max.toFixed(1)}`,
    verdict(median(values), max),
  ];
  return {
    title: '`start`: until the first 200 of `/health/live`, embedded stores',
    columns: ['', 'seconds', 'reach', ''],
    rows: [row('wall', wall, MAX_WALL_SECONDS), row('processor', processor, MAX_PROCESSOR_SECONDS)],
  };
}
