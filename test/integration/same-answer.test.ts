/** An operation gets the same answer however often it is asked, with every size of body, and through both handlers. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { HANDLERS } from '../support/graphql-handlers.js';
import { createAccount } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';

/** An operation is compiled when it comes for the sixth time. */
const TIMES = 8;

/** White space behind a document makes its body as large as those whose variables are coerced apart. */
const PADDING = ' '.repeat(17_000);

type Question = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };

const gateway = forAllTests(startTestGateway);
let authorization: string;
let jobId: string;

beforeAll(async () => {
  authorization = await gateway.bearer();
  ({ jobId } = await startJob(gateway, 'mobiles', [{ id: 1, name: 'Truck 1' }]));
  await finishedJob(gateway, 'mobiles', jobId);
});

/** @param byYoga without a length, so that the server's own handler reads the body */
async function ask(question: Question, byYoga: boolean): Promise<unknown> {
  const { status, text } = await HANDLERS[byYoga ? 'chunked POST' : 'POST'](gateway.url, question, { authorization });
  return { status, body: JSON.parse(text) as unknown };
}

/** Its answers: compiled and not, with a small and a large body, and by both handlers. */
async function answersTo({ query, ...others }: Question): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const text of [query, `${query}${PADDING}`]) {
    for (let time = 0; time <= TIMES; time += 1) answers.push(await ask({ query: text, ...others }, time === TIMES));
  }
  return answers;
}

const ACCOUNTS = '{ userAccounts(first: 200) { edges { node { loginId vptGrps } } } }';
const F = 'fragment F on Mobile { id num }';

const statusQuery = (selection: string): Question => ({
  query: `query ($jobId: ID!) { status: fetchBulkUpdateMobileStatus(jobId: $jobId) { ${selection} } }`,
});

