/** Modules of a gateway in production: a library that the configuration does not use costs time at every start. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { VariableName } from '../../src/base/config/variables.js';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { BACKEND_KEY, callBack, graphqlAt, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders, MOBILES, reportOf } from '../support/job-requests.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';

const programs = forAllTests(() => BuiltPrograms.open());
const directory = forAllTests(temporaryDirectory);

/**
 * Starts a gateway, and stops it.
 *
 * @param use uses it meanwhile; it may forget the modules that were loaded so far
 * @returns paths and names of the modules that its main thread has loaded, bundled ones by their paths in the package
 */
async function loadedModules(
  name: string,
  environment: Partial<Record<VariableName, string>>,
  use?: (url: string, forget: () => Promise<void>) => Promise<void>,
): Promise<readonly string[]> {
  const noted = path.join(directory.path, `${name}.txt`);
  const hooks = pathToFileURL(path.join(ROOT, 'test/support/note-modules.js')).href;
  const program = await programs.startGateway({
    ...PRODUCTION_ENVIRONMENT,
    // No backend is asked before the first request.
    BACKEND_API_URL: 'http://127.0.0.1:1',
    GEO_API_URL: 'http://127.0.0.1:1',
    VOIP_API_URL: 'http://127.0.0.1:1',
    BACKEND_API_KEY: BACKEND_KEY,
    TOKEN_ISSUSERS: 'https://issuer.test',
    ...environment,
    NODE_OPTIONS: `--import ${hooks}`,
    NOTED_MODULES: noted,
  });
  expect((await fetch(`${program.url}/health/live`)).status).toBe(200);
  await use?.(program.url, () => writeFile(noted, ''));
  await program.stop();
  const loaded = (await readFile(noted, 'utf8')).split('\n').filter((module) => module !== '');
  const bundled = await programs.contents();
  return loaded.flatMap((module) => [module, ...(bundled.get(path.basename(module)) ?? [])]);
}

/** Libraries, and rooms of the product, of which a module was loaded. */
function found(modules: readonly string[], names: readonly string[]): readonly string[] {
  return names.filter((name) =>
    modules.some((each) => each === name || each.includes(`node_modules/${name}`) || each.startsWith(`src/${name}`)),
  );
}

/** Modules that only some configurations use, or only a thread that draws. */
const DISPENSABLE = [
  '@opentelemetry/',
  'programs/telemetry/traces/',
  'bullmq',
  'ioredis',
  '@aws-sdk/',
  '@smithy/',
  'pino-pretty',
  'prom-client',
  'programs/telemetry/metrics/',
  '@graphql-yoga/render-graphiql',
  'yaml',
  'pdfkit',
  'fontkit',
  'sandbox/',
  'programs/demo/',
  'jobs/engines/redis/',
  'objects/s3/',
  'reports/pdf/',
  'reports/page/',
];

describe('a gateway in production', () => {
  it('loads neither Redis, S3, the sandbox, tools for developers nor what draws, when everything is embedded', async () => {
    const modules = await loadedModules('embedded', { DATA_DIR: path.join(directory.path, 'data') });
    expect(found(modules, ['koa', 'undici', 'libsql', 'graphql-yoga', 'jobs/engines/sqlite/'])).toHaveLength(5);
    expect(found(modules, DISPENSABLE)).toEqual([]);
  });

  it('loads nothing after its start, whatever it is asked: what cannot be loaded once would be missing for good', async () => {
    const environment = {
      DATA_DIR: path.join(directory.path, 'used'),
      JOB_PATIENCE_SECONDS: '1',
      PUBLISH_SCHEMA: 'true',
    };
    const modules = await loadedModules('used', environment, async (url, forget) => {
      const { data } = await graphqlAt(url)('{ serviceVersion mobiles { totalCount } }');
      expect(data).toEqual({ serviceVersion: expect.any(String), mobiles: null });
      await forget();
      const asked = ['/openapi.yaml', '/openapi.json', '/schema.graphql', '/errors.json', '/docs', '/health/ready'];
      const replies = await Promise.all(asked.map((path) => fetch(url + path)));
      expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
      for (const [path, body] of Object.entries({
        [DRIVING_REPORT]: reportOf(1),
        [MOBILES]: [{ id: 1, name: 'New' }],
      })) {
        expect((await callBack(url + path, body, jobHeaders('late'))).status).toBe(200);
      }
    });
    expect(modules).toEqual([]);
  });

  it('loads Redis, S3 and traces when they are configured, and not the embedded engine', async () => {
    const modules = await loadedModules('shared', {
      // A gateway starts although none of them answers.
      REDIS_URL: 'redis://127.0.0.1:1',
      S3_BUCKET: 'reports',
      S3_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    });
    const used = [
      'bullmq',
      'ioredis',
      '@aws-sdk/',
      'jobs/engines/redis/',
      'objects/s3/',
      '@opentelemetry/',
      'programs/telemetry/traces/',
    ];
    expect(found(modules, used)).toEqual(used);
    expect(found(modules, ['libsql', 'jobs/engines/sqlite/', 'sandbox/', 'pino-pretty', 'pdfkit', 'fontkit'])).toEqual(
      [],
    );
  });
});
