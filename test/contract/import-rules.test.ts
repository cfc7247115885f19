/** The import rules find every kind of forbidden import, so that they cannot rot unseen. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';

/** Imports that each go where the importing room must not look. */
const BREACHES: readonly (readonly [from: string, to: string])[] = [
  ['reports/model.ts', 'clients/transport.js'],
  ['reports/model.ts', 'objects/object-store.js'],
  ['clients/transport.ts', 'objects/object-store.js'],
  ['clients/geo-api.ts', 'sandbox/sandbox.js'],
  ['objects/object-store.ts', 'job-record/job-queue.js'],
  ['job-record/job-store.ts', 'engines/job-engine.js'],
  ['engines/redis/check.ts', 'engines/lmdb/database.js'],
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
  ['a-new-room/file.ts', 'errors.js'],
];

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

let copy: string;

/** Runs the rules over the scratch copy. */
function violations(): readonly Violation[] {
  const bin = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [bin, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'],
    { cwd: copy, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (stdout === '') throw new Error(stderr);
  const { summary } = JSON.parse(stdout) as { summary: { violations: readonly Violation[] } }; // its own format
  return summary.violations;
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'import-rules-'));
  for (const name of ['src', 'generated', 'package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the import rules', () => {
  it('pass on the sources as they are, and fail on a forbidden import of every kind', () => {
    expect(violations()).toEqual([]);

    for (const [from, to] of BREACHES) {
      const file = join(copy, 'src', from);
      const up = '../'.repeat(from.split('/').length - 1) || './';
      const text = ifThere(() => readFileSync(file, 'utf8')) ?? '';
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `import type * as breach${to.replaceAll(/\W/g, '')} from '${up}${to}';\n${text}`);
    }
    const found = violations().map(({ from, to }) => `${from} > ${to}`);
    const wanted = BREACHES.map(([from, to]) => {
      const target = to.startsWith('../') ? to.slice(3).replace('.js', '.d.ts') : `src/${to.replace('.js', '.ts')}`;
      return `src/${from} > ${target}`;
    });
    expect(wanted.filter((breach) => !found.includes(breach))).toEqual([]);
  });
});

function ifThere(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
