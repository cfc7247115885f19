import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';
import type { Resolvers } from '../../../generated/graphql.js';
import type { Services } from '../services.js';
import { accountResolvers } from './accounts.js';
import { jobResolvers } from './jobs.js';
import { mobileResolvers } from './mobiles.js';
import { sessionResolvers } from './session.js';

/** Resolvers of the whole schema, one file per domain; a new operation is one function in one of them. */
export function createResolvers(services: Services): Resolvers[] {
  return [
    { DateTime: GraphQLDateTime, JSON: GraphQLJSON, Query: { serviceVersion: () => services.version } },
    sessionResolvers(services),
    mobileResolvers(),
    accountResolvers(),
    jobResolvers(services),
  ];
}
