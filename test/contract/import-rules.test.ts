/** The import rules find every kind of forbidden import, so that they cannot rot unseen. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';
import { forAllTests } from '../support/resources.js';
import { scratchPackage } from '../support/scratch-package.js';

/** Imports that the rules refuse to the importing folder; below `src/`. */
const BREACHES: readonly (readonly [from: string, to: string])[] = [
  ['programs/main.ts', 'programs/demo/tour.js'],
  ['programs/app.ts', 'programs/demo/tour.js'],
  ['programs/app/backends.ts', 'programs/process/shutdown.js'],
  ['programs/process/shutdown.ts', 'programs/app.js'],
  ['programs/telemetry/observers.ts', 'programs/jobs-cli/program.js'],
  ['programs/run-backup.ts', 'programs/telemetry/observers.js'],
  ['programs/jobs-cli/program.ts', 'programs/run-backup.js'],
  ['programs/demo/tour.ts', 'programs/telemetry/observers.js'],
  ['gateway/http/cors.ts', '../test/support/loopback.js'],
  ['gateway/http/cors.ts', '../openapi/codegen/json.js'],
  ['gateway/http/cors.ts', 'sandbox/sandbox.js'],
  ['gateway/graphql/context.ts', 'gateway/http/cors.js'],
  ['gateway/auth/guard.ts', 'gateway/graphql/context.js'],
  ['jobs/job.ts', 'jobs/engines/job-engine.js'],
  ['jobs/kinds/run-bulk.ts', 'jobs/engines/job-engine.js'],
  ['jobs/run/claims.ts', 'jobs/kinds/run-bulk.js'],
  ['jobs/queue-function/deliver.ts', 'jobs/engines/job-engine.js'],
  ['jobs/record/job-store.ts', 'jobs/engines/job-engine.js'],
  ['jobs/record/attempt-counter.ts', 'jobs/engines/memory-counter.js'],
  ['jobs/engines/job-engine.ts', 'jobs/job.js'],
  ['reports/model.ts', '../generated/gateway.js'],
  ['clients/connections.ts', 'objects/object-store.js'],
  ['objects/object-store.ts', 'jobs/record/job-queue.js'],
  ['objects/files/durable-files.ts', 'objects/s3/s3-client.js'],
  ['sandbox/sandbox.ts', 'gateway/graphql/context.js'],
  ['base/config/key-use.ts', 'objects/store-probe.js'],
  ['base/errors.ts', 'base/config/config.js'],
  ['base/logging/fault-log.ts', 'base/config/config.js'],
  ['base/wire/organisation-code.ts', 'base/config/config.js'],
  ['base/observation.ts', 'programs/telemetry/observers.js'],
  ['a-new-folder/file.ts', 'base/errors.js'],
];

/** Imports by `import()` that are not listed: of a file that has none, and of files that have others. */
const IMPORTED_LATE: readonly (readonly [from: string, to: string])[] = [
  ['clients/connections.ts', './circuit.js'],
  ['gateway/http/endpoints/playground.ts', 'ajv'],
  ['programs/app.ts', './app/routes.js'],
];

/** With the parts of the project that the rules look at. */
const copy = forAllTests(
  () => scratchPackage(['src', 'generated', 'openapi', 'test/support', 'codegen.ts', '.dependency-cruiser.cjs']),
  (scratch) => scratch.remove(),
);

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

function violations(): readonly Violation[] {
  const bin = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [bin, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'],
    { cwd: copy.directory, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (stdout === '') throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as { summary: { violations: readonly Violation[] } }; // its own format
  return summary.violations;
}

/** Puts a line in front of a file of the copy, below its `src/`, which need not exist. */
async function prepend(file: string, line: string): Promise<void> {
  const path = join(copy.directory, 'src', file);
  await copy.write(join('src', file), `${line}\n${existsSync(path) ? readFileSync(path, 'utf8') : ''}`);
}

/** The name that the rules give to an imported file. */
function nameOf(to: string): string {
  const path = to.startsWith('../') ? to.slice(3) : `src/${to}`;
  return path.replace('.js', path.startsWith('generated/') ? '.d.ts' : '.ts');
}

describe('the import rules', () => {
  it('pass on the sources as they are, and fail on a forbidden import of every kind', async () => {
    expect(violations()).toEqual([]);

    for (const [from, to] of BREACHES) {
      const up = '../'.repeat(from.split('/').length - 1) || './';
      await prepend(from, `import type * as breach${to.replaceAll(/\W/g, '')} from '${up}${to}';`);
    }
    await prepend('base/wire/organisation-code.ts', `import './decode-utf8.js';`);
    await prepend('base/wire/decode-utf8.ts', `import './organisation-code.js';`);
    await prepend('base/wire/trace-headers.ts', `import 'jest';`);
    for (const [from, to] of IMPORTED_LATE) await prepend(from, `await import('${to}');`);

    const found = violations();
    // Most of them close a circle as well, which must not hide that their own rule has become too wide.
    const directed = found.filter(({ rule }) => rule.name !== 'no-cycles').map(({ from, to }) => `${from} > ${to}`);
    const wanted = BREACHES.map(([from, to]) => `src/${from} > ${nameOf(to)}`);
    expect(wanted.filter((breach) => !directed.includes(breach))).toEqual([]);
    const ofWire = found.filter(({ from }) => from.startsWith('src/base/wire/')).map(({ rule }) => rule.name);
    expect(ofWire).toEqual(expect.arrayContaining(['no-cycles', 'the-product-has-no-development-dependencies']));
    const late = found.filter(({ rule }) => /import(ed)?-late/.test(rule.name));
    expect(late.map(({ from }) => from)).toEqual(IMPORTED_LATE.map(([from]) => `src/${from}`));
  });

  it('are tried for every folder there is', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
    const tried = (folder: string): boolean => BREACHES.some(([from]) => from === folder || from.startsWith(folder));
    expect(folders.filter((folder) => !tried(folder))).toEqual([]);
  });
});
