import { statSync } from 'node:fs';

/** Largest files of settings and of secrets, in bytes. */
export const [MAX_SETTINGS_BYTES, MAX_SECRET_BYTES] = [64 * 1024 * 1024, 64 * 1024];

/**
 * Judges a file that a variable names before it is read: a FIFO would never end, and a wrong file may be larger than
 * the memory.
 *
 * @throws {Error} it is unreadable, not a regular file, or larger than `maxBytes`; the message does not repeat the path
 *   in the latter cases
 */
export function requireBoundedFile(path: string, maxBytes: number): void {
  const stats = statSync(path);
  if (!stats.isFile()) throw unfitFile('ENOTFILE', 'it is not a regular file');
  if (stats.size > maxBytes) {
    throw unfitFile('EFBIG', `it has ${stats.size} bytes, more than the ${maxBytes} that such a file may have`);
  }
}

function unfitFile(code: string, text: string): Error {
  return Object.assign(new Error(text), { code });
}
