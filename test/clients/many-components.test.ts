/** Limits on operations against the documents that compilers of clients write for a page of forty components. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/load-config.js';
import { findDocumentFault } from '../../src/gateway/graphql/documents/document-rules.js';
import { createSchemaWithoutResolvers } from '../../src/gateway/graphql/schema.js';
import { installFrontEndPackage } from '../support/front-end-package.js';
import { inGenerated, runTool } from './tools.js';

const COMPONENTS = 40;

/** Components of a card, each with something of a mobile. */
const OF_MOBILE = ['name', 'position { place: address }', 'number: num', 'voice { online @include(if: $wide) }'];
const cards = Array.from({ length: COMPONENTS - 9 }, (_, at) => {
  return `fragment Card${at}_mobile on Mobile { shown: name ${OF_MOBILE[at % OF_MOBILE.length]} }`;
});
const spreads = cards.map((_, at) => `...Card${at}_mobile`).join(' ');

/** Components of the head, each of which reads the same three root fields. */
const heads = Array.from(
  { length: 9 },
  (_, at) => `fragment Head${at}_query on Query { me { user: BackendUser } labels: tags { id } serviceVersion }`,
);

/** Two lists of the same cards. */
const page = `query PageQuery($wide: Boolean!) {
  ${heads.map((_, at) => `...Head${at}_query`).join(' ')}
  near: mobiles(first: 10) { edges { node { ${spreads} } } }
  far: mobiles(first: 20) { edges { node { ${spreads} } } }
}`;

const schemaFile = 'node_modules/vehicle-location-gateway-front-end/schema.graphql';
const folder = inGenerated('components');
const rules = { limits: loadConfig({}).limits, privateSchema: true };

beforeAll(async () => {
  installFrontEndPackage('test/clients');
  await rm(folder, { recursive: true, force: true });
  await mkdir(`${folder}/relay`, { recursive: true });
  await writeFile(`${folder}/page.graphql`, [page, ...heads, ...cards].join('\n'));
  const tagged = [page, ...heads, ...cards].map((text) => `graphql\`${text}\`;`);
  await writeFile(`${folder}/Page.ts`, `import { graphql } from 'relay-runtime';\n${tagged.join('\n')}`);
});

/** Both name the operation's documents by their hashes. */
async function documentsIn(file: string): Promise<readonly string[]> {
  return Object.values(JSON.parse(await readFile(`${folder}/${file}`, 'utf8')) as Record<string, string>); // as both write it
}

it('is within the limits on operations as Relay compiles it', async () => {
  await writeFile(`${folder}/documents.json`, '{}');
  const config = {
    src: '.',
    schema: `../../${schemaFile}`,
    language: 'typescript',
    excludes: ['relay/**'],
    artifactDirectory: './relay',
    persistConfig: { file: './documents.json', algorithm: 'SHA256' },
  };
  await writeFile(`${folder}/relay.config.json`, JSON.stringify(config));
  await runTool('relay-compiler', ['relay.config.json'], 'generated/components');
  await expectAccepted('documents.json');
});

it('is within them as the client preset of GraphQL Code Generator writes it', async () => {
  const config = `export default { schema: '${schemaFile}', documents: ['${folder}/page.graphql'], generates: {
    '${folder}/preset/': { preset: 'client', presetConfig: { persistedDocuments: { hashAlgorithm: 'sha256' } } } } };`;
  await writeFile(`${folder}/codegen.ts`, config);
  await runTool('graphql-codegen', ['--config', 'generated/components/codegen.ts']);
  await expectAccepted('preset/persisted-documents.json');
});

async function expectAccepted(file: string): Promise<void> {
  const documents = await documentsIn(file);
  expect(documents).toHaveLength(1);
  const schema = createSchemaWithoutResolvers();
  for (const document of documents) {
    expect(document.match(/shown: name/g)).toHaveLength(cards.length);
    expect(findDocumentFault(schema, document, rules)).toBeUndefined();
    // Counted is the page that is asked for: 10 aliases, 3 and 2 root fields.
    const faultAt = (graphqlMaxAliases: number, graphqlMaxRootFields: number): string | undefined => {
      const limits = { ...rules.limits, graphqlMaxAliases, graphqlMaxRootFields };
      return findDocumentFault(schema, document, { ...rules, limits });
    };
    expect(faultAt(10, 5)).toBeUndefined();
    expect(faultAt(9, 5)).toMatch(/^Too many aliases: 10\. /);
    expect(faultAt(10, 4)).toMatch(/^Too many root fields: 5\. /);
  }
}
