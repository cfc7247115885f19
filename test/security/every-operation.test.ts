/**
 * Every operation of the schema, whatever there will be, for a user who may not: of another organisation, no
 * administrator, without a token, and with each kind of bad token.
 */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getVariableValues, isNonNullType, parse, validate, type OperationDefinitionNode } from 'graphql';
import { isProtected } from '../../src/gateway/auth/guard.js';
import { startTestGateway, type GraphQLReply } from '../support/gateway.js';
import type { JobDefinition } from '../../src/jobs/job-definition.js';
import { CALLBACKS } from '../support/callbacks.js';
import { createAccount, jobHeaders, MOBILES } from '../support/job-requests.js';
import { JOBS, unservedSchema } from '../support/job-table.js';
import { forAllTests } from '../support/resources.js';
import { operationsOf, rootFieldsOf, type GivenValues, type SchemaOperation } from '../support/schema-operations.js';
import { finishedJob, pollJob, startJob, type StartedKind } from '../support/started-jobs.js';
import type { TokenOverrides } from '../support/test-sandbox.js';
import { waitFor } from '../support/wait-for.js';

const schema = unservedSchema();

/** Operations without a token. A new one is listed here, or has `@isAuthenticated`. */
const PUBLIC = [
  'Query.serviceVersion',
  'Mutation.userLogin',
  'Mutation.refreshUserToken',
  'Mutation.sendOtp',
  'Mutation.verifyOtp',
  'Mutation.sendTestOtp',
];

/** The operations of some kinds of job. */
function operationsOfJobs(jobs: readonly JobDefinition[]): string[] {
  return jobs.flatMap(({ start, status }) => [`Mutation.${start}`, `Query.${status}`]);
}

const KINDS: readonly JobDefinition[] = Object.values(JOBS);

/** Operations of administrators alone, which are those of jobs whose kind says so. */
const ADMINISTRATORS = operationsOfJobs(KINDS.filter(({ administratorsOnly }) => administratorsOnly));

/** Starts of jobs that name no mobile, and so nothing of the owner that is looked up before the start. */
const NAMING_NO_MOBILE = CALLBACKS.filter(({ kind, example }) => JOBS[kind].mobiles(example).length === 0).map(
  ({ kind }) => `Mutation.${JOBS[kind].start}`,
);

/** Operations of every user, with the answer for an object of another organisation. */
const EVERYBODY: Readonly<Record<string, 'own data' | 'NotFound'>> = {
  'Query.me': 'own data',
  'Query.mobiles': 'own data',
  'Query.mobile': 'NotFound',
  'Query.tags': 'own data',
  // Which accounts a user sees is for backend-api to say.
  'Query.userAccounts': 'own data',
  'Query.jobs': 'own data',
  'Query.job': 'NotFound',
  'Mutation.cancelJob': 'NotFound',
  // Those of a job that is for everybody need no line: mobiles that it names have to be the organisation's own.
  ...Object.fromEntries(
    operationsOfJobs(KINDS.filter(({ administratorsOnly }) => !administratorsOnly)).map(
      (name) => [name, 'NotFound'] as const,
    ),
  ),
};

const guarded = rootFieldsOf(schema).filter(({ field }) => isProtected(field));
const protectedNames = guarded.map(({ name }) => name);

describe('the schema', () => {
  it('protects every operation but those that are for anybody', () => {
    const open = rootFieldsOf(schema).filter(({ field }) => !isProtected(field));
    expect(open.map(({ name }) => name).sort()).toEqual([...PUBLIC].sort());
  });

  it('lets every operation be null alone, so that a refused one takes no other away', () => {
    const required = rootFieldsOf(schema).filter(({ field }) => isNonNullType(field.type));
    expect(required.map(({ name }) => name)).toEqual([]);
  });

  it('has every protected operation looked at below, once', () => {
    expect([...ADMINISTRATORS, ...Object.keys(EVERYBODY)].sort()).toEqual([...protectedNames].sort());
  });
});

