/**
 * Loaded into a program (`node --expose-gc --import`): at SIGUSR2 the program collects garbage and writes what is left
 * to the file that `HEAP_REPORT` names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Kinds of objects by name; subclasses count as well. */
const KINDS = { Object, Array, Function, Promise, Map, Set, AbortSignal };

async function report() {
  // Finalizers run between collections, and free more.
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await delay(50);
  }
  const counts = Object.entries(KINDS).map(([name, kind]) => [name, queryObjects(kind, { format: 'count' })]);
  const file = process.env['HEAP_REPORT'] ?? '';
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  const text = JSON.stringify({
    heapUsed: process.memoryUsage().heapUsed,
    counts: { ...Object.fromEntries(counts), timers, listeners },
  });
  writeFileSync(`${file}.draft`, text);
  renameSync(`${file}.draft`, file);
}

if (isMainThread) process.on('SIGUSR2', () => void report());
