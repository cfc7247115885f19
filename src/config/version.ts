import { readFileSync } from 'node:fs';

/** Returns the version of this package; empty if it was bundled without its manifest. */
export function readVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
  } catch {
    return '';
  }
}