it('what is asked here is valid, for every operation', () => {
  const asked = operationsOf(schema);
  expect(asked.length).toBe(rootFieldsOf(schema).length);
  for (const { query, variables } of asked) {
    const document = parse(query);
    expect(validate(schema, document)).toEqual([]);
    const [operation] = document.definitions as readonly OperationDefinitionNode[]; // it is all there is
    expect(getVariableValues(schema, operation?.variableDefinitions ?? [], variables).errors).toBeUndefined();
  }
});

/** A value that stands in data of the owner and nowhere else. */
const MARK = 'owner-mark';
const OWNERS_MOBILE = 7;

const gateway = forAllTests(() => startTestGateway({ JOB_PATIENCE_SECONDS: '1' }));
let jobs: Readonly<Record<StartedKind, string>>;
let operations: readonly SchemaOperation[];

beforeAll(async () => {
  const driver = { mobileId: String(OWNERS_MOBILE), employeeCode: `${MARK}-code`, employeeName: `${MARK} driver` };
  const unknown = { ...driver, mobileId: '8' };
  // One driver fails, so that the status names a driver.
  gateway.sandbox.faults.set({ operation: 'getDrivingRecord', mobileId: '8', fault: { kind: 'status', status: 404 } });
  const ordered = {
    mobiles: [{ id: OWNERS_MOBILE, name: `${MARK} mobile` }],
    accounts: [createAccount(`${MARK}-account`), createAccount(`${MARK}-account`)],
    reports: { date: '2026-11-19T00:00:00Z', drivers: [driver, unknown] },
  };
  const start = async (kind: StartedKind): Promise<string> => {
    const { jobId } = await startJob(gateway, kind, ordered[kind]);
    await finishedJob(gateway, kind, jobId);
    return jobId;
  };
  jobs = { mobiles: await start('mobiles'), accounts: await start('accounts'), reports: await start('reports') };
  gateway.sandbox.faults.clear();
  operations = ownersOperations(jobs.mobiles, { name: `${MARK} mobile` });
});
beforeEach(() => gateway.sandbox.journal.clear());

/** Every operation, asked with what belongs to the owner. */
function ownersOperations(jobId: string, more: GivenValues = {}): SchemaOperation[] {
  return operationsOf(schema, {
    jobId,
    id: OWNERS_MOBILE,
    mobileId: String(OWNERS_MOBILE),
    date: '2026-11-19T00:00:00Z',
    loginId: `${MARK}-account`,
    type: 'UPDATE',
    tagIds: [1],
    search: null,
    after: null,
    ...more,
  });
}

