/**
 * One way through the code: a folder imports from those further right only, and nothing imports in a circle.
 *
 *   main > app > http > graphql > auth > jobs > reports > clients, stores, queue > config, errors
 */
const ROWS = [
  '^src/(main|queue-function|jobs-cli|process)\\.ts$',
  '^src/(app|engines|backends|welcome)\\.ts$',
  '^src/(sandbox|queue-function|http|operations)/',
  '^src/graphql/',
  '^src/auth/',
  '^src/jobs/',
  '^src/reports/',
  '^src/(clients|stores|queue)/',
  '^src/[a-z-]+\\.ts$',
];

/** Rows that a rule about a later row would match as well. */
const BASE_EXCEPTIONS = '^src/(main|queue-function|jobs-cli|process|app|engines|backends|welcome)\\.ts$';

const leftwards = ROWS.flatMap((from, row) => row === 0 ? [] : [{
  name: `no-leftward-imports-from-row-${row}`,
  severity: 'error',
  from: {
    path: from,
    pathNot: [...(row === ROWS.length - 1 ? [BASE_EXCEPTIONS] : [])],
  },
  to: { path: ROWS.slice(0, row), ...(row === ROWS.length - 1 && { pathNot: '^src/(?!main|queue-function|jobs-cli|process|app|engines|backends|welcome)[a-z-]+\\.ts$' }) },
}]);

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...leftwards,
    {
      name: 'no-tests-in-sources', severity: 'error',
      from: { path: '^src/' }, to: { path: '^test/' },
    },
    {
      name: 'sandbox-is-reached-by-nobody-but-the-composition-root', severity: 'error',
      from: { path: '^src/', pathNot: ['^src/sandbox/', '^src/backends\\.ts$', '^src/(app|welcome)\\.ts$'] }, to: { path: '^src/sandbox/' },
    },
    {
      name: 'production-code-has-no-development-dependencies', severity: 'error',
      from: { path: '^src/', pathNot: '^src/reports/preview\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // Generated types name types of ours, as the code generator was told to.
    exclude: { path: '^generated/.*\\.d\\.ts$' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
