/**
 * The direction of the code: which folder may import which. A folder without a line here can neither import nor be
 * imported. `test/contract/import-rules.test.ts` proves that each kind of breach is found.
 *
 * programs > app > telemetry > http > graphql > auth, jobs > reports, clients, job-record, objects < engines < process
 * demo > sandbox                                                     config, and the base, under all
 */

/** Under everything; what is here imports nothing else of ours. */
const BASE = ['error-table.ts', 'errors.ts', 'observation.ts', 'package-file.ts', 'waits.ts', 'logging/', 'wire/'];

/** Every folder with the folders it may import besides itself and the base; `generated/` is what the contracts make. */
const ALLOWED = {
  'main.ts': ['app.ts', 'app/', 'config/', 'process/'],
  'queue-function.ts': ['config/', 'engines/', 'process/', 'queue-function/', 'telemetry/'],
  'jobs-cli.ts': ['jobs-cli/', 'process/'],
  'backup.ts': ['backup/', 'process/'],
  'app.ts': [
    'app/',
    'auth/',
    'clients/',
    'config/',
    'engines/',
    'graphql/',
    'http/',
    'jobs/',
    'objects/',
    'process/',
    'queue-function/',
    'reports/',
    'sandbox/',
    'telemetry/',
  ],
  'app/': [
    'auth/',
    'clients/',
    'config/',
    'engines/',
    'graphql/',
    'http/',
    'job-record/',
    'jobs/',
    'objects/',
    'reports/',
    'sandbox/',
    'telemetry/',
  ],
  'demo/': ['app.ts', 'config/', 'generated/', 'process/', 'sandbox/'],
  'process/': ['config/', 'engines/', 'objects/'],
  'http/': ['auth/', 'config/', 'generated/', 'graphql/', 'jobs/', 'job-record/', 'objects/'],
  'graphql/': ['auth/', 'clients/', 'generated/', 'jobs/', 'objects/'],
  'auth/': ['clients/'],
  'jobs/': ['clients/', 'config/', 'generated/', 'job-record/', 'objects/', 'reports/'],
  'queue-function/': ['clients/', 'config/', 'generated/', 'job-record/'],
  'backup/': ['config/', 'engines/', 'objects/', 'process/'],
  'jobs-cli/': ['config/', 'engines/', 'job-record/', 'jobs/', 'process/'],
  'engines/': ['auth/', 'config/', 'job-record/', 'objects/'],
  'objects/': ['config/'],
  'job-record/': ['config/', 'generated/'],
  'reports/': [],
  'clients/': ['generated/'],
  'telemetry/': [
    'auth/',
    'clients/',
    'config/',
    'graphql/',
    'http/',
    'job-record/',
    'jobs/',
    'objects/',
    'process/',
    'reports/',
  ],
  'sandbox/': ['generated/'],
  'config/': [],
};

/** Files of a folder, or one file. */
const filesOf = (room) => {
  if (room === 'generated/') return '^generated/';
  return room.endsWith('/') ? `^src/${room}` : `^src/${room.replace('.', '\\.')}$`;
};

/** Everything of ours; packages are not. */
const OURS = '^(src|generated|test|openapi|schema|deploy|\\.ci)/|^[^/]+\\.(ts|js|cjs|json)$';

const base = BASE.map(filesOf);
const rooms = Object.keys(ALLOWED).map(filesOf);

const directions = Object.entries(ALLOWED).map(([room, allowed]) => ({
  name: `${room}-imports-what-its-list-names`,
  severity: 'error',
  from: { path: filesOf(room) },
  to: { path: OURS, pathNot: [filesOf(room), ...allowed.map(filesOf), ...base] },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...directions,
    {
      name: 'the-base-imports-only-itself',
      severity: 'error',
      from: { path: base },
      to: { path: OURS, pathNot: base },
    },
    {
      name: 'every-file-belongs-to-a-room',
      severity: 'error',
      from: { path: '^src/', pathNot: [...rooms, ...base] },
      to: {},
    },
    {
      name: 'one-engine-does-not-know-the-other',
      severity: 'error',
      from: { path: '^src/engines/(redis|sqlite)/' },
      to: { path: '^src/engines/(redis|sqlite|sqs)/', pathNot: '^src/engines/$1/' },
    },
    {
      // SQS is a queue and no store: its records are in Redis.
      name: 'sqs-knows-redis-alone',
      severity: 'error',
      from: { path: '^src/engines/sqs/' },
      to: { path: '^src/engines/sqlite/' },
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
