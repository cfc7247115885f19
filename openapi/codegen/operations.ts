import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { concatAST, getOperationAST, OperationTypeNode, print, separateOperations, type DocumentNode } from 'graphql';

/**
 * Code generator plugin: named GraphQL operations as texts, each with the fragments it uses. A `.js` file gets the
 * texts; a `.d.ts` file gets their declarations, which name the types that `typescript-operations` has put there.
 */
export const plugin: PluginFunction = (_schema, files, _config, info) => {
  const operations = Object.entries(separateOperations(concatAST(files.flatMap(({ document }) => document ?? []))));
  const isDeclaration = info?.outputFile?.endsWith('.d.ts') === true;
  return {
    prepend: isDeclaration
      ? ["import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';"]
      : ['// Generated from the documents that codegen.ts names; run `npm run codegen` instead of editing.'],
    content: operations.map(isDeclaration ? declaration : text).join(''),
  };
};

function text([name, document]: [string, DocumentNode]): string {
  return `export const ${name}Document = ${JSON.stringify(print(document))};\n`;
}

function declaration([name, document]: [string, DocumentNode]): string {
  const type = `${name}${getOperationAST(document)?.operation === OperationTypeNode.MUTATION ? 'Mutation' : 'Query'}`;
  return `export declare const ${name}Document: string & DocumentTypeDecoration<${type}, ${type}Variables>;\n`;
}
