/**
 * An operation that is cut short, at its time limit or because its client has gone: nothing begins from then on, and
 * the reply has what was done. And one that fails in part.
 */
import { type ChannelListener, subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { block } from '../support/blocking.js';
import { type ShownError, backendEnvironment, startTestGateway } from '../support/gateway.js';
import { HANDLERS, JSON_TYPE } from '../support/graphql-handlers.js';
import { argumentOf, createAccount } from '../support/job-requests.js';
import { closeAfterTest, forAllTests, gatewayForAllTests, temporaryDirectory } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

/** Beyond `MAX_EVENT_LOOP_DELAY_MS`. */
const BUSY_MS = 2_000;

const gateway = gatewayForAllTests({
  REQUEST_TIMEOUT_SECONDS: '3',
  LOGIN_RATE_PER_MINUTE: '1000',
  MAX_EVENT_LOOP_DELAY_MS: '1500',
});
const user = forAllTests(async () => ({ authorization: await gateway.bearer() }));

interface Answer {
  readonly status: number;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly ShownError[];
}

type HandlerName = 'POST' | 'chunked POST';

const WAYS = [
  ['POST', 'application/json'],
  ['chunked POST', 'application/graphql-response+json'],
] as const;

async function ask(handler: HandlerName, query: string, accept = 'application/json', variables = {}): Promise<Answer> {
  const { status, text } = await HANDLERS[handler](gateway.url, { query, variables }, { ...user, accept });
  const { data, errors = [] } = JSON.parse(text) as Partial<Answer>; // as the gateway answers
  return { status, ...(data !== undefined && { data }), errors };
}

/** The reasons of errors, by their paths. */
function reasons({ errors }: Answer): unknown {
  return Object.fromEntries(errors.map(({ path = [], extensions }) => [path.join('.'), extensions.reason]));
}

const UPDATE = 'startBulkUpdateMobile(items: [{ id: 1, name: "Truck 1" }]) { jobId }';
const CREATE = 'startBulkOperationUserAccount(items: $items) { jobId }';

/** A mutation, in which {@link CREATE} may stand. */
const mutation = (fields: string): string => `mutation ($items: [UserAccountOperationInput!]!) { ${fields} }`;

let accounts = 0;

/** Its variables, with an account that there was not before. */
const nextAccount = (): { readonly items: unknown } => ({
  items: argumentOf([createAccount(`cut-short-${(accounts += 1)}`)]),
});

const markers = new Set<string>();

/** Other jobs of the organisation, when one that was ordered later has ended: by then one that began late would be there. */
async function jobsThen(): Promise<readonly string[]> {
  gateway.sandbox.faults.clear();
  const { jobId } = await startJob(gateway, 'mobiles', [{ id: 2, name: 'Truck 2' }]);
  markers.add(jobId);
  await finishedJob(gateway, 'mobiles', jobId);
  const { data } = await gateway.graphql('{ jobs(first: 200) { edges { node { jobId } } } }', {}, user.authorization);
  const { edges } = data?.['jobs'] as { edges: readonly { node: { jobId: string } }[] }; // as selected
  return edges.map(({ node }) => node.jobId).filter((id) => !markers.has(id));
}

describe.each(WAYS)('at its time limit, by %s for %s,', (handler, accept) => {
  it('a mutation begins nothing more, and says of each field how far it came', async () => {
    const before = await jobsThen();
    gateway.sandbox.faults.hold({ operation: 'lookupMobiles' });
    const answer = await ask(
      handler,
      mutation(`a: ${UPDATE} b: ${CREATE} c: cancelJob(jobId: "none") { jobId }`),
      accept,
      nextAccount(),
    );
    expect([answer.status, answer.data, reasons(answer)]).toEqual([
      200,
      { a: null, b: null, c: null },
      { a: 'NotStarted', b: 'NotStarted', c: 'NotStarted' },
    ]);
    for (const { path, extensions } of answer.errors) {
      expect(extensions).toMatchObject({ code: 'ServiceUnavailable', status: 503, path });
    }
    expect(await jobsThen()).toEqual(before);
    const asked = gateway.sandbox.journal.requests().map(({ operation }) => operation);
    expect(asked).not.toContain('createUserAccount');
  });

  it('a job that was started keeps its id', async () => {
    const before = await jobsThen();
    gateway.sandbox.faults.hold({ operation: 'lookupMobiles' });
    const answer = await ask(handler, mutation(`b: ${CREATE} a: ${UPDATE}`), accept, nextAccount());
    expect([answer.status, reasons(answer)]).toEqual([200, { a: 'NotStarted' }]);
    const { jobId } = answer.data?.['b'] as { jobId: string }; // as selected
    expect(await jobsThen()).toEqual([jobId, ...before]);
  });

  it('a log-in that was asked for may have been done', async () => {
    gateway.sandbox.faults.hold({ operation: 'login' });
    const login = 'mutation { userLogin(loginId: "demo", password: "demo") { otpRequired } }';
    expect(reasons(await ask(handler, login, accept))).toEqual({ userLogin: 'OutcomeUnknown' });
  });

  it('a query keeps what has ended', async () => {
    gateway.sandbox.faults.hold({ operation: 'listMobiles' });
    const seen = gateway.logged().length;
    const answer = await ask(handler, '{ me { Org } mobiles { edges { node { id } } } serviceVersion }', accept);
    expect(answer).toMatchObject({
      status: 200,
      data: { me: { Org: 'acme' }, mobiles: null, serviceVersion: '0.0.0-test' },
      errors: [
        {
          message: 'The operation took longer than 3 s. Try again later.',
          path: ['mobiles'],
          locations: [{ line: 1, column: 14 }],
          extensions: {
            code: 'ServiceUnavailable',
            reason: 'OperationTimeout',
            values: { seconds: 3 },
            status: 503,
            path: ['mobiles'],
          },
        },
      ],
    });
    expect(gateway.logged().slice(seen)).toContain('"reason":"the operation took longer than REQUEST_TIMEOUT_SECONDS"');
  });
});

describe('a start whose mobiles are looked up until the time limit', () => {
  it('has its id in the reply exactly if there is a job', async () => {
    const items = Array.from({ length: 1_000 }, (_, at) => ({ id: (at % 300) + 1, name: 'Truck' }));
    const query = 'mutation ($items: [MobileUpdateInput!]!) { job: startBulkUpdateMobile(items: $items) { jobId } }';
    const before = new Set(await jobsThen());
    const told: string[] = [];
    for (const milliseconds of [1_900, 1_940, 1_960, 1_975, 1_985, 1_990, 1_997]) {
      gateway.sandbox.faults.set({ operation: 'lookupMobiles', fault: { kind: 'slow', milliseconds } });
      const answer = await ask('POST', query, 'application/json', { items });
      const job = answer.data?.['job'] as { jobId: string } | null; // as selected
      if (job === null) expect(reasons(answer)).toEqual({ job: 'NotStarted' });
      else told.push(job.jobId);
    }
    const started = (await jobsThen()).filter((id) => !before.has(id));
    expect(new Set(started)).toEqual(new Set(told));
  });
});

/** Asks, and resolves once the caller has its answer, or has gone. */
type Kind = (handler: HandlerName, query: string, variables: object) => Promise<unknown>;

const KINDS: Readonly<Record<string, Kind>> = {
  'comes at the time limit': (handler, query, variables) => ask(handler, query, 'application/json', variables),
  'cannot come, because the client has gone,': async (handler, query, variables) => {
    const seen = gateway.logged().length;
    const leaving = new AbortController();
    const asked = goingAway(handler, gateway.url, { query, variables }, leaving.signal);
    await held.held();
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    await waitFor('the gateway to notice', () => gateway.logged().slice(seen).includes('"event":"request.cut_short"'));
  },
  'says that no key can be had': (handler, query, variables) => {
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'down' } });
    return ask(handler, query, 'application/json', variables);
  },
  'sheds load': async (handler, query, variables) => {
    // The event loop is late when the request comes; the backends are in this process too.
    const late: ChannelListener = (message) => {
      if ((message as { request: IncomingMessage }).request.url !== '/graphql') return; // as Node.js documents
      unsubscribe('http.server.request.start', late);
      block(BUSY_MS);
    };
    subscribe('http.server.request.start', late);
    const { status, errors } = await ask(handler, query, 'application/json', variables);
    // Meanwhile the time of unused connections may have passed.
    await waitFor('a connection', () => fetch(`${gateway.url}/health/live`).then(Boolean, () => false));
    expect([status, errors.map(({ extensions }) => extensions.reason)]).toEqual([503, ['Busy']]);
  },
  'refuses the document': (handler, query, variables) =>
    ask(handler, query.replace('jobId }', 'jobIdentifier }'), 'application/json', variables),
  'refuses the variables': (handler, query) => ask(handler, query, 'application/json', { items: null }),
  'refuses too many starts': (handler, query, variables) =>
    ask(handler, query.replace(/\}$/, `x: ${UPDATE} y: ${UPDATE} z: ${UPDATE} }`), 'application/json', variables),
};

