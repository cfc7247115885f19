import { createServer, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { setting } from './serve.js';

/**
 * Loaded in front of a server (`--import`): tells on a port of its own how long the main thread was held without a
 * turn for anybody else, and how long that thread takes to parse a body, both in milliseconds.
 */
const TICK_MS = 1;
const PARSES = 5;

if (isMainThread) {
  let tickedAt = performance.now();
  let held = 0;
  setInterval(() => {
    const now = performance.now();
    held = Math.max(held, now - tickedAt);
    tickedAt = now;
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

/** The median of a few. */
async function parseTime(text: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < PARSES; time += 1) {
    const startedAt = performance.now();
    JSON.parse(text);
    times.push(performance.now() - startedAt);
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
