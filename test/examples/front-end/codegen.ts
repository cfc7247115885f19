import { readFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

/**
 * Typed documents of this front end, from what the gateway publishes: here the files of its repository. The schema is also
 * served as `/schema.graphql`, in production with PUBLISH_SCHEMA=true.
 */
const config: CodegenConfig = {
  schema: '../../../generated/schema.graphql',
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
        scalars: JSON.parse(readFileSync('../../../generated/scalars.json', 'utf8')) as object,
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
