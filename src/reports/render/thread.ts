import type { RenderTask } from './protocol.js';

/** Address of this module, from which a drawing thread starts; the caller loads nothing that draws. */
export const THREAD = import.meta.url;

/** Runs a task in a drawing thread. */
export async function runTask(task: RenderTask): Promise<void> {
  const worker = await import('./worker.js');
  await worker.drawTask(task);
}
