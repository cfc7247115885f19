import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gql, InMemoryCache, type ApolloClient } from '@apollo/client';
import { generatePersistedQueryIdsAtRuntime } from '@apollo/persisted-query-lists';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { print, type DocumentNode } from 'graphql';
import { filter, firstValueFrom } from 'rxjs';
import { installFrontEndPackage } from '../support/front-end-package.js';
import { expectPdf, POLL_MS, REPORT, withFrontEnd } from './front-end.js';
import { pollsInTheBackground } from './background-tabs.js';
import { outlivesBadDays } from './bad-days.js';
import { JOB, JOBS, MOBILES, ORDER } from './operations.js';
import { inGenerated, runTool } from './tools.js';

installFrontEndPackage('test/clients');
const { createApolloClient, orderWithApollo, pollWithApollo } = await import('./apollo.js');

/** An operation that no tool has seen. */
const UNLISTED = gql('query Version { serviceVersion }');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const entriesOf = (client: ApolloClient): Record<string, unknown> => client.cache.extract() as Record<string, unknown>; // of InMemoryCache

const order = (client: ApolloClient): Promise<string> =>
  orderWithApollo(client, { input: REPORT, idempotencyKey: randomUUID() });

describe('Apollo Client', () => {
  outlivesBadDays({}, (url, session) => {
    const client = createApolloClient(url, session);
    return {
      order: () => order(client),
      list: () => client.query({ query: JOBS, variables: {}, fetchPolicy: 'network-only' }),
      listed: () => client.readQuery({ query: JOBS, variables: {} })?.jobs.edges.map(({ node }) => node.id) ?? [],
      poll: (jobId, signal) => pollWithApollo(client, jobId, { secondMs: POLL_MS, signal }),
    };
  });

  pollsInTheBackground(
    {},
    `import { createApolloClient, pollWithApollo } from './apollo.js';
    const client = createApolloClient(url, session);
    const pollJob = (jobId) => pollWithApollo(client, jobId, options);`,
  );

  it('orders a report, polls it in its cache to the end, and downloads it', () =>
    withFrontEnd({}, async ({ gateway, session }) => {
      const client = createApolloClient(gateway.url, session);
      const jobId = await order(client);
      const { status, downloadUrl } = await pollWithApollo(client, jobId, { secondMs: POLL_MS });
      expect(status).toBe('Success');
      await expectPdf(gateway.url, downloadUrl);
      // A job and its status share an id, and stay apart. The list tells of the same status, whose link is a new one.
      expect(entriesOf(client)).toMatchObject({
        [`Job:${jobId}`]: { state: 'PENDING' },
        [`DrivingReportsStatus:${jobId}`]: { state: 'FINISHED' },
      });
      await client.query({ query: JOBS });
      const listed = entriesOf(client)[`DrivingReportsStatus:${jobId}`];
      expect(listed).toMatchObject({ status: 'Success', downloadUrl: expect.any(String) });
      // Jobs in another state are another list.
      const running = await client.query({ query: JOBS, variables: { state: 'RUNNING' } });
      expect(running.data?.jobs.edges).toEqual([]);
    }));

  it.each(['voip-api', 'geo-api'] as const)('has the list of mobiles while %s is down', (backend) =>
    withFrontEnd({}, async ({ gateway, session }) => {
      gateway.sandbox.faults.set({ backend, fault: { kind: 'down' } });
      const query = gql('{ mobiles(first: 3) { edges { node { id voice { online } position { address } } } } }');
      const { data, error } = await createApolloClient(gateway.url, session).query({ query });
      expect(data).toMatchObject({ mobiles: { edges: { length: 3 } } });
      expect(error?.message).toContain('cannot be looked up at the moment');
    }),
  );

  it('joins pages in its cache, and takes a mobile and a tag of one number for two things', () =>
    withFrontEnd({}, async ({ gateway, session }) => {
      const client = createApolloClient(gateway.url, session);
      const page = client.watchQuery({ query: MOBILES, variables: { first: 3 } });
      const { data } = await firstValueFrom(page.pipe(filter(({ dataState }) => dataState === 'complete')));
      const after = data?.mobiles?.pageInfo?.endCursor ?? null;
      await page.fetchMore({ variables: { after } });
      const edges = client.readQuery({ query: MOBILES, variables: { first: 3 } })?.mobiles.edges ?? [];
      expect(new Set(edges.map(({ node }) => node.id)).size).toBe(6);
      expect(Object.keys(entriesOf(client))).toEqual(expect.arrayContaining(['Mobile:1', 'Tag:1']));
    }));
});

