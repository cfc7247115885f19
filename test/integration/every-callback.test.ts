/** Every kind of job, whatever there will be: its callback, and its mutation and its query of the front end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBackends, type Backends } from '../../src/clients/connect-backends.js';
import { isProtected } from '../../src/gateway/auth/guard.js';
import { createJobTable, type JobTableOptions } from '../../src/jobs/job-table.js';
import { isBulkKind } from '../../src/jobs/record/job-kinds.js';
import { CALLBACKS } from '../support/callbacks.js';
import { captureLog } from '../support/captured-log.js';
import { BACKEND_KEY, startTestGateway, type GraphQLReply } from '../support/gateway.js';
import { argumentOf, jobHeaders, outcomeOf } from '../support/job-requests.js';
import { JOBS, unservedSchema } from '../support/job-table.js';
import { forAllTests } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';
import { jobExecution } from '../unit/jobs/job-execution.js';

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

describe('Each item of an example that an attempt did before it died', () => {
  const sandbox = forAllTests(() => startBackends());
  let backends: Backends;
  beforeAll(() => {
    const { backendApiUrl: backendApi, geoApiUrl: geoApi, voipApiUrl: voipApi } = sandbox;
    backends = connectBackends({
      urls: { backendApi, geoApi, voipApi },
      keys: { backendApi: [BACKEND_KEY], geoApi: undefined, voipApi: undefined },
      backendTimeoutMs: 10_000,
      logger: captureLog().logger,
    });
  });
  afterAll(() => backends.close());

  it.each(CALLBACKS.filter(({ kind }) => isBulkKind(kind)))('is done once by a second one: $kind', async (callback) => {
    const { kind, example } = callback;
    const options = { ...backends, bulkMaxItems: 100, queuePatienceMs: 60_000 };
    const job = createJobTable(options as unknown as JobTableOptions)[kind]; // no report is drawn
    const items = example as readonly unknown[]; // a bulk job has a list of items
    for (const next of items.keys()) {
      const attempt = async (checkpoint: object): Promise<object> => {
        const accepted = job.accept(items.slice(0, next + 1));
        if (accepted.kind !== 'work') throw new Error(JSON.stringify(accepted));
        const known = { attempt: 2, checkpoint: JSON.stringify(checkpoint) };
        return accepted.work.run(jobExecution({ job: { kind, org: undefined, jobId: 'job' }, ...known }));
      };
      const first = await attempt({ next, stoppedIn: 1 });
      expect(first).toMatchObject({ reply: { status: 'Success' } });
      expect(await attempt({ next })).toEqual(first);
    }
    expect(items.length).toBeGreaterThan(0);
  });
});
