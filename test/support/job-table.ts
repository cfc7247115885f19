import type { GraphQLSchema } from 'graphql';
import type { Services } from '../../src/gateway/graphql/context.js';
import { createGatewaySchema } from '../../src/gateway/graphql/schema.js';
import { createJobTable, type JobTable, type JobTableOptions } from '../../src/jobs/job-table.js';

/** Every kind of job, to be asked what it is; none can be run. */
export const JOBS: JobTable = createJobTable({ bulkMaxItems: 1_000, reportMaxDrivers: 1_000 } as JobTableOptions); // nothing is run

/** The executable schema, to be asked what it is; nothing can be resolved. */
export function unservedSchema(): GraphQLSchema {
  return createGatewaySchema({ jobs: JOBS } as Services); // nothing is resolved
}
