import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** @typedef {Record<string, string>} Digests hash of the content by path, relative to the working directory */

/** Inputs of `dist/`: the sources, generated types, settings and packages that it is compiled from. */
const INPUTS = ['src', 'generated', 'tsconfig.json', 'package.json', 'package-lock.json'];

/** @param {string | Buffer} content @returns {string} */
export function digest(content) {
  return createHash('sha256').update(content).digest('base64url');
}

/** @param {string} file @returns {string | undefined} undefined when there is none */
export function digestOfFile(file) {
  try {
    return digest(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** @returns {Digests} of everything that `dist/` is made of */
export function digestsOfInputs() {
  return digestsOf(INPUTS.flatMap((name) => filesOf(name)));
}

/** @param {readonly string[]} names files @returns {Digests} without those that are not there (any more) */
export function digestsOf(names) {
  return Object.fromEntries(names.map((name) => [name, digestOfFile(name)]).filter(([, found]) => found !== undefined));
}

/** @param {string} name file or directory @returns {string[]} all files below, with forward slashes */
export function filesOf(name) {
  const stat = statSync(name, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [name];
  return readdirSync(name, { withFileTypes: true }).flatMap((entry) => filesOf(path.posix.join(name, entry.name)));
}

/** @param {Digests} before @param {Digests} now @returns {string[]} what was changed, added or removed */
export function changesBetween(before, now) {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}
