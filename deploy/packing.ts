/** Packages that this repository makes for other teams. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../', import.meta.url));

interface GatewayManifest {
  readonly version: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The manifest of the gateway, with what packages share with it. */
export const GATEWAY = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as GatewayManifest; // ours

/**
 * Packs what `fill` puts into a directory, with a manifest of the gateway's version. The file goes to the directory
 * that the command line names, or where one is.
 *
 * @param manifest fields that this package has besides
 */
export function pack(manifest: { readonly name: string } & object, fill: (draft: string) => void): void {
  const [directory = '.'] = process.argv.slice(2);
  const destination = path.resolve(directory);
  const draft = mkdtempSync(path.join(tmpdir(), 'package-'));
  try {
    fill(draft);
    const common = { version: GATEWAY.version, license: 'UNLICENSED', type: 'module', sideEffects: false };
    writeFileSync(path.join(draft, 'package.json'), `${JSON.stringify({ ...common, ...manifest }, null, 2)}\n`);
    mkdirSync(destination, { recursive: true });
    const packing = ['pack', '--ignore-scripts', '--offline', '--loglevel=error', '--pack-destination', destination];
    const name = execFileSync('npm', packing, { cwd: draft, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    process.stdout.write(`${path.relative('', path.join(destination, name.trim()))}\n`);
  } finally {
    rmSync(draft, { recursive: true });
  }
}
