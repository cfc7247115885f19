/**
 * Packs `deliver` for queue functions of one's own: what its sources are compiled to, with declarations, and a manifest
 * that names the three packages it needs.
 *
 *     npm run deliver:pack [DIRECTORY]     the file goes there, or where one is
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HERE = path.join(ROOT, 'deploy/deliver-package');

/** Imports of the compiled files, in the ranges of the gateway. */
const DEPENDENCIES = ['openapi-fetch', 'undici', 'uuid'];

const ENTRY = './dist/queue-function/serverless';

interface Manifest {
  readonly version: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The manifest of the package: what it shares with the gateway is taken from there. */
function manifest(): object {
  const gateway = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Manifest; // our own file
  return {
    name: 'vehicle-location-gateway-deliver',
    version: gateway.version,
    description: 'Delivers job messages of the vehicle-location gateway to its callbacks.',
    license: 'UNLICENSED',
    type: 'module',
    engines: gateway.engines,
    exports: { '.': { types: `${ENTRY}.d.ts`, default: `${ENTRY}.js` } },
    sideEffects: false,
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, gateway.dependencies[name]])),
  };
}

/** The paths of the callbacks, and the types that declarations name. */
const GENERATED = ['generated/callbacks.js', 'generated/callbacks.d.ts', 'generated/gateway.d.ts'];

/** @returns the path of the packed file */
function pack(destination: string): string {
  const draft = mkdtempSync(path.join(tmpdir(), 'deliver-package-'));
  try {
    const compiler = path.join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const options = ['-p', HERE, '--outDir', path.join(draft, 'dist')];
    execFileSync(process.execPath, [compiler, ...options], { stdio: ['ignore', 'inherit', 'inherit'] });
    for (const file of GENERATED) cpSync(path.join(ROOT, file), path.join(draft, file));
    cpSync(path.join(HERE, 'README.md'), path.join(draft, 'README.md'));
    writeFileSync(path.join(draft, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    mkdirSync(destination, { recursive: true });
    const packing = ['pack', '--ignore-scripts', '--offline', '--loglevel=error', '--pack-destination', destination];
    const name = execFileSync('npm', packing, { cwd: draft, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return path.join(destination, name.trim());
  } finally {
    rmSync(draft, { recursive: true });
  }
}

const [directory = '.'] = process.argv.slice(2);
process.stdout.write(`${path.relative('', pack(path.resolve(directory)))}\n`);
