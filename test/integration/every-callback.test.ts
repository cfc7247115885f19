/** Every kind of job, whatever there will be: its callback, and its mutation and its query of the front end. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isProtected } from '../../src/gateway/auth/guard.js';
import { CALLBACKS } from '../support/callbacks.js';
import { startTestGateway, type GraphQLReply } from '../support/gateway.js';
import { argumentOf, jobHeaders, outcomeOf } from '../support/job-requests.js';
import { JOBS, unservedSchema } from '../support/job-table.js';
import { forAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

const schema = unservedSchema();
const queries = schema.getQueryType()?.getFields() ?? {};
const mutations = schema.getMutationType()?.getFields() ?? {};

const gateway = forAllTests(startTestGateway);

describe.each(CALLBACKS)('A job of the kind $kind', ({ kind, path, example, empty }) => {
  const { start, status, administratorsOnly } = JOBS[kind];
  const [body] = mutations[start]?.args ?? [];
  const startText = `mutation($body: ${String(body?.type)}) { job: ${start}(${body?.name}: $body) { jobId } }`;
  const statusText = `query($jobId: ID!) { status: ${status}(jobId: $jobId) { completed status errors } }`;

  const order = async (user: string): Promise<GraphQLReply> =>
    gateway.graphql(startText, { body: argumentOf(example) }, await gateway.bearer({ loginId: user }));
  const ask = async (jobId: string, user: string): Promise<GraphQLReply> =>
    gateway.graphql(statusText, { jobId }, await gateway.bearer({ loginId: user }));
  const codes = ({ errors = [] }: GraphQLReply): string[] => errors.map(({ extensions }) => extensions.code);

  // Before its example is used up.
  it('is ordered and watched by the front end, with a token only', async () => {
    for (const field of [mutations[start], queries[status]]) expect(field && isProtected(field)).toBe(true);
    expect(mutations[start]?.args.filter(({ name }) => name !== 'idempotencyKey')).toHaveLength(1);
    expect(mutations[start]?.astNode?.directives?.map(({ name }) => name.value)).toContain('startsJob');
    const { data, text } = await order('demo');
    const jobId = (data?.['job'] as { jobId: string } | null)?.jobId; // as selected
    if (jobId === undefined) throw new Error(`The job was not accepted: ${text}`);
    await waitFor('the job to end', async () => {
      const polled = (await ask(jobId, 'demo')).data?.['status'] as { completed: boolean } | null; // as selected
      return polled?.completed;
    });
    expect(codes(await ask(jobId, 'globex-admin'))).toEqual(['NotFound']);
    expect(codes(await ask(jobId, 'driver'))).toEqual([administratorsOnly ? 'Forbidden' : 'NotFound']);
  });

  it('is handled once, and then replayed to the byte; its id is taken for any other body', async () => {
    const headers = jobHeaders(randomUUID());
    const first = await gateway.callback(path, example, headers);
    expect(outcomeOf(first)).toMatchObject({ status: 200, replayed: null });
    gateway.sandbox.journal.clear();
    expect(outcomeOf(await gateway.callback(path, example, headers))).toEqual({
      status: 200,
      text: first.text,
      replayed: 'true',
    });
    expect((await gateway.callback(path, empty, headers)).status).toBe(422);
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  });
});
