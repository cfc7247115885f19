/** The text of jobs in an answer is bounded, however many fields and aliases ask for it. */
import { expect, it } from '@jest/globals';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { createAccount } from '../support/job-requests.js';
import { closeAfterTest } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';

const FAILURES = 'failures { index subject code reason message values }';
const JOB = `{ jobId errors ... on BulkOperationUserAccountStatus { ${FAILURES} } }`;
const EDGES = `{ edges { node ${JOB} } pageInfo { hasNextPage endCursor } }`;

/** A gateway whose answers have room for less than two of its jobs. */
async function gatewayWithLargeJobs(): Promise<{ gateway: TestGateway; ids: readonly string[]; max: number }> {
  const max = 60_000;
  const gateway = closeAfterTest(await startTestGateway({ GRAPHQL_MAX_ANSWER_BYTES: String(max) }), (one) =>
    one.close(),
  );
  const ids: string[] = [];
  for (let job = 0; job < 3; job += 1) {
    const items = Array.from({ length: 120 }, () => createAccount('the-same'));
    const { jobId } = await startJob(gateway, 'accounts', items);
    await finishedJob(gateway, 'accounts', jobId);
    ids.push(jobId);
  }
  return { gateway, ids, max };
}

async function ask(gateway: TestGateway, query: string): Promise<GraphQLReply> {
  return gateway.graphql(query, {}, await gateway.bearer());
}

type Page = { readonly edges: readonly { node: { jobId: string } }[]; readonly pageInfo: { hasNextPage: boolean } };

it('One job is answered whole; from the second on, pages end earlier, and other fields are refused in order', async () => {
  const { gateway, ids, max } = await gatewayWithLargeJobs();
  const [one, two, three] = ids;
  const all = await ask(gateway, `{ jobs(first: 200) ${EDGES} }`);
  const page = all.data?.['jobs'] as Page; // as selected above
  expect(page.edges.map(({ node }) => node.jobId)).toEqual([three]);
  expect(page.pageInfo.hasNextPage).toBe(true);
  expect(all.text.length).toBeLessThan(max);

  const twice = await ask(
    gateway,
    `{ a: job(jobId: "${one}") ${JOB} b: job(jobId: "${two}") ${JOB} c: jobs ${EDGES} }`,
  );
  expect(twice.data).toMatchObject({ a: { jobId: one }, b: null, c: null });
  const extensions = { code: 'BadInput', reason: 'AnswerTooLarge', values: { limit: max } };
  expect(twice.errors).toMatchObject([
    { path: ['b'], extensions },
    { path: ['c'], extensions },
  ]);
  expect(twice.text.length).toBeLessThan(max);

  // Aliases within a job count as often as they repeat it, and the first job is whole all the same.
  const repeated = ['x', 'y', 'z'].map((alias) => `... on BulkOperationUserAccountStatus { ${alias}: ${FAILURES} }`);
  const aliases = await ask(
    gateway,
    `{ a: job(jobId: "${one}") { ${repeated.join(' ')} } b: job(jobId: "${two}") { state } }`,
  );
  expect(aliases.data).toMatchObject({ a: { z: { length: 119 } }, b: null });

  const cancelled = `a: cancelJob(jobId: "${one}") { status ${JOB} } b: cancelJob(jobId: "${two}") { status ${JOB} }`;
  expect((await ask(gateway, `mutation { ${cancelled} }`)).errors).toMatchObject([
    { path: ['b', 'status'], extensions },
  ]);
});

it('A page of 200 thin jobs, and one of 200 mobiles with everything, fits', async () => {
  const gateway = closeAfterTest(await startTestGateway(), (one) => one.close());
  for (let batch = 0; batch < 20; batch += 1) {
    const jobs = Array.from({ length: 10 }, (_, at) =>
      startJob(gateway, 'mobiles', [{ id: 1, name: `${batch}-${at}` }]),
    );
    for (const { jobId } of await Promise.all(jobs)) await finishedJob(gateway, 'mobiles', jobId);
  }
  const { data, errors } = await ask(gateway, `{ jobs(first: 200) ${EDGES} }`);
  expect(errors).toBeUndefined();
  expect((data?.['jobs'] as Page).edges).toHaveLength(200); // as selected above
  const mobile = 'id num name tags { id name } voice { online talkGroup }';
  const position = 'position { latitude longitude speedKmh heading recordedAt address }';
  const mobiles = await ask(
    gateway,
    `{ mobiles(first: 200) { edges { cursor node { ${mobile} ${position} } } totalCount } }`,
  );
  expect(mobiles.errors).toBeUndefined();
  expect(mobiles.text.length).toBeLessThan(4_194_304);
});
