import type { CodegenConfig } from '@graphql-codegen/cli';

const TYPES = './openapi/codegen/types.ts';
const VALIDATORS = './openapi/codegen/validators.ts';
const VALIDATOR_TYPES = './openapi/codegen/validator-types.ts';
const DOCUMENT = './openapi/codegen/json.ts';
const CONTRACT = './openapi/codegen/contract.ts';
const CALLBACKS = './openapi/codegen/callbacks.ts';
const BACKEND_OPERATIONS = './openapi/codegen/backend-operations.ts';
const OPERATIONS = './openapi/codegen/operations.ts';
const SCALARS = './openapi/codegen/scalars.ts';
const ERRORS = './openapi/codegen/errors.ts';

/** Types of the custom scalars of the SDL in a reply, for front ends. */
const TRANSPORTED_SCALARS = { DateTime: 'string', JSON: 'unknown' };

const GATEWAY = './openapi/gateway.yaml';

/** The OpenAPI files of the backends. */
const BACKENDS = Object.fromEntries(
  ['backend-api', 'geo-api', 'voip-api'].map((name) => [name, `./openapi/${name}.yaml`]),
);

/** Documents of the demo. */
const DEMO_DOCUMENTS = './src/programs/demo/operations.graphql';

/** Types and standalone validators of one OpenAPI file, and the file as JSON. */
function openapi(name: string): CodegenConfig['generates'] {
  const config = { document: `./openapi/${name}.yaml` };
  return {
    [`./generated/openapi/${name}.json`]: { plugins: [DOCUMENT], config },
    [`./generated/${name}.d.ts`]: { plugins: [TYPES], config },
    [`./generated/validators/${name}.js`]: {
      plugins: [VALIDATORS],
      config: { ...config, allFaults: name === 'gateway' },
    },
    [`./generated/validators/${name}.d.ts`]: { plugins: [VALIDATOR_TYPES], config: { name } },
    [`./generated/contracts/${name}.js`]: { plugins: [CONTRACT], config },
    [`./generated/contracts/${name}.d.ts`]: { plugins: [CONTRACT], config },
  };
}

/** Everything under `generated/`: the SDL and the OpenAPI files are the source, nothing there is edited. */
const config: CodegenConfig = {
  schema: './schema/**/*.graphql',
  importExtension: '.js',
  generates: {
    './generated/graphql.d.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        contextType: '../src/gateway/graphql/context.js#GatewayContext',
        // `auth_user` exists in a resolver's context type only where the directive stands.
        directiveContextTypes: ['isAuthenticated#../src/gateway/graphql/context.js#Authenticated'],
        mappers: {
          Mobile: '../src/clients/backend-api.js#Mobile',
          Position: 'Omit<{T}, "address">',
          Tag: '../src/clients/backend-api.js#Tag',
          UserAccount: '../src/clients/backend-api.js#UserAccount',
          MobileEdge: '../src/gateway/graphql/pagination.js#MobileEdge',
          UserAccountEdge: '../src/gateway/graphql/pagination.js#UserAccountEdge',
          JobStatus: '../src/jobs/job-status.js#JobStatus',
          // Fields that a resolver adds; a status without such a field needs no mapper.
          DrivingReportsStatus: 'Omit<{T}, "downloadUrl" | "downloadUrlExpiresAt" | "downloadUrlExpiresIn">',
          Job: '../src/jobs/job-start.js#StartedJob',
          JobProgress: '../src/jobs/job-status.js#JobProgress',
          AuthUser: '../src/gateway/auth/auth-user.js#AuthUser',
        },
        scalars: {
          DateTime: { input: 'Date', output: 'Date | string' },
          JSON: { input: 'unknown', output: 'unknown' },
          ID: { input: 'string', output: 'string | number' },
        },
        strictScalars: true,
        maybeValue: 'T | null | undefined',
        avoidOptionals: { field: true },
        useIndexSignature: false,
        makeResolverTypeCallable: true,
      },
    },
    './generated/schema.graphql': { plugins: ['schema-ast'], config: { includeDirectives: true } },
    './generated/scalars.json': { plugins: [SCALARS], config: { transported: TRANSPORTED_SCALARS } },
    './generated/errors.json': { plugins: [ERRORS] },
    // Types for front ends (npm run front-end:pack).
    './generated/front-end.d.ts': {
      plugins: ['typescript', ERRORS],
      config: {
        enumsAsTypes: true,
        immutableTypes: true,
        skipTypename: true,
        avoidOptionals: { field: true },
        scalars: { ...TRANSPORTED_SCALARS, ID: { input: 'string | number', output: 'string' } },
        strictScalars: true,
      },
    },
    './generated/demo-operations.js': { documents: DEMO_DOCUMENTS, plugins: [OPERATIONS] },
    './generated/demo-operations.d.ts': {
      documents: DEMO_DOCUMENTS,
      plugins: ['typescript', 'typescript-operations', OPERATIONS],
      config: {
        onlyOperationTypes: true,
        enumsAsTypes: true,
        immutableTypes: true,
        skipTypename: true,
        avoidOptionals: { field: true },
        // Variables are lists where the SDL says so; a client need not rely on list coercion.
        arrayInputCoercion: false,
        scalars: { ...TRANSPORTED_SCALARS, ID: 'string' },
        strictScalars: true,
      },
    },
    './generated/callbacks.js': { plugins: [CALLBACKS], config: { document: GATEWAY } },
    './generated/callbacks.d.ts': { plugins: [CALLBACKS], config: { document: GATEWAY } },
    './generated/backend-operations.js': { plugins: [BACKEND_OPERATIONS], config: { documents: BACKENDS } },
    './generated/backend-operations.d.ts': { plugins: [BACKEND_OPERATIONS], config: { documents: BACKENDS } },
    ...openapi('gateway'),
    ...openapi('backend-api'),
    ...openapi('geo-api'),
    ...openapi('voip-api'),
  },
};

export default config;
