/**
 * Packs what front ends need of the schema, so that they need neither a clone of this repository nor a gateway.
 *
 *     npm run front-end:pack [DIRECTORY]     the file goes there, or where one is
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  buildSchema,
  introspectionFromSchema,
  isAbstractType,
  isExecutableDefinitionNode,
  isObjectType,
  Kind,
  parse,
  print,
  validate,
  type DocumentNode,
  type ExecutableDefinitionNode,
} from 'graphql';
import { pack, ROOT } from '../packing.js';

const HERE = path.join(ROOT, 'deploy/front-end-package');

/** Files that are also made for the gateway. */
const GENERATED = ['schema.graphql', 'errors.json', 'scalars.json'];

const MANIFEST = {
  name: 'vehicle-location-gateway-front-end',
  description: 'Schema, types, documents and errors of the vehicle-location gateway for front ends.',
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './package.json': './package.json',
    ...Object.fromEntries(
      [...GENERATED, 'introspection.json', 'operations.graphql'].map((name) => [`./${name}`, `./${name}`]),
    ),
    // The compiler would read texts from the file, in place of codes and reasons.
    './errors.json': { types: './errors.d.ts', default: './errors.json' },
  },
};

/** Documents of the recipes: in the example, and those of each client. */
const RECIPES = ['test/examples/front-end', 'test/clients'];

pack(MANIFEST, (draft) => {
  const generated = (name: string): string => path.join(ROOT, 'generated', name);
  const write = (name: string, text: string): void => writeFileSync(path.join(draft, name), text);
  const schema = buildSchema(readFileSync(generated('schema.graphql'), 'utf8'));
  for (const name of GENERATED) cpSync(generated(name), path.join(draft, name));
  cpSync(path.join(HERE, 'README.md'), path.join(draft, 'README.md'));
  write('introspection.json', `${JSON.stringify(introspectionFromSchema(schema))}\n`);

  const documents = recipes();
  const faults = validate(schema, documents);
  if (faults.length > 0) throw new Error(`A recipe does not fit the schema: ${faults.join('; ')}`);
  write('operations.graphql', `${print(documents)}\n`);

  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const possible = types
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)] as const);
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const parts = types
    .filter(isObjectType)
    .filter((type) => !roots.includes(type) && !('id' in type.getFields()))
    .map(({ name }) => name);
  write(
    'index.js',
    `export const possibleTypes = ${JSON.stringify(Object.fromEntries(possible), null, 2)};
export const graphcacheKeys = {
${parts.map((name) => `  ${name}: () => null,`).join('\n')}
};
`,
  );
  write(
    'index.d.ts',
    `export * from './types.js';

/** Types of each interface, for \`possibleTypes\` of Apollo Client. */
export declare const possibleTypes: { ${possible.map(([name]) => `${name}: string[]`).join('; ')} };

/** Types without an \`id\`, which are parts of others, for \`keys\` of graphcache. */
export declare const graphcacheKeys: Record<string, () => null>;
`,
  );
  write(
    'errors.d.ts',
    `import type { PublishedError } from './types.js';

declare const errors: readonly PublishedError[];
export default errors;
`,
  );
  cpSync(generated('front-end.d.ts'), path.join(draft, 'types.d.ts'));
});

/** Reads the documents of the recipes. If two have one name, the first counts. */
function recipes(): DocumentNode {
  const byName = new Map<string | undefined, ExecutableDefinitionNode>();
  for (const text of RECIPES.flatMap(documentsIn)) {
    for (const definition of parse(text, { noLocation: true }).definitions.filter(isExecutableDefinitionNode)) {
      const name = definition.name?.value;
      if (!byName.has(name)) byName.set(name, definition);
    }
  }
  return { kind: Kind.DOCUMENT, definitions: [...byName.values()] };
}

/** Returns the documents in the sources of a folder, each as it stands between the backticks of `gql` or `graphql`. */
function documentsIn(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(ROOT, folder, file), 'utf8'))
    .flatMap((source) =>
      Array.from(source.matchAll(/(?:gql|graphql\()`([^`]*)`/g), ([, text = '']) => text.replaceAll(/\$\{\w+\}/g, '')),
    );
}
