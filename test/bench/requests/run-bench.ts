import { cellsOf } from './cells.js';
import { sectionOf } from './compare.js';
import { runInterleaved } from './interleaved.js';
import { MEASUREMENTS, type MeasurementName } from './measurements.js';
import type { BenchOptions, PartName } from './options.js';
import type { Section } from './section.js';
import type { Stage } from './stage.js';
import { WORKLOADS, type WorkloadName } from './workloads.js';

/** Measures what was asked for. */
export async function runBench(stage: Stage, options: BenchOptions): Promise<Section[]> {
  const workloads = options.parts.filter(isWorkload);
  const samples = await runInterleaved(cellsOf(workloads), stage, { ...options, startsAnew: !options.quick });
  const sections = workloads.map((workload) => sectionOf(workload, samples));
  for (const name of options.parts.filter(isMeasurement)) {
    process.stderr.write(`${name}\n`);
    sections.push(await MEASUREMENTS[name](stage, options));
  }
  return sections;
}

function isWorkload(name: PartName): name is WorkloadName {
  return name in WORKLOADS;
}

function isMeasurement(name: PartName): name is MeasurementName {
  return name in MEASUREMENTS;
}
