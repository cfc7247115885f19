import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';

/** The value of a variable that the runner sets. @throws {Error} when it does not */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; the runner of the benchmark sets it.`);
  return value;
}

/** Where the runner expects this program, on loopback alone. */
export const LISTEN = { host: '127.0.0.1', port: Number(setting('PORT')) } as const;

export function serve(listener: RequestListener): void {
  createServer(listener).listen(LISTEN);
}
