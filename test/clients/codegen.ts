import { readFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';

/** Typed documents with the hashes by which Apollo Client and urql name them. Both ask for `__typename` everywhere. */
const config: CodegenConfig = {
  schema: '../../generated/schema.graphql',
  documents: ['operations.ts'],
  generates: {
    'generated/preset/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
      documentTransforms: [addTypenameSelectionDocumentTransform],
      config: {
        scalars: JSON.parse(readFileSync('../../generated/scalars.json', 'utf8')) as object,
        enumsAsTypes: true,
        useTypeImports: true,
      },
    },
  },
};

export default config;
