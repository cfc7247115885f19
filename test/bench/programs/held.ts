import { openSync, readSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { setting } from './serve.js';

/**
 * Loaded in front of a server (`--import`): tells on a port of its own how long the main thread was held without a
 * turn for anybody else, and how long that thread takes to parse a body, both in milliseconds of its processor time:
 * what others of the machine do meanwhile would count as held otherwise.
 */
const TICK_MS = 1;
const PARSES = 5;

/** Nanoseconds that the main thread has run, first of three numbers (Linux, scheduler statistics). */
const RUN_TIME = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
const read = Buffer.alloc(64);

if (isMainThread) {
  let usedBefore = processorTime();
  let held = 0;
  setInterval(() => {
    const used = processorTime();
    held = Math.max(held, used - usedBefore);
    usedBefore = used;
  }, TICK_MS).unref();

  const answer = async (request: IncomingMessage): Promise<number> => {
    if (request.url === '/parse') return parseTime(await textOf(request));
    // The tick after what was asked about.
    await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MS));
    const longest = held;
    held = 0;
    return longest;
  };
  createServer((request, response) => {
    answer(request).then(
      (milliseconds) => response.end(String(milliseconds)),
      () => response.writeHead(500).end(),
    );
  })
    .listen({ host: '127.0.0.1', port: Number(setting('HELD_PORT')) })
    .unref();
}

function processorTime(): number {
  // Asking for the process brings the counter of the thread that asks up to date, which reading it does not.
  process.cpuUsage();
  const length = readSync(RUN_TIME, read, 0, read.length, 0);
  return Number.parseInt(read.toString('latin1', 0, length), 10) / 1e6;
}

/** The median of a few. */
async function parseTime(text: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < PARSES; time += 1) {
    const usedBefore = processorTime();
    JSON.parse(text);
    times.push(processorTime() - usedBefore);
    await turn();
  }
  return times.sort((a, b) => a - b)[Math.floor(PARSES / 2)] ?? NaN;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const part of request) text += String(part);
  return text;
}
