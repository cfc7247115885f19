import { readFileSync, writeFileSync } from 'node:fs';
import { helpText, readOptions, type CapacityOptions } from './assumptions.js';
import { COSTS_FILE, readCosts } from './costs.js';
import { capacityTables, withTables } from './tables.js';

/** `npm run bench:capacity`: what fleets need, by simulation. */
const page = (name: string): URL => new URL(`../../../${name}`, import.meta.url);

const print = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  await run(readOptions(process.argv.slice(2)));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message} See npm run bench:capacity -- --help\n`);
  process.exitCode = 2;
}

async function run({ assumptions, vehicles, help, measure, write }: CapacityOptions): Promise<void> {
  if (help) {
    print(helpText());
    return;
  }
  if (measure) {
    const { measureCosts } = await import('./measure.js');
    const { format } = await import('oxfmt');
    const costs = JSON.stringify(await measureCosts(print));
    writeFileSync(COSTS_FILE, (await format('costs.json', costs, { printWidth: 120 })).code);
  }
  const tables = capacityTables({ vehicles, assumptions, costs: readCosts() });
  for (const [name, ofPage] of Object.entries(tables)) {
    print(Object.values(ofPage).join('\n\n'));
    if (write) writeFileSync(page(name), withTables(readFileSync(page(name), 'utf8'), ofPage));
  }
}
