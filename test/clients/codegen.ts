import { readFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset';

/** Typed documents with the hashes by which Apollo Client and urql name them. Both ask for `__typename` everywhere. */
const config: CodegenConfig = {
  schema: 'node_modules/vehicle-location-gateway-front-end/schema.graphql',
  documents: ['node_modules/vehicle-location-gateway-front-end/operations.graphql'],
  generates: {
    'generated/preset/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
      documentTransforms: [addTypenameSelectionDocumentTransform],
      config: {
        scalars: JSON.parse(
          readFileSync('node_modules/vehicle-location-gateway-front-end/scalars.json', 'utf8'),
        ) as object,
        enumsAsTypes: true,
        useTypeImports: true,
      },
    },
  },
};

export default config;
