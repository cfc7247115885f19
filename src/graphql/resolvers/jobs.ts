import type { MutationResolvers, QueryResolvers, Resolvers, ResolversTypes } from '../../../generated/graphql.js';
import type { AuthUser } from '../../auth/auth-user.js';
import { notFound } from '../../errors.js';
import type { Order, OrderedJob } from '../../jobs/job-start.js';
import type { JobStatus } from '../../jobs/job-status.js';
import type { JobTable } from '../../jobs/job-table.js';
import { requireAdministrator } from '../../jobs/job-visibility.js';
import type { OfferedJob } from '../../jobs/offered-job.js';
import type { Loaders } from '../loaders.js';
import type { OperationNotes } from '../operation-notes.js';
import type { Services } from '../context.js';
import { turn } from '../../turn.js';

/** Lifetime of download links. */
const LINK_LIFETIME_MS = 300_000;

/** Ids asked for in one look-up. */
const LOOKUP_BATCH = 1_000;

/** Unknown ids named in an error. */
const MAX_NAMED = 50;

/** What starting a job reads of a context. */
interface StartContext extends Pick<Order, 'log'> {
  readonly auth_user: AuthUser;
  readonly notes: OperationNotes;
  readonly loaders: Loaders;
}

type OfferedJobs = JobTable[keyof JobTable];

/** What the table of jobs answers. */
type StatusResolvers = Required<Pick<QueryResolvers, OfferedJobs['status']>>;
type StartResolvers = Required<Pick<MutationResolvers, OfferedJobs['start']>>;

/** Starting jobs and polling their outcome: both follow from the table of jobs. */
export function jobResolvers({ jobs, jobStarter, jobStatus, objectStore }: Services) {
  const offered: readonly OfferedJobs[] = Object.values(jobs);

  function poll(job: OfferedJob) {
    return (
      _root: unknown,
      { jobId }: { readonly jobId: string },
      { auth_user }: Pick<StartContext, 'auth_user'>,
    ): Promise<JobStatus> => {
      requireAllowed(job, auth_user);
      return jobStatus.read(job, auth_user.Org, jobId);
    };
  }

  function start(job: OfferedJob) {
    // A variable may be passed to several fields of a request, and is looked through once, right or wrong.
    const accepted = new WeakMap<object, Promise<OrderedJob>>();
    const acceptOnce = (body: object): Promise<OrderedJob> => {
      const ordered = accepted.get(body) ?? acceptInTurn(job, body);
      accepted.set(body, ordered);
      return ordered;
    };
    return async (
      _root: unknown,
      args: Readonly<Record<string, object>>,
      context: StartContext,
    ): Promise<ResolversTypes['Job']> => {
      const { auth_user: user, log, notes, loaders } = context;
      requireAllowed(job, user);
      // The body is the only argument.
      const [body = {}] = Object.values(args);
      const ordered = await acceptOnce(body);
      await requireVisible(job.mobileIds(ordered.body), loaders);
      const { jobId, createdAt } = await jobStarter.start(ordered, { user, log });
      notes.started(jobId);
      return { jobId, createdAt: new Date(createdAt), state: 'PENDING', cancelled: false };
    };
  }

  /** To copy a large body and to judge it each take as long as others should wait. */
  async function acceptInTurn(job: OfferedJob, body: object): Promise<OrderedJob> {
    await turn();
    const copy = Array.isArray(body) ? body.map(withoutNulls) : withoutNulls(body);
    await turn();
    const ordered = jobStarter.accept(job, copy);
    await turn();
    return ordered;
  }

  return {
    Query: byField<StatusResolvers>(offered.map((job) => [job.status, poll(job)])),
    Mutation: byField<StartResolvers>(offered.map((job) => [job.start, start(job)])),
    DrivingReportsStatus: {
      downloadUrl({ key, jobId }) {
        if (typeof key !== 'string') return null;
        return objectStore.downloadUrl(key, {
          expiresInMs: LINK_LIFETIME_MS,
          downloadName: `driving-report-${jobId}.pdf`,
        });
      },
    },
  } satisfies Resolvers;
}

/** That a job's status is what the SDL promises was held against the SDL when the job was defined. */
function byField<Fields extends object>(
  resolvers: readonly (readonly [keyof Fields & string, (...args: never[]) => unknown])[],
): Fields {
  return Object.fromEntries(resolvers) as Fields; // fromEntries forgets the names
}

function requireAllowed({ administratorsOnly }: OfferedJob, user: AuthUser): void {
  if (administratorsOnly) requireAdministrator(user);
}
/**
 * A job reaches backend-api with the service's rights, so what it touches is checked with the user's own token
 * before it is accepted.
 *
 * @throws {GatewayError} `NotFound` naming the ids that are unknown or that the user may not see
 */
async function requireVisible(ids: readonly string[], { user }: Loaders): Promise<void> {
  const wanted = [...new Set(ids)];
  const visible = new Set<string>();
  for (let start = 0; start < wanted.length; start += LOOKUP_BATCH) {
    for (const id of await user.lookupMobiles(wanted.slice(start, start + LOOKUP_BATCH))) visible.add(id);
  }
  const missing = wanted.filter((id) => !visible.has(id));
  if (missing.length === 0) return;
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  throw notFound(`There are no such mobiles: ${missing.slice(0, MAX_NAMED).join(', ')}${more}.`);
}

/** GraphQL clients send null for "not given"; the callbacks know only absence. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([name, entry]) => [name, withoutNulls(entry)]),
  );
}