describe('the persisted queries of Apollo Client', () => {
  const manifest = inGenerated('apollo-manifest.json');
  beforeAll(() => runTool('generate-persisted-query-manifest', []));

  it('without a list send everything whole, after the first refusal at once', () =>
    withFrontEnd({}, async ({ gateway, session, sent }) => {
      const client = createApolloClient(gateway.url, session, { sha256 });
      await client.query({ query: UNLISTED });
      await client.query({ query: JOBS });
      expect(sent().map(({ query }) => query)).toEqual([false, true, true]);
    }));

  it('with allow send whatever the list lacks whole, and the rest by its hash', () =>
    withFrontEnd({ PERSISTED_OPERATIONS_FILE: manifest, PERSISTED_OPERATIONS: 'allow' }, async (frontEnd) => {
      const { gateway, session, sent } = frontEnd;
      const client = createApolloClient(gateway.url, session, { sha256, useGETForHashedQueries: true });
      expect((await client.query({ query: MOBILES, variables: { first: 1 } })).error).toBeUndefined();
      expect(sent()).toEqual([{ method: 'GET', query: false }]);
      const { data } = await client.query({ query: UNLISTED });
      expect(data).toEqual({ serviceVersion: '0.0.0-test' });
      expect(sent().slice(1)).toEqual([
        { method: 'GET', query: false },
        { method: 'POST', query: true },
      ]);
    }));

  it('with only run what the manifest lists, a whole job, and nothing else', () =>
    withFrontEnd({ PERSISTED_OPERATIONS_FILE: manifest, PERSISTED_OPERATIONS: 'only' }, async (frontEnd) => {
      const { gateway, session, sent } = frontEnd;
      const client = createApolloClient(gateway.url, session, generatePersistedQueryIdsAtRuntime({ sha256 }));
      const jobId = await order(client);
      expect((await pollWithApollo(client, jobId, { secondMs: POLL_MS })).status).toBe('Success');
      expect(sent().filter(({ query }) => query)).toEqual([]);
      const whole = createApolloClient(gateway.url, session);
      const refused = await whole.query({ query: JOB, variables: { jobId }, errorPolicy: 'all' });
      expect(refused.error?.message).toMatch(/^Only persisted operations run here/);
    }));

  it('have the hashes of the manifest for nested fragments too, as the function of its package makes them', async () => {
    const { operations } = JSON.parse(await readFile(manifest, 'utf8')) as {
      operations: { name: string; id: string }[];
    }; // as its tool wrote it
    const { generateHash } = generatePersistedQueryIdsAtRuntime({ sha256 });
    const addTypename = (document: DocumentNode): DocumentNode => new InMemoryCache().transformDocument(document);
    for (const [name, document] of Object.entries({ OrderReport: ORDER, Job: JOB, Jobs: JOBS, Mobiles: MOBILES })) {
      const id = operations.find((operation) => operation.name === name)?.id;
      expect([name, await generateHash(addTypename(document))]).toEqual([name, id]);
    }
    // The hash of a document as it stands is another: its fragments are in the order of their use.
    expect(sha256(print(addTypename(JOB)))).not.toBe(operations.find(({ name }) => name === 'Job')?.id);
  });
});
