import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGE = 'vehicle-location-gateway-front-end';

/** Folders whose files decide what is in the package. */
const SOURCES = ['generated', 'deploy', 'deploy/front-end-package', 'test/clients', 'test/examples/front-end'];

/**
 * Packs what front ends need, and installs the packed file into a folder without a registry. Nothing is done if the
 * installed one is of the same sources, so test files may do this at the same time.
 *
 * @param folder relative to this repository
 */
export function installFrontEndPackage(folder: string): void {
  const modules = path.join(ROOT, folder, 'node_modules');
  const installed = path.join(modules, PACKAGE);
  const sources = digestOfSources();
  if (noteIn(installed) === sources) return;
  mkdirSync(modules, { recursive: true });
  const draft = mkdtempSync(path.join(modules, '.front-end-'));
  try {
    const script = path.join(ROOT, 'deploy/front-end-package/pack.ts');
    const packed = execFileSync(process.execPath, ['--import', 'tsx', script, draft], { cwd: ROOT, encoding: 'utf8' });
    execFileSync('tar', ['-xzf', path.resolve(ROOT, packed.trim()), '-C', draft]);
    writeFileSync(path.join(draft, 'package', NOTE), sources);
    // The old one stays whole for those who read it.
    if (noteIn(installed) !== undefined) renameSync(installed, path.join(draft, 'old'));
    renameSync(path.join(draft, 'package'), installed);
  } catch (error) {
    if (noteIn(installed) !== sources) throw error;
  } finally {
    rmSync(draft, { recursive: true });
  }
}

/** File that says of which sources an installed package is. */
const NOTE = '.sources';

function noteIn(installed: string): string | undefined {
  try {
    return readFileSync(path.join(installed, NOTE), 'utf8');
  } catch {
    return undefined;
  }
}

function digestOfSources(): string {
  const digest = createHash('sha256').update(readFileSync(path.join(ROOT, 'package.json')));
  for (const folder of SOURCES) {
    for (const entry of readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
      if (entry.isFile()) digest.update(entry.name).update(readFileSync(path.join(ROOT, folder, entry.name)));
    }
  }
  return digest.digest('hex');
}
