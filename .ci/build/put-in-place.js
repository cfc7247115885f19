import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digest, digestOfFile } from './digests.js';

/** Ignored by git; on the disk of the package, so that a rename is one step. */
export const CACHE = '.cache';

const OUTDATED_MS = 3_600_000;

/**
 * Writes files so that whoever reads one meanwhile sees it as it was or as it is to be: all are written elsewhere
 * first and then renamed, within milliseconds. Files that hold their text already are left alone.
 *
 * @param {ReadonlyMap<string, string>} texts by path
 * @returns {number} how many were written
 */
export function putInPlace(texts) {
  const changed = [...texts].filter(([file, text]) => digestOfFile(file) !== digest(text));
  if (changed.length === 0) return 0;
  mkdirSync(CACHE, { recursive: true });
  removeAbandonedDrafts();
  const draft = mkdtempSync(path.join(CACHE, 'draft-'));
  const renames = changed.map(([file, text], index) => {
    const written = path.join(draft, String(index));
    writeFileSync(written, text);
    mkdirSync(path.dirname(file), { recursive: true });
    return { written, file };
  });
  for (const { written, file } of renames) renameSync(written, file);
  rmSync(draft, { recursive: true });
  return changed.length;
}

/** Removes the drafts of builds that were killed. */
function removeAbandonedDrafts() {
  for (const name of readdirSync(CACHE)) {
    if (!name.startsWith('draft-')) continue;
    const draft = path.join(CACHE, name);
    const { mtimeMs } = statSync(draft, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > OUTDATED_MS) rmSync(draft, { recursive: true, force: true });
  }
}
