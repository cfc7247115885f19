import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Name of a document, as the tools of front ends make it. */
export function hashOf(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}

/** `extensions` of a request that names a document. */
export function naming(document: string): object {
  return { persistedQuery: { version: 1, sha256Hash: hashOf(document) } };
}

/** Writes a file of persisted operations in a directory of its own. @param content its text, or the documents in it */
export async function writeOperations(content: string | readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'operations-'));
  const path = join(directory, 'operations.json');
  const text =
    typeof content === 'string'
      ? content
      : JSON.stringify(Object.fromEntries(content.map((document) => [hashOf(document), document])));
  await writeFile(path, text);
  return { path, close: () => rm(directory, { recursive: true }) };
}
