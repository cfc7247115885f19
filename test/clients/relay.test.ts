import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  commitMutation,
  createOperationDescriptor,
  fetchQuery,
  getSingularSelector,
  type Environment,
} from 'relay-runtime';
import type { FleetJobsQuery$data } from './generated/relay/FleetJobsQuery.graphql';
import type { FleetVoicesQuery$data } from './generated/relay/FleetVoicesQuery.graphql';
import type { FleetOrderMutation } from './generated/relay/FleetOrderMutation.graphql';
import { installFrontEndPackage } from '../support/front-end-package.js';
import type * as Relay from './relay.js';
import { pollsInTheBackground } from './background-tabs.js';
import { outlivesBadDays } from './bad-days.js';
import { expectPdf, POLL_MS, REPORT, withFrontEnd } from './front-end.js';
import { inGenerated, runTool } from './tools.js';

const documents = inGenerated('relay-documents.json');
const allowed = { PERSISTED_OPERATIONS_FILE: documents, PERSISTED_OPERATIONS: 'allow' };
let relay: typeof Relay;

beforeAll(async () => {
  installFrontEndPackage('test/clients');
  // The compiler lists only operations that it makes anew.
  await rm(inGenerated('relay'), { recursive: true, force: true });
  await mkdir(inGenerated('relay'), { recursive: true });
  await writeFile(documents, '{}');
  await runTool('relay-compiler', ['relay.config.json'], 'relay');
  relay = await import('./relay.js');
});

describe('Relay', () => {
  it.each(['allow', 'only'] as const)('orders a report and polls it to the end, with %s by its hashes', (mode) =>
    withFrontEnd({ ...allowed, PERSISTED_OPERATIONS: mode }, async (frontEnd) => {
      const { gateway, session, sent } = frontEnd;
      const environment = relay.createRelayEnvironment(gateway.url, session);
      const jobId = await order(environment);
      const { status, downloadUrl } = await relay.pollWithRelay(environment, jobId, { secondMs: POLL_MS });
      expect(status).toBe('Success');
      expect(sent().filter(({ query }) => query)).toEqual([]);
      await expectPdf(gateway.url, downloadUrl);
      // A job and its status share an id, and stay apart.
      const records = environment.getStore().getSource();
      expect(records.get(`Job:${jobId}`)).toMatchObject({ state: 'PENDING' });
      expect(records.get(`DrivingReportsStatus:${jobId}`)).toMatchObject({ completed: true });
    }),
  );

  outlivesBadDays(allowed, (url, session) => {
    const environment = relay.createRelayEnvironment(url, session);
    let listed = (): FleetJobsQuery$data['jobs'] => null;
    return {
      order: () => order(environment),
      async list() {
        const { default: query } = await import('./generated/relay/FleetJobsQuery.graphql');
        const descriptor = createOperationDescriptor(query, {});
        environment.retain(descriptor);
        await fetchQuery(environment, query, {}).toPromise();
        listed = () => (environment.lookup(descriptor.fragment).data as FleetJobsQuery$data).jobs; // as it selects
      },
      listed: () => listed()?.edges.flatMap(({ node }) => node?.id ?? []) ?? [],
      poll: (jobId, signal) => relay.pollWithRelay(environment, jobId, { secondMs: POLL_MS, signal }),
    };
  });

  pollsInTheBackground(
    allowed,
    `import { createRelayEnvironment, pollWithRelay } from './relay.js';
    const environment = createRelayEnvironment(url, session);
    const pollJob = (jobId) => pollWithRelay(environment, jobId, options);`,
  );

  it('joins pages by @connection, and takes a mobile and a tag of one number for two things', () =>
    withFrontEnd(allowed, async ({ gateway, session }) => {
      const { default: query } = await import('./generated/relay/FleetQuery.graphql');
      const { default: more } = await import('./generated/relay/FleetPaginationQuery.graphql');
      const { default: fragment } = await import('./generated/relay/Fleet_mobiles.graphql');
      const environment = relay.createRelayEnvironment(gateway.url, session);
      const read = (): Page => {
        const { data } = environment.lookup(createOperationDescriptor(query, { count: 3 }).fragment);
        const selector = getSingularSelector(fragment, data);
        if (selector == null) throw new Error('The query does not spread the fragment.');
        return environment.lookup(selector).data as unknown as Page; // as the fragment selects
      };
      const retained = environment.retain(createOperationDescriptor(query, { count: 3 }));
      await fetchQuery(environment, query, { count: 3 }).toPromise();
      const { endCursor } = read().mobiles.pageInfo;
      await fetchQuery(environment, more, { count: 3, cursor: endCursor }).toPromise();
      const nodes = read().mobiles.edges.map(({ node }) => node);
      expect(new Set(nodes.map(({ id }) => id)).size).toBe(6);
      expect(new Set(nodes.map(({ position }) => position.latitude)).size).toBe(6);
      const records = environment.getStore().getSource();
      expect(records.get('Mobile:1')).toMatchObject({ __typename: 'Mobile' });
      expect(records.get('Tag:1')).toMatchObject({ __typename: 'Tag' });
      retained.dispose();
    }));

  it('sees by @catch that voice cannot be had, in twenty-one rows and in each root field', () =>
    withFrontEnd(allowed, async ({ gateway, session }) => {
      const { default: query } = await import('./generated/relay/FleetVoicesQuery.graphql');
      gateway.sandbox.faults.set({ backend: 'voip-api', fault: { kind: 'down' } });
      const environment = relay.createRelayEnvironment(gateway.url, session);
      const descriptor = createOperationDescriptor(query, {});
      const retained = environment.retain(descriptor);
      await fetchQuery(environment, query, {}).toPromise();
      const { near, far } = environment.lookup(descriptor.fragment).data as FleetVoicesQuery$data; // as it selects
      const caught = (list: typeof near): number =>
        list?.edges.filter(({ node }) => node?.voice.ok === false).length ?? 0;
      // Which of the lists is read first is open, and with it whose rows are among the first ones that fail.
      expect(caught(near) + caught(far)).toBeGreaterThanOrEqual(21);
      expect(Math.min(caught(near), caught(far))).toBeGreaterThanOrEqual(1);
      retained.dispose();
    }));

  it('and the other clients compile in a new page of Vite, with what the compiler wrote', async () => {
    await runTool('../../../../node_modules/.bin/tsc', ['-p', '.']);
  });
});

interface Page {
  readonly mobiles: {
    readonly edges: readonly {
      readonly node: { readonly id: string; readonly position: { readonly latitude: number } };
    }[];
    readonly pageInfo: { readonly endCursor: string };
  };
}

async function order(environment: Environment): Promise<string> {
  const { default: mutation } = await import('./generated/relay/FleetOrderMutation.graphql');
  return new Promise((resolve, reject) => {
    commitMutation<FleetOrderMutation>(environment, {
      mutation,
      variables: { input: REPORT, idempotencyKey: randomUUID(), connections: relay.shownJobs(environment) },
      cacheConfig: { metadata: { hasIdempotencyKey: true } },
      onCompleted: ({ startDrivingReports }) => resolve(startDrivingReports?.jobId ?? ''),
      onError: reject,
    });
  });
}
