/**
 * The direction of the code: which folder may import which. A folder without a line here can neither import nor be
 * imported.
 *
 * programs > gateway > jobs > reports, clients, objects, sandbox > base
 */

/** Each folder of `src/` with those that it may import besides itself and `base/`; contracts make `generated/`. */
const ALLOWED = {
  'programs/': ['gateway/', 'jobs/', 'reports/', 'clients/', 'objects/', 'sandbox/', 'generated/'],
  'gateway/': ['jobs/', 'clients/', 'objects/', 'generated/'],
  'jobs/': ['reports/', 'clients/', 'objects/', 'generated/'],
  'reports/': [],
  'clients/': ['generated/'],
  'objects/': [],
  'sandbox/': ['generated/'],
  'base/': [],
};

/** Parts of a folder with the parts of it that they may import besides themselves; other folders as their folder. */
const PARTS = {
  'programs/(main|queue-function|jobs-cli|backup).ts': [
    'app/',
    'app.ts',
    'run-backup.ts',
    'jobs-cli/',
    'process/',
    'telemetry/',
  ],
  'programs/app.ts': ['app/', 'process/', 'telemetry/'],
  'programs/app/': ['telemetry/'],
  'programs/demo/': ['app.ts', 'process/'],
  'programs/run-backup.ts': ['process/'],
  'programs/jobs-cli/': ['process/'],
  'programs/telemetry/': ['process/'],
  'programs/process/': [],
  'gateway/http/': ['auth/', 'graphql/'],
  'gateway/graphql/': ['auth/'],
  'gateway/auth/': [],
  'jobs/[^/]+.ts': ['kinds/', 'record/', 'run/'],
  'jobs/kinds/': ['[^/]+.ts', 'record/', 'run/'],
  'jobs/run/': ['[^/]+.ts', 'record/'],
  'jobs/engines/': ['record/'],
  'jobs/queue-function/': ['record/'],
  'jobs/record/': [],
  'base/config/': ['[^/]+.ts', 'logging/', 'wire/'],
  'base/(logging|wire)/': ['[^/]+.ts', 'logging/', 'wire/'],
  'base/[^/]+.ts': ['logging/', 'wire/'],
};

/**
 * All imports by `import()`: each file with the modules and packages that it may import so. Node.js remembers for the
 * life of a thread that a package could not be read, because its files were replaced or no descriptor was free. So a
 * program imports at its start, where a failure ends it, and late only what it can do without.
 */
const IMPORTED_AT_START = {
  'programs/main.ts': [
    ...['programs/process/service', 'programs/app', 'programs/app/', 'base/config/load-config'],
    'programs/telemetry/traces/start-tracing',
  ],
  'programs/queue-function.ts': ['programs/process/', 'programs/telemetry/', 'jobs/', 'base/'],
  'programs/jobs-cli.ts': ['programs/process/run-program', 'programs/jobs-cli/program'],
  'programs/jobs-cli/run-jobs-command.ts': ['jobs/job-cancel'],
  'programs/backup.ts': ['programs/process/run-program', 'programs/run-backup'],
  'programs/demo/main.ts': ['programs/process/', 'programs/demo/run-demo'],
  'programs/demo/sandbox-main.ts': ['programs/process/run-program', 'programs/demo/run-sandbox'],
  'programs/process/supported-node.ts': ['base/logging/source-positions'],
  'programs/app.ts': ['programs/telemetry/metrics/program-metrics', 'gateway/graphql/documents/persisted-operations'],
  'programs/app/servers.ts': ['gateway/graphql/(schema|server)'],
  'programs/app/backends.ts': ['sandbox/sandbox'],
  'programs/app/configured-files.ts': ['gateway/graphql/schema', 'gateway/graphql/documents/persisted-documents'],
  'programs/telemetry/watchers.ts': ['programs/telemetry/traces/start-tracing'],
  'jobs/engines/open-job-engine.ts': ['jobs/engines/(sqlite/open-sqlite|redis/open-redis|sqs/sqs-queue)'],
  'objects/open-objects.ts': ['objects/s3/(s3-object-store|s3-body-store)'],
  'reports/render/renderer.ts': ['reports/render/thread'],
  'reports/logo.ts': ['fast-png'],
  'base/logging/logger.ts': ['pino-pretty'],
};
const IMPORTED_LATE = {
  // The playground is for developers, and takes a large package. Everything else goes on without it.
  'gateway/http/endpoints/playground.ts': ['@graphql-yoga/render-graphiql'],
  // The sandbox checks requests with what takes half as long as the start; in development alone.
  'sandbox/backend-server.ts': ['sandbox/openapi-contract'],
  // A drawing thread that fails is replaced by another one.
  'reports/render/thread.ts': ['reports/render/worker'],
};

