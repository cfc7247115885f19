/** The page on capacity: made by the simulation, and of figures that hold together. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULTS, FLEETS, readOptions } from '../bench/capacity/assumptions.js';
import { KINDS, readCosts } from '../bench/capacity/costs.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { arrivals, simulate } from '../bench/capacity/simulate.js';
import { capacityTables, withTables } from '../bench/capacity/tables.js';

const page = readFileSync(new URL('../../deploy/capacity.md', import.meta.url), 'utf8');
const costs = readCosts();

it('deploy/capacity.md says what the simulation says; otherwise: npm run bench:capacity -- --write', () => {
  expect(withTables(page, capacityTables({ vehicles: FLEETS, assumptions: DEFAULTS, costs }))).toBe(page);
});

describe('the simulated day', () => {
  const needs = (vehicles: number, changes: Partial<typeof DEFAULTS> = {}) =>
    simulate(vehicles, { ...DEFAULTS, ...changes }, costs);

  it('fetches a key for every request but logins, unless keys are kept', () => {
    const { keyFetches, keptKeyFetches, requests, gateways } = needs(1_000_000);
    expect(keyFetches / requests).toBeGreaterThan(0.95);
    expect(keyFetches / requests).toBeLessThan(1);
    expect(keptKeyFetches).toBeCloseTo(gateways / DEFAULTS['key-max-age-seconds']);
  });

  it('has as few gateways as carry it: with the work of each half as dear, about half as many', () => {
    const work = Object.fromEntries(
      KINDS.map((kind) => [kind, { ...costs.work[kind], gatewayMs: costs.work[kind].gatewayMs / 2 }]),
    ) as typeof costs.work; // the same kinds
    const [dear, cheap] = [needs(2_000_000), simulate(2_000_000, DEFAULTS, { ...costs, work })];
    expect(Math.abs(cheap.gateways - 1 - (dear.gateways - 1) / 2)).toBeLessThanOrEqual(1);
    expect(dear.waitSeconds).toBeLessThanOrEqual(DEFAULTS['max-wait-seconds']);
  });

  it('needs more of everything for more vehicles, for more requests and for a steeper peak', () => {
    const base = needs(1_000_000);
    for (const more of [
      needs(2_000_000),
      needs(1_000_000, { 'views-per-user': 480 }),
      needs(1_000_000, { 'peak-factor': 12 }),
    ]) {
      expect(more.gateways).toBeGreaterThan(base.gateways);
      expect(more.keyFetches).toBeGreaterThan(base.keyFetches);
      expect(more.backendCalls).toBeGreaterThan(base.backendCalls);
    }
  });
});

it.each([0.2, 5, 49, 5_000])('arrivals come %p at a time on average, more or less', (expected) => {
  const random = randomFrom(1);
  const counts = Array.from({ length: 4_000 }, () => arrivals(expected, random));
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  expect(Math.abs(mean - expected)).toBeLessThan(5 * Math.sqrt(expected / counts.length));
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
  expect(variance / expected).toBeGreaterThan(0.8);
  expect(variance / expected).toBeLessThan(1.2);
});

it('npm run bench:capacity takes every assumption as a flag, and refuses what is no number', () => {
  const options = readOptions(['--views-per-user', '30', '--vehicles', '500,2000']);
  expect(options).toMatchObject({ vehicles: [500, 2_000], assumptions: { ...DEFAULTS, 'views-per-user': 30 } });
  expect(() => readOptions(['--peak-factor', 'many'])).toThrow('--peak-factor must be a number above 0');
  expect(() => readOptions(['--views'])).toThrow('Unknown option');
});
