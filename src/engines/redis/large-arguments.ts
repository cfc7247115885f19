import type { Command } from 'ioredis';

/** From so many characters on, it is noticed how often an argument is gone through. */
const LARGE = 64 * 1024;

const UTF_8 = new TextEncoder();

/**
 * Turns large texts among the arguments of a command into bytes before it is sent: the client goes through a text
 * several times, to measure it and to copy it, and copies bytes once.
 */
export function encodeLargeArguments(command: Command): void {
  if (!command.args.some(isLarge)) return;
  command.args = command.args.map((argument) => (isLarge(argument) ? bytesOf(argument) : argument));
  // It notices that there are bytes.
  command.stringifyArguments();
}

function isLarge(argument: Command['args'][number]): argument is string {
  return typeof argument === 'string' && argument.length >= LARGE;
}

/** What is large was encrypted, and ASCII: as many bytes as characters, which need not be counted before. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  const { read } = UTF_8.encodeInto(text, bytes);
  return read === text.length ? bytes : Buffer.from(text);
}