/** Files of a folder, or files by name. */
const filesOf = (room) => {
  if (room === 'generated/') return '^generated/';
  return room.endsWith('/') ? `^src/${room}` : `^src/${room.replace('.ts', '\\.ts')}$`;
};

/** A module of ours, those of a folder, or a package. */
const importedAs = (name) =>
  /^(programs|gateway|jobs|reports|objects|sandbox|base)\//.test(name)
    ? `^src/${name}${name.endsWith('/') ? '' : '\\.ts$'}`
    : `(^|/)node_modules/${name}/`;

/** Everything of ours; packages are not. */
const OURS = '^(src|generated|test|openapi|schema|deploy|\\.ci)/|^[^/]+\\.(ts|js|cjs|json)$';

const directions = Object.entries(ALLOWED).map(([room, allowed]) => ({
  name: `${room}-imports-what-its-list-names`,
  severity: 'error',
  from: { path: filesOf(room) },
  to: { path: OURS, pathNot: [room, ...allowed, 'base/'].map(filesOf) },
}));

const inside = Object.entries(PARTS).map(([part, allowed]) => {
  const room = part.slice(0, part.indexOf('/') + 1);
  return {
    name: `${part}-imports-what-its-list-names`,
    severity: 'error',
    from: { path: filesOf(part) },
    to: { path: filesOf(room), pathNot: [part, ...allowed.map((each) => room + each)].map(filesOf) },
  };
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...directions,
    ...inside,
    {
      name: 'every-file-belongs-to-a-room',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(ALLOWED).map(filesOf) },
      to: {},
    },
    ...Object.entries({ ...IMPORTED_AT_START, ...IMPORTED_LATE }).map(([file, modules]) => ({
      name: `only-what-is-listed-is-imported-late-by-${file}`,
      severity: 'error',
      from: { path: filesOf(file) },
      to: { dynamic: true, pathNot: modules.map(importedAs) },
    })),
    {
      name: 'only-listed-files-import-late',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys({ ...IMPORTED_AT_START, ...IMPORTED_LATE }).map(filesOf) },
      to: { dynamic: true },
    },
    {
      name: 'one-engine-does-not-know-the-other',
      severity: 'error',
      from: { path: '^src/jobs/engines/(redis|sqlite)/' },
      to: { path: '^src/jobs/engines/(redis|sqlite|sqs)/', pathNot: '^src/jobs/engines/$1/' },
    },
    {
      // SQS is a queue and no store: its records are in Redis.
      name: 'sqs-knows-redis-alone',
      severity: 'error',
      from: { path: '^src/jobs/engines/sqs/' },
      to: { path: '^src/jobs/engines/sqlite/' },
    },
    {
      name: 'one-object-store-does-not-know-the-other',
      severity: 'error',
      from: { path: '^src/objects/([^/]+)/' },
      to: { path: '^src/objects/[^/]+/', pathNot: '^src/objects/$1/' },
    },
    {
      name: 'the-product-has-no-development-dependencies',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
