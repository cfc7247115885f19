import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Client } from 'urql';
import { installFrontEndPackage } from '../support/front-end-package.js';
import { expectPdf, introspection, POLL_MS, REPORT, withFrontEnd } from './front-end.js';
import { pollsInTheBackground } from './background-tabs.js';
import { outlivesBadDays } from './bad-days.js';
import { JOB, JOBS, MOBILES } from './operations.js';

installFrontEndPackage('test/clients');
const { createUrqlClient, orderWithUrql, pollWithUrql } = await import('./urql.js');
const schema = introspection();

const order = (client: Client): Promise<string> =>
  orderWithUrql(client, { input: REPORT, idempotencyKey: randomUUID() });

describe('urql with its normalised cache', () => {
  outlivesBadDays({}, (url, session) => {
    const client = createUrqlClient(url, session, schema);
    return {
      order: () => order(client),
      list: () => client.query(JOBS, {}, { requestPolicy: 'network-only' }).toPromise(),
      listed: () => client.readQuery(JOBS, {})?.data?.jobs.edges.map(({ node }) => node.id) ?? [],
      poll: (jobId, signal) => pollWithUrql(client, jobId, { secondMs: POLL_MS, signal }),
    };
  });

  pollsInTheBackground(
    {},
    `import { createUrqlClient, pollWithUrql } from './urql.js';
    const client = createUrqlClient(url, session, ${JSON.stringify(schema)});
    const pollJob = (jobId) => pollWithUrql(client, jobId, options);`,
  );

  it('orders a report, polls it in its cache to the end, and downloads it', () =>
    withFrontEnd({}, async ({ gateway, session }) => {
      const client = createUrqlClient(gateway.url, session, schema);
      const jobId = await order(client);
      const shown: boolean[] = [];
      const page = client.query(JOB, { jobId }).subscribe(({ data: seen }) => {
        if (seen) shown.push(seen.job.completed);
      });
      const { status, downloadUrl } = await pollWithUrql(client, jobId, { secondMs: POLL_MS });
      page.unsubscribe();
      expect(status).toBe('Success');
      expect(shown.at(-1)).toBe(true);
      await expectPdf(gateway.url, downloadUrl);
    }));

  it('joins pages in its cache, and takes a mobile and a tag of one number for two things', () =>
    withFrontEnd({}, async ({ gateway, session }) => {
      const client = createUrqlClient(gateway.url, session, schema);
      const first = await client.query(MOBILES, { first: 3 }).toPromise();
      const after = first.data?.mobiles.pageInfo.endCursor;
      const { data } = await client.query(MOBILES, { first: 3, after }).toPromise();
      const nodes = data?.mobiles.edges.map(({ node }) => node) ?? [];
      expect(new Set(nodes.map(({ id }) => id)).size).toBe(6);
      expect(new Set(nodes.map(({ position }) => JSON.stringify(position))).size).toBe(6);
      // A tag that shared the entry of a mobile would have its name.
      const namesOf = (things: readonly { readonly id: string; readonly name: string }[]): Map<string, string> =>
        new Map(things.map(({ id, name }) => [id, name]));
      const [mobiles, tags] = [namesOf(nodes), namesOf(nodes.flatMap((node) => node.tags))];
      const shared = [...tags.keys()].filter((id) => mobiles.has(id));
      expect(shared).not.toEqual([]);
      for (const id of shared) expect(tags.get(id)).not.toBe(mobiles.get(id));
    }));
});
