import { runChild } from './report-child.js';

/** Peak resident memory in MiB of a process of its own that draws a report of that many drivers. */
export async function peakMemory(drivers: number): Promise<number> {
  return Number(await runChild('./report-memory-child.ts', String(drivers)));
}
