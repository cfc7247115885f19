import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createApolloClient, pollWithApollo } from './apollo.js';
import { introspection, POLL_MS, REPORT, withFrontEnd } from './front-end.js';
import { inGenerated, runTool } from './tools.js';
import { createUrqlClient } from './urql.js';

const only = {
  PERSISTED_OPERATIONS_FILE: inGenerated('preset/persisted-documents.json'),
  PERSISTED_OPERATIONS: 'only',
};

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
      expect((await pollWithApollo(client, jobId, POLL_MS, JobDocument)).status).toBe('Success');
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
});
