import { readFileSync, writeFileSync } from 'node:fs';
import { CHECKED_FLEET, FLEETS, helpText, readOptions, type CapacityOptions } from './assumptions.js';
import { CHECKED_FILE, readChecked } from './checked.js';
import { COSTS_FILE, readCosts } from './costs.js';
import { withTables } from './page.js';
import { capacityTables } from './tables.js';

/** `npm run bench:capacity`: what fleets need, by simulation. */
const PAGE = new URL('../../../deploy/capacity.md', import.meta.url);

const print = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message} See npm run bench:capacity -- --help\n`);
  process.exitCode = 2;
}

async function run({ assumptions, vehicles, help, measure, check, replicas, write }: CapacityOptions): Promise<void> {
  if (help) {
    print(helpText());
    return;
  }
  if (measure) {
    const { measureCosts } = await import('./measure.js');
    await writeJson(COSTS_FILE, await measureCosts(print));
  }
  if (check) {
    const { checkModel } = await import('./check.js');
    const [fleet = CHECKED_FLEET] = vehicles === FLEETS ? [] : vehicles;
    const options = { vehicles: fleet, replicas, assumptions, costs: readCosts(), log: print };
    await writeJson(CHECKED_FILE, await checkModel(options));
  }
  const tables = capacityTables({ vehicles, assumptions, costs: readCosts(), checked: readChecked() });
  print(Object.values(tables).join('\n\n'));
  if (write) writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), tables));
}

async function writeJson(file: URL, value: unknown): Promise<void> {
  const { format } = await import('prettier');
  writeFileSync(file, await format(JSON.stringify(value), { parser: 'json', printWidth: 120 }));
}
