import { readFileSync } from 'node:fs';
import type { Reading } from './variable.js';

/**
 * The secret in a file, as container platforms hand them out: all of its text but white space around it.
 *
 * @param path where it lies
 * @returns undefined when it cannot be read or holds nothing, which is noted as a fault
 */
export function readSecretFile(path: string, { name, fault }: Reading): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret !== '') return secret;
    fault(`${name} names ${path}, which is empty.`);
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
    fault(`${name} names ${path}, which cannot be read (${code}).`);
  }
  return undefined;
}
