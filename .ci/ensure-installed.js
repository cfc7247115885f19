/**
 * Installs what the lockfile of a directory names, this one by default, when nothing is installed or the lockfile is
 * newer, and says nothing otherwise: `node .ci/ensure-installed.js test/clients`. It needs no package itself.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const INSTALL = 'npm ci --ignore-scripts --no-audit --no-fund';

/** A font's package holds every weight, and reports are set in two: 46 MB of 224. The Dockerfile does the same. */
const FONTS = 'node_modules/@expo-google-fonts';
const USED_WEIGHTS = ['400Regular', '700Bold'];

/** @param {string} file @returns {number} 0 when there is none */
const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const [directory = '.'] = process.argv.slice(2);
if (
  modifiedAt(path.join(directory, 'node_modules/.package-lock.json')) <
  modifiedAt(path.join(directory, 'package-lock.json'))
) {
  process.stderr.write(`Installing packages, about ${directory === '.' ? 900 : 270} MB of them for a moment ...\n`);
  // Standard output belongs to the program that is wanted.
  const { status } = spawnSync(INSTALL, { cwd: directory, shell: true, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  if (directory === '.') removeUnusedFonts();
}

function removeUnusedFonts() {
  for (const family of readdirSync(FONTS)) {
    for (const weight of readdirSync(path.join(FONTS, family), { withFileTypes: true }))
      if (/^\d00/.test(weight.name) && !USED_WEIGHTS.includes(weight.name))
        rmSync(path.join(FONTS, family, weight.name), { recursive: true });
  }
}
