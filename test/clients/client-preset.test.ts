import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/built-programs.js';
import { installFrontEndPackage } from '../support/front-end-package.js';
import { introspection, POLL_MS, REPORT, withFrontEnd } from './front-end.js';
import { inGenerated, runTool } from './tools.js';

installFrontEndPackage('test/clients');
const { createApolloClient, pollWithApollo } = await import('./apollo.js');
const { createUrqlClient } = await import('./urql.js');

const only = {
  PERSISTED_OPERATIONS_FILE: inGenerated('preset/persisted-documents.json'),
  PERSISTED_OPERATIONS: 'only',
};

const README = new URL('node_modules/vehicle-location-gateway-front-end/README.md', import.meta.url);
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

/** Hash that the preset wrote into a document. */
const generateHash = (document: object): string => (document as { __meta__: { hash: string } }).__meta__.hash; // as the preset writes it

describe('the client preset of GraphQL Code Generator', () => {
  beforeAll(() => runTool('graphql-codegen', ['--config', 'codegen.ts']));

  it('writes a list from which Apollo Client runs its documents', () =>
    withFrontEnd(only, async ({ gateway, session, sent }) => {
      const { OrderReportDocument, JobDocument } = await import('./generated/preset/graphql.js');
      const client = createApolloClient(gateway.url, session, { generateHash });
      const { data } = await client.mutate({
        mutation: OrderReportDocument,
        variables: { input: REPORT, idempotencyKey: randomUUID() },
      });
      const jobId = data?.startDrivingReports?.jobId ?? '';
      expect((await pollWithApollo(client, jobId, { secondMs: POLL_MS }, JobDocument)).status).toBe('Success');
      expect(sent().filter(({ query }) => query)).toEqual([]);
    }));

  it('writes a list from which urql runs its documents', () =>
    withFrontEnd(only, async ({ gateway, session, sent }) => {
      const { MobilesDocument } = await import('./generated/preset/graphql.js');
      const client = createUrqlClient(gateway.url, session, introspection(), {
        enforcePersistedQueries: true,
        enableForMutation: true,
        generateHash: (_text, document) => Promise.resolve(generateHash(document)),
      });
      const { data, error } = await client.query(MobilesDocument, { first: 2 }).toPromise();
      expect(error).toBeUndefined();
      expect(data?.mobiles?.edges).toHaveLength(2);
      expect(sent().filter(({ query }) => query)).toEqual([]);
    }));

  it('makes the example of a front end compile in a folder of its own, with the installed package and its recipe', async () => {
    const copy = inGenerated('example');
    await rm(copy, { recursive: true, force: true });
    await cp(new URL('../examples/front-end', import.meta.url), copy, {
      recursive: true,
      filter: (file) => !['generated', 'node_modules'].includes(path.basename(file)) || file === copy,
    });
    await runTool('graphql-codegen', ['--config', 'codegen.ts'], 'generated/example');
    await promisify(execFile)(process.execPath, [TSC, '-p', '.'], { cwd: copy });
    const [, recipe = ''] = /```ts\n([^]*?)```/.exec(await readFile(README, 'utf8')) ?? [];
    const errors = `${recipe}
      import published from 'vehicle-location-gateway-front-end/errors.json' with { type: 'json' };
      import own from 'vehicle-location-gateway-front-end/package.json' with { type: 'json' };
      import type { ErrorCode, JobFailure, UserReason } from 'vehicle-location-gateway-front-end';
      export const version: string = own.version;
      export const forUsers: readonly UserReason[] = ['Busy', 'FieldRequired'];
      export const field = ({ values }: Reasoned<'FieldRequired'>): 'password' | 'name' => values.field;
      export const code: ErrorCode = 'NotFound';
      export const reasons: readonly Reason[] = published.map(({ reason }) => reason);
      export const shown = (failure: JobFailure): string => show(texts, failure);
      export const wait = ({ reason, values }: Reasoned): number => reason === 'TooManyLogins' ? values.seconds : 0;
      export const texts: Texts = { Busy: () => 'Busy.' };`;
    await writeFile(path.join(copy, 'errors.ts'), errors);
    // A reason without a text is found, and nothing else.
    const complaints = await new Promise<string>((resolve) => {
      execFile(process.execPath, [TSC, '-p', '.'], { cwd: copy }, (_error, stdout) => resolve(stdout));
    });
    expect(complaints.split('\n').filter((line) => /^\S/.test(line))).toEqual([
      expect.stringMatching(/^errors\.ts\(\d+,.*AuthorizationMissing/),
    ]);
  });
});
