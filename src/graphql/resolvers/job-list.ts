import type { Resolvers } from '../../../generated/graphql.js';
import { JOB_KINDS } from '../../job-record/job-kinds.js';
import { KIND_NAMES } from '../../jobs/job-status.js';
import type { Services } from '../context.js';
import { jobCursor, readJobCursor } from '../job-cursor.js';
import { requireAdministrator, visibleKinds } from '../job-privileges.js';
import { pageSize } from '../pagination.js';

/** Type of the status of each kind of job. */
const STATUS_TYPES = {
  DRIVING_REPORTS: 'DrivingReportsStatus',
  USER_ACCOUNTS: 'BulkOperationUserAccountStatus',
  MOBILES: 'BulkUpdateMobileStatus',
} as const;

/** Finding jobs again, and cancelling them. */
export function jobListResolvers({ jobList, jobCancel }: Services): Resolvers {
  return {
    Query: {
      async jobs(_root, { kind, first, after }, { auth_user, log }) {
        const visible = visibleKinds(auth_user);
        const asked = JOB_KINDS.filter((each) => !kind || KIND_NAMES[each] === kind);
        const kinds = asked.filter((each) => visible.includes(each));
        // Of one kind all are hidden, of all kinds none is missed.
        if (kinds.length === 0) requireAdministrator(auth_user);
        const limit = pageSize(first);
        const position = typeof after === 'string' && { after: readJobCursor(after) };
        const { jobs, next } = await jobList.page(auth_user.Org, { limit, kinds, ...position }, log);
        return {
          edges: jobs.map((node) => ({ node })),
          pageInfo: { hasNextPage: next !== undefined, endCursor: next ? jobCursor(next) : null },
        };
      },
    },
    Mutation: {
      async cancelJob(_root, { jobId }, { auth_user: user, log }) {
        const { createdAt } = await jobCancel.cancel(jobId, visibleKinds(user), { user, log });
        return { jobId, createdAt: new Date(createdAt) };
      },
    },
    JobStatus: { __resolveType: ({ kind }) => STATUS_TYPES[kind] },
  };
}
