import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CodegenConfig } from '@graphql-codegen/cli';

const { resolve } = createRequire(import.meta.url);

/** Typed documents of this front end, from the package for front ends. */
const config: CodegenConfig = {
  schema: resolve('vehicle-location-gateway-front-end/schema.graphql'),
  documents: ['*.ts', '!codegen.ts'],
  importExtension: '.js',
  generates: {
    'generated/': {
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        // The gateway can be limited to these documents: PERSISTED_OPERATIONS_FILE is the file that this writes.
        persistedDocuments: { hashAlgorithm: 'sha256' },
      },
      config: {
        // Documents that are texts need no GraphQL library in the browser.
        documentMode: 'string',
        scalars: JSON.parse(readFileSync(resolve('vehicle-location-gateway-front-end/scalars.json'), 'utf8')) as object,
        strictScalars: true,
        enumsAsTypes: true,
        immutableTypes: true,
        skipTypename: true,
        useTypeImports: true,
        avoidOptionals: { field: true },
        onlyOperationTypes: true,
      },
    },
  },
};

export default config;
