import type { GraphQLReply, TestGateway } from './gateway.js';
import { argumentOf } from './job-requests.js';
import { waitFor } from './wait-for.js';

export type StartedKind = 'reports' | 'accounts' | 'mobiles';

/** The answer to a status query; fields of other kinds are absent. */
export interface PolledStatus {
  readonly jobId: string;
  readonly completed: boolean;
  readonly state: 'PENDING' | 'RUNNING' | 'FINISHED';
  readonly progress: { readonly done: number; readonly total: number };
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly status: string | null;
  readonly errors: readonly string[] | null;
  readonly key?: string | null;
  readonly downloadUrl?: string | null;
  readonly errorList?: readonly Record<'mobileId' | 'employeeCode' | 'code' | 'message', string>[] | null;
  readonly createdUserAccountId?: readonly string[] | null;
}

/** Without what a released gateway does not have. */
const COMMON = 'jobId completed state progress { done total } createdAt finishedAt status errors';

/** A gateway, wherever it runs, through which jobs are started and polled. */
export type JobGateway = Pick<TestGateway, 'graphql' | 'bearer'>;

export const OPERATIONS = {
  reports: {
    start: 'mutation($value: DrivingReportsInput!) { job: startDrivingReports(input: $value) { jobId createdAt } }',
    poll: `query($jobId: ID!) { status: fetchDrivingReportsStatus(jobId: $jobId) {
      ${COMMON} key downloadUrl errorList { mobileId employeeCode code message } } }`,
  },
  accounts: {
    start: `mutation($value: [UserAccountOperationInput!]!) {
      job: startBulkOperationUserAccount(items: $value) { jobId createdAt } }`,
    poll: `query($jobId: ID!) { status: fetchBulkOperationUserAccountStatus(jobId: $jobId) {
      ${COMMON} createdUserAccountId } }`,
  },
  mobiles: {
    start: 'mutation($value: [MobileUpdateInput!]!) { job: startBulkUpdateMobile(items: $value) { jobId createdAt } }',
    poll: `query($jobId: ID!) { status: fetchBulkUpdateMobileStatus(jobId: $jobId) { ${COMMON} } }`,
  },
} as const;

/** Returns the link to the table of a report, which a released gateway does not have, and the codes of its warnings. */
export async function tableOfReport(gateway: JobGateway, jobId: string) {
  const query =
    'query($jobId: ID!) { status: fetchDrivingReportsStatus(jobId: $jobId) { tableUrl warnings { code } } }';
  const { data } = await gateway.graphql(query, { jobId }, await gateway.bearer());
  const { tableUrl, warnings } = (data as { status: { tableUrl: string | null; warnings: { code: string }[] } }).status; // as asked
  return { tableUrl, warnings: warnings.map(({ code }) => code) };
}

/** The mutation that starts a kind, with a key. */
export const startWithKey = (kind: StartedKind): string =>
  OPERATIONS[kind].start.replace('!) {', '!, $key: String) {').replace(': $value)', ': $value, idempotencyKey: $key)');

/** Asks to start a job with the body of a callback. @param bearer whose; by default that of an administrator of `acme` */
export async function requestStart(
  gateway: JobGateway,
  kind: StartedKind,
  value: unknown,
  bearer?: string,
): Promise<GraphQLReply> {
  return gateway.graphql(OPERATIONS[kind].start, { value: argumentOf(value) }, bearer ?? (await gateway.bearer()));
}

/**
 * Asks again, as a front end does, as long as the user is not recognised, or a query does not reach the store: a program
 * on a busy machine may miss the two seconds that public keys can take, and the five of Redis.
 */
async function askPatiently(
  what: string,
  ask: () => Promise<GraphQLReply>,
  reasons: readonly (string | undefined)[] = ['BackendUnavailable', 'StoreUnavailable'],
): Promise<GraphQLReply> {
  return waitFor(what, async () => {
    const reply = await ask();
    const [{ extensions, message } = { extensions: undefined, message: '' }] = reply.errors ?? [];
    // A released gateway names the backend, and gives no reason.
    return !(reasons.includes(extensions?.reason) || message.startsWith('backend-api is')) && reply;
  });
}

/** Starts a job that is accepted, by a backend that may be slow. */
export async function startJob(
  gateway: JobGateway,
  kind: StartedKind,
  value: unknown,
  bearer?: string,
): Promise<{ jobId: string; createdAt: string }> {
  const order = (): Promise<GraphQLReply> => requestStart(gateway, kind, value, bearer);
  // An order that did not reach the store may exist.
  const { data, text } = await askPatiently('the job to be accepted', order, ['BackendUnavailable']);
  const job = data?.['job'] as { jobId: string; createdAt: string } | null | undefined; // as selected above
  if (!job) throw new Error(`The job was not accepted: ${text}`);
  return job;
}

export async function requestStatus(
  gateway: JobGateway,
  kind: StartedKind,
  jobId: string,
  bearer?: string,
): Promise<GraphQLReply> {
  return gateway.graphql(OPERATIONS[kind].poll, { jobId }, bearer ?? (await gateway.bearer()));
}

/** The status of a job that may be seen, where keys may be slow to come. */
export async function pollJob(
  gateway: JobGateway,
  kind: StartedKind,
  jobId: string,
  bearer?: string,
): Promise<PolledStatus> {
  const { data, text } = await askPatiently('the job to be seen', () => requestStatus(gateway, kind, jobId, bearer));
  const status = data?.['status'] as PolledStatus | null | undefined; // as selected above
  if (!status) throw new Error(`The job cannot be seen: ${text}`);
  return status;
}

export async function finishedJob(
  gateway: JobGateway,
  kind: StartedKind,
  jobId: string,
  timeoutMs?: number,
): Promise<PolledStatus> {
  return waitFor(
    `job ${jobId} to end`,
    async () => {
      const status = await pollJob(gateway, kind, jobId);
      return status.completed && status;
    },
    timeoutMs,
  );
}

/** The codes of what a job warns of, one of the newest two hundred of its organisation. */
export async function warningsOf(gateway: JobGateway, jobId: string, bearer?: string): Promise<readonly string[]> {
  const query = '{ jobs(first: 200) { edges { node { jobId warnings { code } } } } }';
  const ask = async (): Promise<GraphQLReply> => gateway.graphql(query, {}, bearer ?? (await gateway.bearer()));
  const { data } = await askPatiently('the jobs to be seen', ask);
  const page = data?.['jobs'] as { edges: { node: { jobId: string; warnings: { code: string }[] } }[] }; // as selected
  return page.edges.find(({ node }) => node.jobId === jobId)?.node.warnings.map(({ code }) => code) ?? [];
}
