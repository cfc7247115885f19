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
  ['queue-function.ts', 'app.js'],
  ['jobs-cli.ts', 'jobs/job.js'],
  ['backup.ts', 'engines/job-engine.js'],
  ['waits.ts', 'config/config.js'],
  ['error-table.ts', 'config/config.js'],
  ['package-file.ts', 'config/config.js'],
  ['app/backends.ts', 'queue-function/deliver.js'],
  ['backup/program.ts', 'jobs/job.js'],
  ['jobs-cli/program.ts', 'graphql/context.js'],
  ['demo/tour.ts', 'graphql/context.js'],
  ['engines/sqlite/query.ts', 'engines/redis/clients.js'],
  ['engines/redis/clients.ts', 'engines/sqs/consumer.js'],
  ['engines/sqs/consumer.ts', 'engines/sqlite/query.js'],
  ['objects/files/file-faults.ts', 'objects/s3/s3-client.js'],
  ['objects/s3/s3-client.ts', 'objects/files/durable-files.js'],
  ['http/cors.ts', '../test/support/loopback.js'],
  ['http/cors.ts', '../openapi/codegen/json.js'],
  ['config/keys.ts', '../codegen.js'],
  ['reports/model.ts', 'clients/transport.js'],
  ['reports/model.ts', 'objects/object-store.js'],
  ['clients/transport.ts', 'objects/object-store.js'],
  ['clients/geo-api.ts', 'sandbox/sandbox.js'],
  ['objects/object-store.ts', 'job-record/job-queue.js'],
  ['job-record/job-store.ts', 'engines/job-engine.js'],
  ['engines/redis/check.ts', 'engines/sqlite/database.js'],
  ['engines/job-engine.ts', 'jobs/job.js'],
  ['engines/job-engine.ts', 'graphql/limits/attempt-limits.js'],
  ['sandbox/reply.ts', 'graphql/context.js'],
  ['http/health-of-nobody.ts', 'queue-function/deliver.js'],
  ['http/json-body.ts', 'jobs-cli/command-line.js'],
  ['http/json-body.ts', 'demo/tour.js'],
  ['http/json-body.ts', 'engines/job-engine.js'],
  ['graphql/context.ts', 'http/json-body.js'],
  ['auth/guard.ts', 'graphql/context.js'],
  ['auth/attempt-counter.ts', 'engines/memory-counter.js'],
  ['http/json-body.ts', 'clients/backend-api.js'],
  ['jobs/kinds/bulk.ts', 'http/json-body.js'],
  ['jobs/kinds/bulk.ts', 'engines/job-engine.js'],
  ['config/keys.ts', 'jobs/job.js'],
  ['process/shutdown.ts', 'app.js'],
  ['queue-function/deliver.ts', 'jobs/job.js'],
  ['telemetry/observers.ts', 'queue-function/deliver.js'],
  ['errors.ts', 'config/config.js'],
  ['logging/fault-log.ts', 'config/config.js'],
  ['wire/organisation-code.ts', 'job-record/job-record.js'],
  ['observation.ts', 'telemetry/observers.js'],
  ['config/key-use.ts', 'objects/store-probe.js'],
  ['app.ts', 'demo/tour.js'],
  ['main.ts', 'graphql/context.js'],
  ['reports/model.ts', '../generated/gateway.js'],
  ['a-new-folder/file.ts', 'errors.js'],
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
    await prepend('wire/organisation-code.ts', `import './decode-utf8.js';`);
    await prepend('wire/decode-utf8.ts', `import './organisation-code.js';`);
    await prepend('wire/trace-headers.ts', `import 'jest';`);

    const found = violations();
    // Most of them close a circle as well, which must not hide that their own rule has become too wide.
    const directed = found.filter(({ rule }) => rule.name !== 'no-cycles').map(({ from, to }) => `${from} > ${to}`);
    const wanted = BREACHES.map(([from, to]) => `src/${from} > ${nameOf(to)}`);
    expect(wanted.filter((breach) => !directed.includes(breach))).toEqual([]);
    const ofWire = found.filter(({ from }) => from.startsWith('src/wire/')).map(({ rule }) => rule.name);
    expect(ofWire).toEqual(expect.arrayContaining(['no-cycles', 'the-product-has-no-development-dependencies']));
  });

  it('are tried for every folder there is', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
    const tried = (folder: string): boolean => BREACHES.some(([from]) => from === folder || from.startsWith(folder));
    expect(folders.filter((folder) => !tried(folder))).toEqual([]);
  });
});
