/** The list of jobs: what a front end that was reloaded finds again. */
import { describe, expect, it } from '@jest/globals';
import { startTestGateway, type GraphQLReply } from '../support/gateway.js';
import { createAccount, reportOf } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { finishedJob, pollJob, startJob, type PolledStatus } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

const JOBS = `query($kind: JobKind, $state: JobState, $createdAfter: DateTime, $first: Int, $after: String) {
  jobs(kind: $kind, state: $state, createdAfter: $createdAfter, first: $first, after: $after) {
    edges { cursor node {
      __typename id jobId kind completed state progress { done total } createdAt finishedAt cancelled status errors
      orderedBy { BackendUser LoggedInId }
      ... on DrivingReportsStatus { key downloadUrl downloadUrlExpiresAt errorList { mobileId employeeCode code message } }
      ... on BulkOperationUserAccountStatus { createdUserAccountId }
    } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }`;

interface ListedJob extends PolledStatus {
  readonly __typename: string;
  readonly kind: string;
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: ListedJob }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

type Variables = Readonly<Record<string, unknown>>;

const gateway = forAllTests(startTestGateway);

async function ask(variables: Variables = {}, bearer?: string): Promise<GraphQLReply> {
  return gateway.graphql(JOBS, variables, bearer ?? (await gateway.bearer()));
}

async function list(variables: Variables = {}, bearer?: string): Promise<Page> {
  const { data, text } = await ask(variables, bearer);
  const page = data?.['jobs'] as Page | null | undefined; // as selected above
  if (!page) throw new Error(`The jobs cannot be seen: ${text}`);
  return page;
}

const idsOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.jobId);

describe('the list of jobs', () => {
  it('tells of each job what its status query tells, and who ordered it, newest first', async () => {
    const chief = await gateway.bearer({ claims: { preferred_username: 'backend-user', loggedin_id: 'chief' } });
    const reports = await startJob(gateway, 'reports', reportOf(1), chief);
    const report = await finishedJob(gateway, 'reports', reports.jobId);
    const twice = [createAccount('listed'), createAccount('listed')];
    const { jobId: accountsId } = await startJob(gateway, 'accounts', twice);
    const accounts = await finishedJob(gateway, 'accounts', accountsId);
    const held = gateway.sandbox.faults.hold({ operation: 'updateMobile', mobileId: '2' });
    const { jobId: mobilesId } = await startJob(gateway, 'mobiles', [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ]);
    await held.held();
    // The first mobile is noted while the second one is updated.
    const mobiles = await waitFor('the note of the first mobile', async () => {
      const status = await pollJob(gateway, 'mobiles', mobilesId);
      return status.progress.done === 1 && status;
    });

    const page = await list({ first: 3 });
    const user = { BackendUser: expect.any(String), LoggedInId: null };
    expect(page.edges.map(({ node }) => node)).toEqual([
      {
        ...mobiles,
        id: mobilesId,
        __typename: 'BulkUpdateMobileStatus',
        kind: 'MOBILES',
        cancelled: false,
        orderedBy: user,
      },
      {
        ...accounts,
        id: accountsId,
        __typename: 'BulkOperationUserAccountStatus',
        kind: 'USER_ACCOUNTS',
        cancelled: false,
        orderedBy: user,
      },
      {
        ...report,
        id: reports.jobId,
        downloadUrl: expect.stringContaining(`${reports.jobId}.pdf?exp=`),
        downloadUrlExpiresAt: expect.any(String),
        __typename: 'DrivingReportsStatus',
        kind: 'DRIVING_REPORTS',
        cancelled: false,
        orderedBy: { BackendUser: 'backend-user', LoggedInId: 'chief' },
      },
    ]);
    const [first, second] = page.edges;
    expect(page.pageInfo).toMatchObject({ hasPreviousPage: false, startCursor: first?.cursor });
    const behind = await list({ first: 2, after: first?.cursor });
    expect(behind.pageInfo).toMatchObject({ hasPreviousPage: true, startCursor: second?.cursor });
    expect(idsOf(behind)).toEqual([accountsId, reports.jobId]);
    const last = await list({ kind: 'DRIVING_REPORTS', first: 200 });
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, endCursor: last.edges.at(-1)?.cursor });
    expect(accounts.errors).toHaveLength(1);
    expect(idsOf(await list({ kind: 'DRIVING_REPORTS', first: 1 }))).toEqual([reports.jobId]);
    expect(idsOf(await list({ kind: 'MOBILES', first: 1 }))).toEqual([mobilesId]);
    expect(idsOf(await list({ state: 'RUNNING', first: 1 }))).toEqual([mobilesId]);
    expect(idsOf(await list({ state: 'FINISHED', first: 2 }))).toEqual([accountsId, reports.jobId]);
    held.release();
    await finishedJob(gateway, 'mobiles', mobilesId);
    expect(idsOf(await list({ state: 'RUNNING' }))).toEqual([]);
  });

  it('begins after a time, on every page', async () => {
    const ordered: { jobId: string; createdAt: string }[] = [];
    for (const name of ['1', '2', '3']) {
      const job = await startJob(gateway, 'mobiles', [{ id: 1, name }]);
      ordered.unshift(job);
      // The next one is accepted in a later millisecond.
      await waitFor('the next millisecond', () => Date.now() > Date.parse(job.createdAt));
    }
    const [newest, middle, oldest] = ordered;
    const createdAfter = oldest?.createdAt;
    const first = await list({ createdAfter, first: 1 });
    expect([idsOf(first), first.pageInfo.hasNextPage]).toEqual([[newest?.jobId], true]);
    const second = await list({ createdAfter, first: 1, after: first.pageInfo.endCursor });
    expect(idsOf(second)).toEqual([middle?.jobId]);
    const last = await list({ createdAfter, first: 1, after: second.pageInfo.endCursor });
    expect([idsOf(last), last.pageInfo.hasNextPage]).toEqual([[], false]);
    expect(idsOf(await list({ createdAfter: newest?.createdAt, state: 'FINISHED' }))).toEqual([]);
    const { errors } = await ask({ createdAfter: 'yesterday' });
    expect(errors).toMatchObject([{ extensions: { code: 'BadInput' } }]);
    expect(JSON.stringify(errors)).not.toContain('yesterday');
  });
});
