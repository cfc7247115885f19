/**
 * Packs `deliver` for queue functions of one's own: what its sources are compiled to, with declarations, and a manifest
 * that names the three packages it needs.
 *
 *     npm run deliver:pack [DIRECTORY]     the file goes there, or where one is
 */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { GATEWAY, pack, ROOT } from '../packing.js';

const HERE = path.join(ROOT, 'deploy/deliver-package');

/** Imports of the compiled files, in the ranges of the gateway. */
const DEPENDENCIES = ['openapi-fetch', 'undici', 'uuid'];

const ENTRY = './dist/jobs/queue-function/serverless';

/** The paths of the callbacks, and the types that declarations name. */
const GENERATED = ['generated/callbacks.js', 'generated/callbacks.d.ts', 'generated/gateway.d.ts'];

const MANIFEST = {
  name: 'vehicle-location-gateway-deliver',
  description: 'Delivers job messages of the vehicle-location gateway to its callbacks.',
  engines: GATEWAY.engines,
  exports: { '.': { types: `${ENTRY}.d.ts`, default: `${ENTRY}.js` } },
  dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, GATEWAY.dependencies[name]])),
};

pack(MANIFEST, (draft) => {
  const compiler = path.join(ROOT, 'node_modules/typescript-7/bin/tsc');
  const options = ['-p', HERE, '--outDir', path.join(draft, 'dist')];
  execFileSync(process.execPath, [compiler, ...options], { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const file of GENERATED) cpSync(path.join(ROOT, file), path.join(draft, file));
  cpSync(path.join(HERE, 'README.md'), path.join(draft, 'README.md'));
});
