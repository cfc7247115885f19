import { measureBulk } from './bulk.js';
import { measureMemory } from './memory.js';
import { measureOverload } from './overload.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';
import { measureStart } from './start.js';

/** How much a measurement does. */
export interface MeasurementOptions {
  readonly rounds: number;
  readonly quick: boolean;
}

export type MeasurementName = 'bulk' | 'overload' | 'memory' | 'start';

/** What is measured beside the workloads. */
export const MEASUREMENTS: Readonly<
  Record<MeasurementName, (stage: Stage, options: MeasurementOptions) => Promise<Section>>
> = { bulk: measureBulk, overload: measureOverload, memory: measureMemory, start: measureStart };
