import type { GraphQLResolveInfo } from 'graphql';
import type { MutationResolvers, QueryResolvers, Resolvers, ResolversTypes } from '../../../../generated/graphql.js';
import type { AuthUser } from '../../auth/auth-user.js';
import { faultOf, GatewayError, invalidInput, MAX_FAULTS } from '../../../base/errors.js';
import { cancelVisibleJobs } from '../../../jobs/job-cancel.js';
import { acceptInput, type OrderedJob } from '../../../jobs/job-start.js';
import { type JobStatus, kindName, readJobStatus, stateName, statusOf } from '../../../jobs/job-status.js';
import { type JobTable, requireAdministrator } from '../../../jobs/job-table.js';
import type { NamedMobile, JobDefinition } from '../../../jobs/job-definition.js';
import type { Loaders } from '../loaders.js';
import type { Authenticated, GatewayContext, Services } from '../context.js';
import { yieldToEventLoop } from '../../../base/waits.js';
import { LINK_LIFETIME_MS } from '../../../objects/object-store.js';
import { connection, pageSize } from '../pagination.js';

const LOOKUP_BATCH = 1_000;

/** Limit of unknown ids named in an error. */
const MAX_NAMED = 50;

type StartContext = Authenticated<GatewayContext>;

/** Printable characters of ASCII; the SDL bounds their number. */
const PRINTABLE = /^[ -~]+$/;

type OfferedJobs = JobTable[keyof JobTable];

/** Creates the resolvers that start jobs and read their status, from the table of jobs. */
export function jobResolvers(services: Services) {
  const { jobs, jobStarter, jobStore, objectStore, answerTextOf } = services;
  const offered: readonly OfferedJobs[] = Object.values(jobs);
  const linkTo = (key: unknown): Promise<string> | null => {
    if (typeof key !== 'string') return null;
    // The key ends with the day and the job.
    const downloadName = `driving-report-${key.split('/').slice(-2).join('-')}`;
    return objectStore.downloadUrl(key, { expiresInMs: LINK_LIFETIME_MS, downloadName });
  };

  return {
    Query: {
      ...byField<Required<Pick<QueryResolvers, OfferedJobs['status']>>>(
        offered.map((job) => [job.status, pollOf(job, services)]),
      ),
      job: (_root, { jobId }, context, info) =>
        answerTextOf(context, info).add(readJobStatus(jobStore, offered, context.auth_user, jobId)),
    },
    Mutation: byField<Required<Pick<MutationResolvers, OfferedJobs['start']>>>(
      offered.map((job) => [job.start, startOf(job, jobStarter)]),
    ),
    JobProgress: {
      async failed({ failed, ofItems }) {
        if (ofItems === undefined) return failed;
        return (await jobStore.readItems(ofItems)).filter(({ failure }) => failure !== undefined).length;
      },
    },
    BulkOperationUserAccountStatus: { failures: pageOfFailures },
    BulkUpdateMobileStatus: { failures: pageOfFailures },
    DrivingReportsStatus: {
      failures: pageOfFailures,
      downloadUrl: ({ key }) => linkTo(key),
      // Until here, it is the key of the table.
      tableUrl: ({ tableUrl: key }) => linkTo(key),
      downloadUrlExpiresAt: ({ key }) => (typeof key === 'string' ? new Date(Date.now() + LINK_LIFETIME_MS) : null),
      downloadUrlExpiresIn: ({ key }) => (typeof key === 'string' ? LINK_LIFETIME_MS / 1000 : null),
    },
    Job: {
      id: ({ jobId }) => jobId,
      createdAt: ({ createdAt }) => new Date(createdAt),
      state: ({ state }) => stateName(state),
      status({ kind, org, jobId }, _arguments, context, info) {
        const reading = jobStore.read({ kind, org, jobId });
        return answerTextOf(context, info).add(
          reading.then((record) => (record ? statusOf(jobs[kind], { kind, org, jobId }, record) : null)),
        );
      },
    },
  } satisfies Resolvers;
}

const MAX_INT = 2 ** 31 - 1;

/** Returns the failures behind the first `after` ones, `first` of them at most. @throws {GatewayError} `BadInput` */
function pageOfFailures(
  { failures }: Pick<JobStatus, 'failures'>,
  { first, after }: { readonly first?: number | null | undefined; readonly after?: number | null | undefined },
): JobStatus['failures'] {
  const negative = Object.entries({ first, after }).flatMap(([name, value]) => ((value ?? 0) < 0 ? [name] : []));
  if (negative.length > 0) {
    throw invalidInput(negative.map((name) => ({ path: [name], ...faultOf('OutOfRange', { min: 0, max: MAX_INT }) })));
  }
  const from = after ?? 0;
  return failures.slice(from, first == null ? undefined : from + first);
}

function pollOf(job: JobDefinition, { jobStore, answerTextOf }: Services) {
  return (_root: unknown, { jobId }: { jobId: string }, context: StartContext, info: GraphQLResolveInfo) => {
    const { auth_user: user } = context;
    requireAllowed(job, user);
    return answerTextOf(context, info).add(readJobStatus(jobStore, [job], user, jobId));
  };
}

