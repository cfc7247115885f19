/** The page on capacity is made by the simulation. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/load-config.js';
import { DEFAULTS, FLEETS } from '../bench/capacity/assumptions.js';
import { readCosts } from '../bench/capacity/costs.js';
import { capacityTables, withTables } from '../bench/capacity/tables.js';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const page = read('deploy/capacity.md');
const costs = readCosts();

const tables = capacityTables({ vehicles: FLEETS, assumptions: DEFAULTS, costs });

it.each(Object.entries(tables))(
  '%s says what the simulation says; otherwise: npm run bench:capacity -- --write',
  (name, ofPage) => expect(withTables(read(name), ofPage)).toBe(read(name)),
);

it('an organisation may order ten times what the largest fleet orders in its busiest minute', () => {
  const [items = NaN, pages = NaN] = ['bulk items', 'report pages'].map((row) => {
    const [, last] = new RegExp(`^\\| ${row} a second .*\\| ([\\d.,]+) \\|$`, 'm').exec(page) ?? [];
    return Number(last?.replaceAll(',', ''));
  });
  const times = loadConfig({}).jobs.organisation.maxItemsPerMinute / (60 * (items + pages));
  expect(times).toBeGreaterThanOrEqual(10);
  expect(times).toBeLessThan(10.5);
});
