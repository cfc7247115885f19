import { readdirSync, readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';
import { createSchema } from 'graphql-yoga';
import type { MutationResolvers, QueryResolvers, Resolvers } from '../../generated/graphql.js';
import type { Services, GatewayContext } from './context.js';
import { accountResolvers } from './resolvers/accounts.js';
import { jobListResolvers } from './resolvers/job-list.js';
import { jobResolvers } from './resolvers/jobs.js';
import { mobileResolvers } from './resolvers/mobiles.js';
import { sessionResolvers } from './resolvers/session.js';

/** The SDL; at the same depth from the sources and from the build. */
const SDL_DIRECTORY = new URL('../../schema/', import.meta.url);

/** The SDL files under `schema/`, sorted by name. */
export function readTypeDefs(): string[] {
  return readdirSync(SDL_DIRECTORY)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, SDL_DIRECTORY), 'utf8'));
}

/**
 * The executable schema. Its protected fields are not yet guarded.
 *
 * @throws {Error} naming what the SDL and the resolvers do not have in common
 */
export function createGatewaySchema(services: Services): GraphQLSchema {
  const schema = createSchema<GatewayContext>({
    typeDefs: readTypeDefs(),
    resolvers: createResolvers(services),
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  });
  requireRootResolvers(schema);
  return schema;
}

/** Without a resolver an operation would be answered with null, as if there were nothing to tell. */
export function requireRootResolvers(schema: GraphQLSchema): void {
  const missing = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {})
      .filter(({ resolve }) => resolve === undefined)
      .map(({ name }) => `${type?.name}.${name}`),
  );
  if (missing.length === 0) return;
  throw new Error(
    `The schema has operations without a resolver: ${missing.join(', ')}. Add them to graphql/resolvers.`,
  );
}

/** The schema without resolvers, to hold documents against. */
export function createSchemaWithoutResolvers(): GraphQLSchema {
  return createSchema({ typeDefs: readTypeDefs() });
}

/** The operations with their resolvers: the compiler asks for each. */
type RootResolvers = Resolvers & {
  readonly Query: Required<QueryResolvers>;
  readonly Mutation: Required<MutationResolvers>;
};

/** Resolvers of the whole schema, one file per domain; a new operation is one function in one of them. */
function createResolvers(services: Services): RootResolvers {
  const session = sessionResolvers(services);
  const mobiles = mobileResolvers();
  const accounts = accountResolvers();
  const jobs = jobResolvers(services);
  const jobList = jobListResolvers(services);
  return {
    DateTime: GraphQLDateTime,
    JSON: GraphQLJSON,
    ...mobiles,
    ...accounts,
    ...jobs,
    ...jobList,
    Query: {
      serviceVersion: () => services.version,
      ...session.Query,
      ...mobiles.Query,
      ...accounts.Query,
      ...jobs.Query,
      ...jobList.Query,
    },
    Mutation: { ...session.Mutation, ...jobs.Mutation, ...jobList.Mutation },
  };
}