let held: ReturnType<typeof gateway.sandbox.faults.hold>;

/** Sends a request that its client gives up when the signal says so. */
function goingAway(handler: HandlerName, url: string, asked: object, signal: AbortSignal): Promise<Response> {
  const body = JSON.stringify(asked);
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...user },
    ...(handler === 'POST' ? { body } : { body: new Blob([body]).stream(), duplex: 'half' }),
    signal,
  });
}

describe.each(Object.entries(KINDS))('after a reply that %s', (_kind, askFor) => {
  it.each(['POST', 'chunked POST'] as const)('no job, cancellation, log-in or call begins, by %s', async (handler) => {
    const before = await jobsThen();
    // A job that can be cancelled.
    gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '3' });
    const running = await startJob(gateway, 'mobiles', [{ id: 3, name: 'Truck 3' }]);
    held = gateway.sandbox.faults.hold({ operation: 'lookupMobiles' });
    const seen = gateway.logged().length;
    const login = 'userLogin(loginId: "demo", password: "demo-password") { otpRequired }';
    const fields = `a: ${UPDATE} b: ${CREATE} c: cancelJob(jobId: "${running.jobId}") { jobId } d: ${login}`;
    await askFor(handler, mutation(fields), nextAccount());
    gateway.sandbox.journal.clear();
    expect(await jobsThen()).toEqual([running.jobId, ...before]);
    expect(gateway.logged().slice(seen)).not.toContain('"event":"job.cancelled"');
    const asked = new Set(gateway.sandbox.journal.requests().map(({ operation }) => operation));
    // Those of the job that was ordered to see the end.
    expect([...asked].filter((name = '') => name === 'login' || /Account/.test(name))).toEqual([]);
  });
});

