import { measureBulk } from './bulk.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';
import { measureStart } from './start.js';

/** How much a measurement does. */
export interface MeasurementOptions {
  readonly rounds: number;
  readonly quick: boolean;
}

export type MeasurementName = 'bulk' | 'start';

/** What is measured beside the workloads. */
export const MEASUREMENTS: Readonly<
  Record<MeasurementName, (stage: Stage, options: MeasurementOptions) => Promise<Section>>
> = { bulk: measureBulk, start: measureStart };
