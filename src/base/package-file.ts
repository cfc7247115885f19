import { readFileSync } from 'node:fs';

/** The package lies two levels above the folder of this file, and one above `dist/`. */
const PACKAGE = new URL(/\/src\/base\/[^/]+$/.test(import.meta.url) ? '../../' : '../', import.meta.url);

export function packageFile(path: string): URL {
  return new URL(path, PACKAGE);
}

const UNKNOWN = 'unknown';

/** Returns the version of this package; empty if it was bundled without its manifest. */
export function readVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
  } catch {
    return '';
  }
}

/** Returns the commit that was built; `unknown` outside version control, or if bundled. */
export function readCommit(): string {
  try {
    return readFileSync(new URL('./commit', import.meta.url), 'utf8').trim() || UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

export function versionText(): string {
  return `${readVersion()} (commit ${readCommit()})`;
}