describe('when connections are cut at the end of a shutdown', () => {
  it.each(['POST', 'chunked POST'] as const)('a mutation begins nothing more, by %s', async (handler) => {
    const directory = closeAfterTest(await temporaryDirectory());
    const stores = { dataDir: directory.path, sandbox: gateway.sandbox };
    const variables = { SHUTDOWN_DRAIN_SECONDS: '1', ...backendEnvironment(gateway.sandbox) };
    const stopping = await startTestGateway(variables, stores);
    held = gateway.sandbox.faults.hold({ operation: 'lookupMobiles' });
    const query = mutation(`a: ${UPDATE} b: ${CREATE} c: ${UPDATE}`);
    const asked = goingAway(handler, stopping.url, { query, variables: nextAccount() }, new AbortController().signal);
    await held.held();
    await Promise.all([stopping.close(), expect(asked).rejects.toThrow('fetch failed')]);
    gateway.sandbox.faults.clear();
    const next = closeAfterTest(await startTestGateway(variables, stores));
    const { data } = await next.graphql('{ jobs { edges { node { jobId } } } }', {}, user.authorization);
    expect(data).toEqual({ jobs: { edges: [] } });
  });
});

describe('when the client goes away', () => {
  it('a key is not fetched for a field that comes later', async () => {
    const hold = gateway.sandbox.faults.hold({ operation: 'login' });
    const login = 'userLogin(loginId: "demo", password: "demo-password") { otpRequired }';
    const leaving = new AbortController();
    const asked = goingAway('POST', gateway.url, { query: `mutation { a: ${login} b: ${UPDATE} }` }, leaving.signal);
    await hold.held();
    const seen = gateway.logged().length;
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    await waitFor('the gateway to notice', () => gateway.logged().slice(seen).includes('"event":"request.cut_short"'));
    expect(gateway.sandbox.journal.requests().map(({ operation }) => operation)).toEqual(['login']);
  });
});

describe('a refused field of a mutation', () => {
  const wrong = 'login: userLogin(loginId: "demo", password: "wrong") { otpRequired }';

  it.each(['POST', 'chunked POST'] as const)('takes nothing of the others away, by %s', async (handler) => {
    const before = await jobsThen();
    const answer = await ask(handler, `mutation { a: ${UPDATE} ${wrong} b: ${UPDATE} }`);
    expect(reasons(answer)).toEqual({ login: 'WrongPassword' });
    const { a, b } = answer.data as Record<'a' | 'b', { jobId: string }>; // as selected
    expect((await jobsThen()).toSorted()).toEqual([a.jobId, b.jobId, ...before].toSorted());
  });
});
