import { readdirSync, readFileSync } from 'node:fs';
import type { GraphQLScalarType, GraphQLSchema } from 'graphql';
import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';
import { createSchema } from 'graphql-yoga';
import type { MutationResolvers, QueryResolvers, Resolvers } from '../../../generated/graphql.js';
import { packageFile } from '../../base/package-file.js';
import type { Services, GatewayContext } from './context.js';
import { accountResolvers } from './resolvers/accounts.js';
import { jobListResolvers, jobResolvers } from './resolvers/jobs.js';
import { mobileResolvers } from './resolvers/mobiles.js';
import { sessionResolvers } from './resolvers/session.js';

const SDL_DIRECTORY = packageFile('schema/');

/** Reads the SDL files under `schema/`, sorted by name. */
export function readTypeDefs(): string[] {
  return readdirSync(SDL_DIRECTORY)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, SDL_DIRECTORY), 'utf8'));
}

/** Creates the executable schema, not yet guarded. @throws {Error} SDL and resolvers differ; the message names it */
export function createGatewaySchema(services: Services): GraphQLSchema {
  const schema = createSchema<GatewayContext>({
    typeDefs: readTypeDefs(),
    resolvers: { ...createResolvers(services), ...SCALARS },
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  });
  requireRootResolvers(schema);
  return schema;
}

/** Functions of the custom scalars, whose descriptions are those of the SDL. */
const SCALARS = { DateTime: functionsOf(GraphQLDateTime), JSON: functionsOf(GraphQLJSON) };

function functionsOf({ serialize, parseValue, parseLiteral }: GraphQLScalarType) {
  return { serialize, parseValue, parseLiteral };
}

/** Requires that every operation has a resolver. @throws {Error} naming those without, which would always be null */
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

/** Creates the schema without resolvers, for validation of documents. */
export function createSchemaWithoutResolvers(): GraphQLSchema {
  return createSchema({ typeDefs: readTypeDefs() });
}

/** All resolvers; the compiler requires one for each operation. */
type RootResolvers = Resolvers & {
  readonly Query: Required<QueryResolvers>;
  readonly Mutation: Required<MutationResolvers>;
};

/** Creates all resolvers. A new operation is one function in the file of its domain. */
function createResolvers(services: Services): RootResolvers {
  const session = sessionResolvers(services);
  const mobiles = mobileResolvers();
  const accounts = accountResolvers();
  const jobs = jobResolvers(services);
  const jobList = jobListResolvers(services);
  return {
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