describe('the answer stays the same where', () => {
  it.each<readonly [string, Question, object]>([
    [
      'a fragment is spread where @include leaves it out and where it does not',
      {
        query: `query ($x: Boolean!) { a: mobile(id: 1) @include(if: $x) { ...F } b: mobile(id: 2) { ...F } } ${F}`,
        variables: { x: false },
      },
      { b: { id: '2', num: 'M-0002' } },
    ],
    [
      '@skip stands on one of two spreads of a fragment',
      {
        query: `query ($x: Boolean!) { a: mobile(id: 1) { ...F @skip(if: $x) id } b: mobile(id: 2) { ...F } } ${F}`,
        variables: { x: true },
      },
      { a: { id: '1' }, b: { id: '2', num: 'M-0002' } },
    ],
    [
      'the first of two fields of one name is skipped',
      { query: '{ mobile(id: 2) { num @skip(if: true) id num } }' },
      { mobile: { id: '2', num: 'M-0002' } },
    ],
    [
      'a fragment on an interface holds conditions that do not apply',
      statusQuery(`... on JobStatus {
        ... on DrivingReportsStatus { y: key } ... on BulkUpdateMobileStatus { x: status }
      }`),
      { status: { x: 'Success' } },
    ],
    [
      'such a condition stands alone',
      statusQuery('... on JobStatus { ... on BulkOperationUserAccountStatus { createdUserAccountId } completed }'),
      { status: { completed: true } },
    ],
  ])('%s', async (_, { query, variables }, data) => {
    const answers = await answersTo({ query, variables: { ...variables, ...(query.includes('$jobId') && { jobId }) } });
    for (const answer of answers) expect(answer).toEqual({ status: 200, body: { data } });
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('a nullable variable with a default is null at a non-null place, and no backend is asked', async () => {
    gateway.sandbox.journal.clear();
    const query = 'query ($t: ID = 1) { mobiles(tagIds: [$t, 7]) { edges { node { id } } } }';
    const answers = await answersTo({ query, variables: { t: null } });
    expect(answers[0]).toMatchObject({ body: { errors: [{ extensions: { code: 'BadInput' } }] } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const asked = gateway.sandbox.journal.requests({ backend: 'backend-api' }).map(({ path }) => path);
    expect(asked.filter((path) => path.startsWith('/v1/mobiles'))).toEqual([]);
  });

  it('several variables are faulty', async () => {
    const query =
      'query ($id: ID!, $first: Int) { mobile(id: $id) { id } mobiles(first: $first, after: "x") { __typename } tags { id } }';
    const answers = await answersTo({ query, variables: { id: 1.5, first: 1.5 } });
    const fields = [{ path: ['id'] }, { path: ['first'] }];
    expect(answers[0]).toMatchObject({ body: { errors: [{ extensions: { fields } }] } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('an identifier', () => {
  const READ =
    'query ($id: ID!, $ids: [ID!]) { mobile(id: $id) { id } mobiles(tagIds: $ids) { edges { node { id } } } }';
  const START = 'mutation ($items: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $items) { jobId } }';

  it.each([7, '7'])('may be %j, in a variable and in a literal', async (id) => {
    const literal = `{ mobile(id: ${JSON.stringify(id)}) { id tags { id } } }`;
    const { data } = await gateway.graphql('{ mobile(id: 7) { id tags { id } } }', {}, authorization);
    expect(data).toMatchObject({ mobile: { id: '7', tags: [{ id: '3' }, { id: '10' }] } });
    for (const answer of await answersTo({ query: literal })) expect(answer).toEqual({ status: 200, body: { data } });
    gateway.sandbox.journal.clear();
    const answers = await answersTo({ query: READ, variables: { id, ids: [1, '1'] } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ body: { data: { mobile: { id: '7' } } } });
    const [listed] = gateway.sandbox.journal.requests({ operation: 'listMobiles' });
    expect(listed?.query).toMatchObject({ tagIds: [1, 1] });
  });

  it.each(['007', '7.0', '1e3', ' 7', '-7', '+7', '0', '', '７', 'x', '9007199254740992'])(
    'that is %j is refused with its field',
    async (id) => {
      gateway.sandbox.journal.clear();
      const message = 'must be an integer from 1 to 9007199254740991';
      const refused = (field: string, path: readonly unknown[]): object => ({
        path: [field],
        extensions: { code: 'BadInput', reason: 'InvalidInput', fields: [{ path, message }] },
      });
      for (const answer of await answersTo({ query: READ, variables: { id, ids: [1, id] } })) {
        const errors = [refused('mobile', ['id']), refused('mobiles', ['tagIds', 1])];
        expect(answer).toMatchObject({ body: { data: { mobile: null, mobiles: null }, errors } });
      }
      const fields = ['id', 'tagIds'] as const;
      for (const field of fields) {
        const items = [{ id: 1 }, field === 'id' ? { id } : { id: 2, tagIds: [id] }];
        const path = ['items', 1, field, ...(field === 'id' ? [] : [0])];
        for (const answer of await answersTo({ query: START, variables: { items } })) {
          expect(answer).toMatchObject({ body: { errors: [refused('startBulkUpdateMobile', path)] } });
        }
      }
      expect(gateway.sandbox.journal.requests({ backend: 'backend-api' }).map(({ operation }) => operation)).toEqual(
        expect.not.arrayContaining(['getMobile', 'listMobiles', 'lookupMobiles']),
      );
    },
  );

  it('may be as large as every JSON parser reads exactly', async () => {
    const id = Number.MAX_SAFE_INTEGER;
    const mobile = { id, num: 'M', name: 'Truck', tagIds: [id], position: null };
    const bodies = {
      getMobile: mobile,
      listTags: { items: [{ id, name: 'Tag' }] },
      getPresence: { items: [{ mobileId: id, online: true, talkGroup: null }] },
      lookupMobiles: { ids: [String(id)] },
      updateMobile: mobile,
      createUserAccount: { id },
    };
    for (const [operation, body] of Object.entries(bodies)) {
      const status = operation === 'createUserAccount' ? 201 : 200;
      gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status, body } });
    }
    const query = `query ($id: ID!) { mobile(id: $id) { id tags { id } voice { online } } }`;
    const data = { mobile: { id: String(id), tags: [{ id: String(id) }], voice: { online: true } } };
    for (const given of [id, String(id)]) {
      for (const answer of await answersTo({ query, variables: { id: given } })) {
        expect(answer).toEqual({ status: 200, body: { data } });
      }
    }
    const mobiles = await startJob(gateway, 'mobiles', [{ id: String(id), name: 'Large', tagIds: [String(id)] }]);
    expect(await finishedJob(gateway, 'mobiles', mobiles.jobId)).toMatchObject({ status: 'Success' });
    expect(gateway.sandbox.journal.requests({ operation: 'updateMobile' }).at(-1)?.path).toBe(`/v1/mobiles/${id}`);
    const accounts = await startJob(gateway, 'accounts', [createAccount('large')]);
    expect(await finishedJob(gateway, 'accounts', accounts.jobId)).toMatchObject({
      createdUserAccountId: [String(id)],
    });
    gateway.sandbox.faults.clear();
  });
});

describe('nothing is lost where', () => {
  it('tokens are refreshed through a shared fragment', async () => {
    const { data } = await gateway.graphql(
      'mutation { userLogin(loginId: "demo", password: "demo-password") { session { refreshToken } } }',
    );
    let { refreshToken } = (data as { userLogin: { session: { refreshToken: string } } }).userLogin.session;
    const query = `mutation ($x: Boolean!, $r: String!) {
      a: refreshUserToken(refreshToken: $r) @include(if: $x) { ...S } b: refreshUserToken(refreshToken: $r) { ...S }
    } fragment S on Session { accessToken refreshToken }`;
    for (let time = 1; time <= TIMES; time += 1) {
      const answer = await ask({ query, variables: { x: false, r: refreshToken } }, false);
      expect(answer).toEqual({
        status: 200,
        body: { data: { b: { accessToken: expect.any(String), refreshToken: expect.any(String) } } },
      });
      ({ refreshToken } = (answer as { body: { data: { b: { refreshToken: string } } } }).body.data.b);
    }
  });

  it('variables stand within literals of the scalar JSON', async () => {
    const query = `mutation ($g: Int!, $name: String!) {
      startBulkOperationUserAccount(items: [{
        type: CREATE, userAccountInput: { loginId: $name, password: "secret-password", name: $name, vptGrps: [{ groupId: $g }] }
      }]) { jobId }
    }`;
    for (let time = 1; time <= TIMES; time += 1) {
      const name = `json-${time}`;
      const answer = (await ask({ query, variables: { g: 42, name } }, false)) as {
        body: { data: { startBulkOperationUserAccount: { jobId: string } } };
      };
      await finishedJob(gateway, 'accounts', answer.body.data.startBulkOperationUserAccount.jobId);
    }
    const { data } = await gateway.graphql(ACCOUNTS, {}, authorization);
    const { edges } = data?.['userAccounts'] as { edges: { node: { loginId: string; vptGrps: unknown } }[] }; // as selected
    const created = edges.map(({ node }) => node).filter(({ loginId }) => loginId.startsWith('json-'));
    expect(created).toHaveLength(TIMES);
    for (const { vptGrps } of created) expect(vptGrps).toEqual([{ groupId: 42 }]);
  });
});
