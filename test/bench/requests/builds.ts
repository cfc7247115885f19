import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startCommandIn } from '../../support/start-command.js';
import { figuresOf, ratiosOf } from './compare.js';
import { runInterleaved } from './interleaved.js';
import { commitOf } from './machine.js';
import { prepare } from './prepare.js';
import { spread, tableOf } from './section.js';
import { SERVERS, type ServerName } from './servers.js';
import { Stage } from './stage.js';
import { WORKLOADS, type WorkloadName } from './workloads.js';

/** `npm run bench:builds`: compares this checkout with another one, a control and Mercurius, in turns. */
const HELP = `npm run bench:builds -- DIRECTORY [options]

  DIRECTORY     another checkout of the gateway, installed and built (git worktree add; npm ci; npm run build)
  --only a,b    workloads of a gateway; public and me unless told otherwise
  --rounds n    rounds, each with new processes; 5 unless told otherwise

Each gateway starts as npm start of its checkout does. It prints the processor time of a request, and the ratios of
this checkout to the other one, to a second process of its own, which shows the noise, and to Mercurius.
`;

/** A machine that is busy with other work delays turns of the event loop, for which a gateway would refuse requests. */
const SETTINGS = { MAX_EVENT_LOOP_DELAY_MS: '60000' };

/** Servers that a workload is compared with. */
function othersOf(workload: WorkloadName): readonly ServerName[] {
  const hasPeer = WORKLOADS[workload].against.some(({ server }) => server === 'mercurius');
  return ['gateway-of-other-checkout', 'gateway-again', ...(hasPeer ? (['mercurius'] as const) : [])];
}

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', default: 'public,me' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [directory] = positionals;
const rounds = Number(values.rounds);
if (values.help || directory === undefined || !Number.isInteger(rounds) || rounds < 1) {
  process.stdout.write(HELP);
  process.exitCode = values.help ? 0 : 2;
} else await compareWith(path.resolve(directory), values.only.split(',').map(workloadOf), rounds);

async function compareWith(other: string, workloads: readonly WorkloadName[], rounds: number): Promise<void> {
  const program = path.join(other, startCommandIn(pathToFileURL(`${other}/`)).file);
  if (!existsSync(program)) throw new Error(`There is no ${program}. Run npm ci and npm run build in ${other}.`);
  await prepare();
  const stage = await Stage.open(SETTINGS, other);
  try {
    const cells = workloads.flatMap((workload) =>
      (['gateway', ...othersOf(workload)] as const).map((server) => ({ workload, server })),
    );
    const samples = await runInterleaved(cells, stage, { rounds, seconds: 3, warmUpSeconds: 6, startsAnew: true });
    process.stdout.write(`this gateway: ${commitOf('.')}; the other checkout: ${commitOf(other)}\n\n`);
    for (const workload of workloads) {
      const own = { workload, server: 'gateway' } as const;
      const rows = othersOf(workload).map((server) => [
        SERVERS[server].label,
        ...figuresOf(samples, { workload, server }),
        spread(ratiosOf(samples, own, { workload, server }), 2, '×'),
      ]);
      const columns = [workload, 'CPU µs each', 'requests/s', 'p99 ms', 'ratio of this gateway'];
      const table = tableOf({ columns, rows: [[SERVERS.gateway.label, ...figuresOf(samples, own), ''], ...rows] });
      process.stdout.write(`${table.join('\n')}\n\n`);
    }
  } finally {
    await stage.close();
  }
}

/** @throws {Error} a gateway has no such workload */
function workloadOf(name: string): WorkloadName {
  const found = Object.entries(WORKLOADS).find(([known, { subject }]) => known === name && subject === 'gateway');
  if (found === undefined) throw new Error(`"${name}" is no workload of a gateway.`);
  return found[0] as WorkloadName; // the table has no other keys
}
