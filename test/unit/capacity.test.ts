/** The page on capacity is made by the simulation. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { DEFAULTS, FLEETS } from '../bench/capacity/assumptions.js';
import { readCosts } from '../bench/capacity/costs.js';
import { capacityTables, withTables } from '../bench/capacity/tables.js';

const page = readFileSync(new URL('../../deploy/capacity.md', import.meta.url), 'utf8');
const costs = readCosts();

it('deploy/capacity.md says what the simulation says; otherwise: npm run bench:capacity -- --write', () => {
  expect(withTables(page, capacityTables({ vehicles: FLEETS, assumptions: DEFAULTS, costs }))).toBe(page);
});