function operationNamed(name: string, from = operations): SchemaOperation {
  const found = from.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

async function ask(name: string, authorization?: string): Promise<GraphQLReply> {
  const { query, variables } = operationNamed(name);
  return gateway.graphql(query, variables, authorization);
}

/** Which backend operations were called. */
function called(): (string | undefined)[] {
  return gateway.sandbox.journal.requests().map(({ operation }) => operation);
}

const NOW = Math.floor(Date.now() / 1000);
const HOUR = 3_600;
const NOT_SET = 'Authorization header not set';
const INVALID = 'token is invalid';

/** `Authorization` headers by what is wrong with them; made of a token that is right. */
const BAD: readonly (readonly [string, string, (token: string) => string | undefined])[] = [
  ['no header', NOT_SET, () => undefined],
  ['no scheme', INVALID, (token) => token],
  ['another scheme', INVALID, (token) => `Basic ${token}`],
  ['its scheme in small letters', INVALID, (token) => `bearer ${token}`],
  ['no token', INVALID, () => 'Bearer '],
  ['two tokens', INVALID, (token) => `Bearer ${token}, Bearer ${token}`],
  ['half a token', INVALID, (token) => `Bearer ${token.slice(0, token.length / 2)}`],
  ['no signature', INVALID, (token) => `Bearer ${token.split('.').slice(0, 2).join('.')}.`],
  ['a signature of zeros', INVALID, (token) => `Bearer ${token.replace(/[^.]+$/, 'A'.repeat(342))}`],
  ['another payload', INVALID, (token) => `Bearer ${token.replace(/\.[^.]+\./, `.${encoded({ is_admin: true })}.`)}`],
  ['padding', INVALID, (token) => `Bearer ${token}=`],
  ['text that is no token', INVALID, () => 'Bearer null'],
];

/** Tokens that were signed, and are wrong nevertheless. */
const BAD_TOKENS: readonly (readonly [string, TokenOverrides])[] = [
  ['has expired', { claims: { exp: NOW - HOUR } }],
  ['is not valid yet', { claims: { nbf: NOW + HOUR } }],
  ['is signed with an unknown key', { key: 'unknown' }],
  ['names a key nobody knows', { header: { kid: 'nobody' } }],
  ['is of another type', { header: { typ: 'dpop+jwt' } }],
  ['is of another issuer', { claims: { iss: 'https://elsewhere.example' } }],
  ['names an issuer and more', { claims: { iss: 'https://sandbox.vehicle-location.test.evil.example' } }],
  ['names no user', { claims: { preferred_username: undefined } }],
  ['names no organisation', { claims: { 'org:id': undefined } }],
  ['says that it is an administrator in words', { claims: { is_admin: 'true' } }],
];

const headers = new Map<string, Promise<string>>();
/** A token, which all operations are asked with. */
function minted(what: string, overrides: TokenOverrides): Promise<string> {
  const header = headers.get(what) ?? gateway.bearer(overrides);
  headers.set(what, header);
  return header;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function expectRefused(name: string, { data, errors, text }: GraphQLReply, message: string): void {
  const { field } = operationNamed(name);
  expect(data).toEqual({ [field]: null });
  const reason = message === INVALID ? 'TokenInvalid' : 'AuthorizationMissing';
  const extensions = { code: 'UnAuthenticated', reason, values: {}, status: 400, path: [field] };
  expect(errors).toEqual([{ message, path: [field], locations: [expect.anything()], extensions }]);
  expect(text).not.toContain(MARK);
  expect(called().filter((operation) => operation !== 'getPublicKeys')).toEqual([]);
}

describe.each(protectedNames)('%s', (name) => {
  it.each(BAD)('refuses a header with %s, and nothing of it is run', async (_what, message, headerOf) => {
    const token = (await minted('right', {})).slice('Bearer '.length);
    expectRefused(name, await ask(name, headerOf(token)), message);
  });

  it.each(BAD_TOKENS)('refuses a token that %s, and nothing of it is run', async (what, overrides) => {
    expectRefused(name, await ask(name, await minted(what, overrides)), INVALID);
  });
});

describe('what a stranger is to learn nothing of', () => {
  it('is seen by its owner, before anybody changes it', async () => {
    const seen: string[] = [];
    for (const jobId of Object.values(jobs)) {
      for (const { kind, query, variables } of ownersOperations(jobId)) {
        if (kind === 'query') seen.push((await gateway.graphql(query, variables, await gateway.bearer())).text);
      }
    }
    for (const mark of [`${MARK}-account`, `${MARK}-code`, `${MARK} mobile`, jobs.reports]) {
      expect(seen.join('\n')).toContain(mark);
    }
  });
});

describe('a user who is no administrator', () => {
  it.each(ADMINISTRATORS)('may not ask for %s', async (name) => {
    const { field } = operationNamed(name);
    const { data, errors, text } = await ask(name, await gateway.bearer({ loginId: 'driver' }));
    expect(data).toEqual({ [field]: null });
    expect(errors).toMatchObject([{ path: [field], extensions: { code: 'Forbidden', status: 403, path: [field] } }]);
    expect(text).not.toContain(MARK);
    expect(gateway.sandbox.journal.effects()).toEqual([]);
  });

  it.each(Object.keys(EVERYBODY))('may ask for %s', async (name) => {
    const { errors = [] } = await ask(name, await gateway.bearer({ loginId: 'driver' }));
    expect(errors.map(({ extensions }) => extensions.code)).not.toContain('Forbidden');
  });
});

describe('another user of the organisation', () => {
  /** Asks for an operation. The answer is without the id of the job that was asked for, which errors never hold. */
  async function askAsColleague(name: string, jobId: string, bearer: string): Promise<string> {
    const { query, variables } = operationNamed(name, ownersOperations(jobId));
    return (await gateway.graphql(query, variables, bearer)).text;
  }

  it.each(protectedNames)('learns nothing of jobs from %s, and changes nothing of them', async (name) => {
    const colleague = await gateway.bearer({ loginId: 'driver' });
    for (const jobId of Object.values(jobs)) {
      const answer = await askAsColleague(name, jobId, colleague);
      for (const other of Object.values(jobs)) expect(answer).not.toContain(other);
      for (const mark of [`${MARK}-account`, `${MARK}-code`]) expect(answer).not.toContain(mark);
      if (!operationNamed(name).query.includes('$jobId')) continue;
      expect(answer).toBe(await askAsColleague(name, 'no-such-job', colleague));
    }
    expect(gateway.logged()).not.toContain('"event":"job.cancelled"');
  });

  it('finds a job that nobody ordered by its id, and in no list', async () => {
    const colleague = await gateway.bearer({ loginId: 'driver' });
    const jobId = 'ordered-by-nobody';
    await gateway.callback(MOBILES, [{ id: 1, name: 'x' }], jobHeaders(jobId));
    expect(await pollJob(gateway, 'mobiles', jobId, colleague)).toMatchObject({ jobId, status: 'Success' });
    const cancelled = await gateway.graphql(
      'mutation ($jobId: ID!) { cancelJob(jobId: $jobId) { state cancelled } }',
      { jobId },
      colleague,
    );
    expect(cancelled.data).toEqual({ cancelJob: { state: 'FINISHED', cancelled: false } });
    for (const bearer of [colleague, await gateway.bearer()]) {
      expect((await gateway.graphql('{ jobs { edges { node { jobId } } } }', {}, bearer)).text).not.toContain(jobId);
    }
  });
});

describe('another organisation', () => {
  it.each(protectedNames)('learns nothing from %s, whatever of the owner it names', async (name) => {
    const cursor = await ownersCursor();
    const stranger = await gateway.bearer({ loginId: 'globex-admin' });
    for (const jobId of Object.values(jobs)) {
      for (const more of [{}, { search: MARK }, { after: cursor }, { type: 'CREATE' }, { type: 'DELETE' }]) {
        const { query, variables, field } = operationNamed(name, ownersOperations(jobId, more));
        const { data, errors, text } = await gateway.graphql(query, variables, stranger);
        // The status of an account job that the stranger ordered repeats the login id that the stranger typed.
        const isStart = name === 'Mutation.startBulkOperationUserAccount';
        expect(isStart ? text.replaceAll(`${MARK}-account`, '') : text).not.toContain(MARK);
        expect(text).not.toContain('acme');
        for (const other of Object.values(jobs)) expect(text).not.toContain(other);
        // Whose things a job may touch that names no mobile shows when it runs; for accounts see below.
        if (EVERYBODY[name] === 'own data' || NAMING_NO_MOBILE.includes(name)) continue;
        expect(data).toEqual({ [field]: null });
        expect(errors).toMatchObject([{ path: [field], extensions: { code: 'NotFound', status: 404, path: [field] } }]);
      }
    }
  });

  it('changes nothing of the owner with an account job that names an account of the owner', async () => {
    const stranger = await gateway.bearer({ loginId: 'globex-admin' });
    for (const type of [1, 2]) {
      const item = { type, userAccountInput: { loginId: `${MARK}-account`, name: 'taken over' } };
      const { jobId } = await startJob(gateway, 'accounts', [item], stranger);
      await waitFor('the job to end', async () => (await pollJob(gateway, 'accounts', jobId, stranger)).completed);
      expect(await pollJob(gateway, 'accounts', jobId, stranger)).toMatchObject({ status: 'Failure' });
    }
    expect(gateway.sandbox.journal.effects().filter(({ org }) => org === 'acme')).toEqual([]);
  });

  async function ownersCursor(): Promise<string | null> {
    const query = '{ mobiles(first: 5) { pageInfo { endCursor } } }';
    const { data } = await gateway.graphql(query, {}, await gateway.bearer());
    const { mobiles } = data as { mobiles: { pageInfo: { endCursor: string | null } } }; // as selected
    return mobiles.pageInfo.endCursor;
  }
});
