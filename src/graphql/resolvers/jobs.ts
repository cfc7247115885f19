import { setImmediate as turn } from 'node:timers/promises';
import type { Resolvers } from '../../../generated/graphql.js';
import type { AuthUser } from '../../auth/auth-user.js';
import { notFound } from '../../errors.js';
import type { Job } from '../../jobs/job.js';
import type { Order, OrderedJob } from '../../jobs/job-start.js';
import { requireAdministrator } from '../../jobs/job-visibility.js';
import type { Loaders } from '../loaders.js';
import type { OperationNotes } from '../operation-notes.js';
import type { Services } from '../context.js';

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
}

/** Starting jobs and polling their outcome. */
export function jobResolvers({ jobs, jobStarter, jobStatus, objectStore }: Services): Resolvers {
  // A variable may be passed to several fields of a request, and is looked through once, right or wrong.
  const accepted = new WeakMap<readonly unknown[], Promise<OrderedJob>>();

  function acceptItems(job: Job, items: readonly unknown[]): Promise<OrderedJob> {
    const known = accepted.get(items);
    if (known !== undefined) return known;
    const ordered = acceptInTurn(job, () => items.map(withoutNulls));
    accepted.set(items, ordered);
    return ordered;
  }

  /** To copy a large body and to judge it each take as long as others should wait. */
  async function acceptInTurn(job: Job, body: () => unknown): Promise<OrderedJob> {
    await turn();
    const copy = body();
    await turn();
    return jobStarter.accept(job, copy);
  }

  /** @returns what the mutation answers */
  async function start(
    ordered: OrderedJob,
    { auth_user: user, log, notes }: StartContext,
  ): Promise<{ jobId: string; createdAt: Date }> {
    const { jobId, createdAt } = await jobStarter.start(ordered, { user, log });
    notes.started(jobId);
    return { jobId, createdAt: new Date(createdAt) };
  }

  return {
    Query: {
      fetchDrivingReportsStatus: (_root, { jobId }, { auth_user }) => jobStatus.drivingReports(auth_user.Org, jobId),
      fetchBulkOperationUserAccountStatus(_root, { jobId }, { auth_user }) {
        requireAdministrator(auth_user);
        return jobStatus.userAccounts(auth_user.Org, jobId);
      },
      fetchBulkUpdateMobileStatus: (_root, { jobId }, { auth_user }) => jobStatus.mobiles(auth_user.Org, jobId),
    },
    Mutation: {
      async startDrivingReports(_root, { input }, context) {
        const ordered = await acceptInTurn(jobs['driving-reports'], () => input);
        await requireVisible(
          input.drivers.map(({ mobileId }) => mobileId),
          context.loaders,
        );
        return start(ordered, context);
      },
      async startBulkOperationUserAccount(_root, { items }, context) {
        requireAdministrator(context.auth_user);
        const ordered = await acceptItems(jobs['user-accounts'], items);
        return start(ordered, context);
      },
      async startBulkUpdateMobile(_root, { items }, context) {
        const ordered = await acceptItems(jobs.mobiles, items);
        await requireVisible(
          items.map(({ id }) => String(id)),
          context.loaders,
        );
        return start(ordered, context);
      },
    },
    DrivingReportsStatus: {
      async downloadUrl({ key, jobId }) {
        if (typeof key !== 'string') return null;
        return objectStore.downloadUrl(key, {
          expiresInMs: LINK_LIFETIME_MS,
          downloadName: `driving-report-${jobId}.pdf`,
        });
      },
    },
  };
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
