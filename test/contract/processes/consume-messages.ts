/**
 * Consumes a queue and writes a line of JSON for every delivery.
 * Arguments: module, location, and `done` to settle deliveries or `hang` to keep the first one for ever.
 */
import { once } from 'node:events';
import type { Disposition } from '../../../src/jobs/record/job-queue.js';
import type { OpenedElsewhere } from '../child-process.js';

const [, , module = '', location = '', manner = 'done'] = process.argv;
// The module comes from the test, which promises that it exports this function.
const { openAt } = (await import(module)) as { openAt: (location: string) => Promise<OpenedElsewhere> };
const { queue, close } = await openAt(location);
process.stdout.write('ready\n');

const consumer = queue.consume(
  async ({ message, attempt }) => {
    process.stdout.write(`${JSON.stringify({ jobId: message.jobId, attempt })}\n`);
    if (manner === 'hang') return new Promise<Disposition>(() => undefined);
    return { kind: 'done' };
  },
  { concurrency: manner === 'hang' ? 1 : 4 },
);

await once(process.stdin, 'data');
await consumer.close();
await close();
process.stdin.destroy();
