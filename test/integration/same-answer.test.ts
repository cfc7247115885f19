/** An operation gets the same answer however often it is asked, with every size of body, and through both handlers. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';

/** An operation is compiled when it comes for the sixth time. */
const TIMES = 8;

/** White space behind a document makes its body as large as those whose variables are coerced apart. */
const PADDING = ' '.repeat(17_000);

interface Question {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

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
  const body = JSON.stringify(question);
  const reply = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    ...(byYoga ? { body: new Blob([body]).stream(), duplex: 'half' } : { body }),
  });
  return { status: reply.status, body: (await reply.json()) as unknown };
}

async function answersTo({ query, variables }: Question): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const text of [query, `${query}${PADDING}`]) {
    for (let time = 1; time <= TIMES; time += 1) {
      answers.push(await ask({ query: text, ...(variables && { variables }) }, false));
    }
    answers.push(await ask({ query: text, ...(variables && { variables }) }, true));
  }
  return answers;
}

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
      { b: { id: 2, num: 'M-0002' } },
    ],
    [
      '@skip stands on one of two spreads of a fragment',
      {
        query: `query ($x: Boolean!) { a: mobile(id: 1) { ...F @skip(if: $x) id } b: mobile(id: 2) { ...F } } ${F}`,
        variables: { x: true },
      },
      { a: { id: 1 }, b: { id: 2, num: 'M-0002' } },
    ],
    [
      'the first of two fields of one name is skipped',
      { query: '{ mobile(id: 2) { num @skip(if: true) id num } }' },
      { mobile: { id: 2, num: 'M-0002' } },
    ],
    [
      'a fragment on an interface holds conditions that do not apply',
      statusQuery(`... on JobStatus {
        ... on DrivingReportsStatus { x: key } ... on BulkUpdateMobileStatus { x: status }
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
    const query = 'query ($t: Int = 1) { mobiles(tagIds: [$t, 7]) { edges { node { id } } } }';
    const answers = await answersTo({ query, variables: { t: null } });
    expect(answers[0]).toMatchObject({ body: { errors: [{ extensions: { code: 'BadInput' } }] } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const asked = gateway.sandbox.journal.requests({ backend: 'backend-api' }).map(({ path }) => path);
    expect(asked.filter((path) => path.startsWith('/v1/mobiles'))).toEqual([]);
  });

  it('several variables are faulty', async () => {
    const query =
      'query ($id: Int!, $first: Int) { mobile(id: $id) { id } mobiles(first: $first, after: "x") { __typename } tags { id } }';
    const answers = await answersTo({ query, variables: { id: 'one', first: 1.5 } });
    const fields = [{ path: ['id'] }, { path: ['first'] }];
    expect(answers[0]).toMatchObject({ body: { errors: [{ extensions: { fields } }] } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
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
        type: 0, userAccountInput: { loginId: $name, password: "secret-password", name: $name, vptGrps: [{ groupId: $g }] }
      }]) { jobId }
    }`;
    for (let time = 1; time <= TIMES; time += 1) {
      const name = `json-${time}`;
      const answer = (await ask({ query, variables: { g: 42, name } }, false)) as {
        body: { data: { startBulkOperationUserAccount: { jobId: string } } };
      };
      await finishedJob(gateway, 'accounts', answer.body.data.startBulkOperationUserAccount.jobId);
    }
    const { data } = await gateway.graphql(
      '{ userAccounts(first: 200) { edges { node { loginId vptGrps } } } }',
      {},
      authorization,
    );
    const { edges } = (data as { userAccounts: { edges: { node: { loginId: string; vptGrps: unknown } }[] } })
      .userAccounts;
    const created = edges.map(({ node }) => node).filter(({ loginId }) => loginId.startsWith('json-'));
    expect(created).toHaveLength(TIMES);
    for (const { vptGrps } of created) expect(vptGrps).toEqual([{ groupId: 42 }]);
  });
});