/** The body is the only other argument. */
type StartArguments = { readonly idempotencyKey?: string | null };

function startOf(job: JobDefinition, jobStarter: Services['jobStarter']) {
  /** A variable may be the argument of several fields of a request, and is validated once. */
  const accepted = new WeakMap<object, Promise<OrderedJob>>();
  return async (
    _root: unknown,
    { idempotencyKey, ...bodies }: StartArguments,
    { auth_user: user, log, operationLog, loaders, cutOff }: StartContext,
  ): Promise<ResolversTypes['Job']> => {
    requireAllowed(job, user);
    if (job.administratorsStart === true) requireAdministrator(user);
    if (typeof idempotencyKey === 'string' && !PRINTABLE.test(idempotencyKey)) {
      throw invalidInput([{ path: ['idempotencyKey'], ...faultOf('NotPrintable', { min: 1, max: 128 }) }]);
    }
    const [[argument, body] = ['input', {}]] = Object.entries<object>({ ...bodies });
    const accepting = accepted.get(body) ?? orderedJob(job, argument, body, user.Org);
    accepted.set(body, accepting);
    const ordered = await accepting;
    const started = await jobStarter.start(ordered, {
      user,
      log,
      idempotencyKey: idempotencyKey ?? undefined,
      authorize: () => requireVisible(argument, job.mobiles(ordered.body), loaders),
      commit: (write) => cutOff.commit(write),
    });
    if (started.isNew) operationLog.started(started.job.jobId);
    return started.job;
  };
}

/** Yields to the event loop between copying and validating, which each block it for long with a large body. */
async function orderedJob(job: JobDefinition, argument: string, body: object, org: string): Promise<OrderedJob> {
  await yieldToEventLoop();
  const copy = Array.isArray(body) ? body.map(withoutNulls) : withoutNulls(body);
  await yieldToEventLoop();
  const ordered = acceptInput(job, job.bodyOf(copy), argument, org);
  await yieldToEventLoop();
  return ordered;
}

/** Puts resolvers into an object by field. The compiler has checked the table of jobs against the SDL. */
function byField<Fields extends object>(
  resolvers: readonly (readonly [keyof Fields & string, (...args: never[]) => unknown])[],
): Fields {
  return Object.fromEntries(resolvers) as Fields; // fromEntries loses the names
}

function requireAllowed({ administratorsOnly }: JobDefinition, user: AuthUser): void {
  if (administratorsOnly) requireAdministrator(user);
}

/**
 * Checks mobiles with the user's own token before a job is accepted, because jobs call backend-api with the service's
 * rights.
 *
 * @throws {GatewayError} `NotFound` naming ids that are unknown or not visible to the user
 */
async function requireVisible(argument: string, mobiles: readonly NamedMobile[], { user }: Loaders): Promise<void> {
  const wanted = [...new Set(mobiles.map(({ id }) => id))];
  const visible = new Set<string>();
  for (let start = 0; start < wanted.length; start += LOOKUP_BATCH) {
    for (const id of await user.lookupMobiles(wanted.slice(start, start + LOOKUP_BATCH))) visible.add(id);
  }
  const missing = wanted.filter((id) => !visible.has(id));
  if (missing.length === 0) return;
  const fields = missing.slice(0, MAX_FAULTS).map((unknown) => {
    const { path } = mobiles.find(({ id }) => id === unknown) ?? { path: [] };
    return { path: [argument, ...path], ...faultOf('NotKnownMobile') };
  });
  throw new GatewayError('UnknownMobile', { ids: missing.slice(0, MAX_NAMED), count: missing.length }, { fields });
}

/** Removes nulls: GraphQL clients send null for "not given", but the callbacks know only absence. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const given = Object.entries(value).filter(([, entry]) => entry !== null);
  return Object.fromEntries(given.map(([name, entry]) => [name, withoutNulls(entry)]));
}

export function jobListResolvers({ jobs: table, jobList, jobStore, answerTextOf }: Services) {
  const statusTypes = new Map(Object.values(table).map(({ kind, statusType }) => [kindName(kind), statusType]));
  return {
    Query: {
      async jobs(_root, { kind, state, createdAfter, first, after }, context, info) {
        const { auth_user, log, cutOff } = context;
        const answer = answerTextOf(context, info);
        const wanted = { ...(kind && { kind }), ...(state && { state }), ...(typeof after === 'string' && { after }) };
        const since = createdAfter && { createdAfter: createdAfter.getTime() };
        const query = { limit: pageSize(first), ...wanted, ...since, answer, signal: cutOff.signal };
        const { jobs, next } = await answer.inOrder(() => jobList.page(auth_user, query, log));
        return connection([...jobs], { next: next ?? null, after: after ?? undefined });
      },
    },
    Mutation: {
      cancelJob(_root, { jobId }, { auth_user: user, log, cutOff }) {
        return cancelVisibleJobs(jobStore, table, { user, log, commit: (write) => cutOff.commit(write) }, jobId);
      },
    },
    JobStatus: { __resolveType: ({ kind }) => statusTypes.get(kind) ?? null },
  } satisfies Resolvers;
}
