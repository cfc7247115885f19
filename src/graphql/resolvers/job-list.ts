import type { Resolvers } from '../../../generated/graphql.js';
import type { Services } from '../context.js';
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
        const query = { limit: pageSize(first), ...(kind && { kind }), ...(typeof after === 'string' && { after }) };
        const { jobs, next } = await jobList.page(auth_user, query, log);
        return {
          edges: jobs.map((node) => ({ node })),
          pageInfo: { hasNextPage: next !== undefined, endCursor: next ?? null },
        };
      },
    },
    Mutation: {
      async cancelJob(_root, { jobId }, { auth_user: user, log }) {
        const { createdAt } = await jobCancel.cancel(jobId, { user, log });
        return { jobId, createdAt: new Date(createdAt) };
      },
    },
    JobStatus: { __resolveType: ({ kind }) => STATUS_TYPES[kind] },
  };
}
