import type { Resolvers } from '../../../generated/graphql.js';
import { kindName, stateName } from '../../jobs/job-status.js';
import type { Services } from '../context.js';
import { connection, pageSize } from '../pagination.js';

/** Lists jobs and cancels them. */
export function jobListResolvers({ jobs: table, jobList, jobCancel }: Services) {
  const statusTypes = new Map(
    Object.values(table).map(({ kind, statusType }) => [kindName(kind), statusType] as const),
  );
  return {
    Query: {
      async jobs(_root, { kind, first, after }, { auth_user, log }) {
        const query = { limit: pageSize(first), ...(kind && { kind }), ...(typeof after === 'string' && { after }) };
        const { jobs, next } = await jobList.page(auth_user, query, log);
        return connection([...jobs], { next: next ?? null, after: after ?? undefined });
      },
    },
    Mutation: {
      async cancelJob(_root, { jobId }, { auth_user: user, log }) {
        const { createdAt, state, cancelled } = await jobCancel.cancel(jobId, { user, log });
        return { jobId, createdAt: new Date(createdAt), state: stateName(state), cancelled };
      },
    },
    JobStatus: { __resolveType: ({ kind }) => statusTypes.get(kind) ?? null },
  } satisfies Resolvers;
}
