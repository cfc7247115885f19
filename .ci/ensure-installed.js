/**
 * Installs what the lockfile of a directory names, this one by default, unless it is installed, and says nothing
 * otherwise: `node .ci/ensure-installed.js test/clients`. It needs no package itself. It compares what npm notes in
 * `node_modules/` and no times of files, so that a worktree or a copied clone installs nothing again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const INSTALL = 'npm ci --ignore-scripts --no-audit --no-fund';

/** A font's package holds every weight, and reports are set in two: 46 MB of 224. The Dockerfile does the same. */
const FONTS = 'node_modules/@expo-google-fonts';
const USED_WEIGHTS = ['400Regular', '700Bold'];

const [directory = '.'] = process.argv.slice(2);
if (!isInstalled()) {
  process.stderr.write(`Installing packages, about ${directory === '.' ? 900 : 270} MB of them for a moment ...\n`);
  // Standard output belongs to the program that is wanted.
  const { status } = spawnSync(INSTALL, { cwd: directory, shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  if (directory === '.') removeUnusedFonts();
}

function isInstalled() {
  const [named, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(packagesIn);
  // Optional packages are for one platform each.
  return (
    Object.entries(named).every(([name, { optional, ...each }]) =>
      installed[name] === undefined ? optional || name === '' : isSame(installed[name], each),
    ) && Object.keys(installed).every((name) => named[name] !== undefined)
  );
}

function isSame(one, other) {
  return one.version === other.version && one.integrity === other.integrity;
}

/** @param {string} name @returns {Record<string, {version?: string, integrity?: string, optional?: boolean}>} */
function packagesIn(name) {
  const file = path.join(directory, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

function removeUnusedFonts() {
  for (const family of readdirSync(FONTS)) {
    for (const weight of readdirSync(path.join(FONTS, family), { withFileTypes: true }))
      if (/^\d00/.test(weight.name) && !USED_WEIGHTS.includes(weight.name))
        rmSync(path.join(FONTS, family, weight.name), { recursive: true });
  }
}
