import { readdirSync, readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { createSchema } from 'graphql-yoga';
import type { GatewayContext } from './context.js';
import { createResolvers } from './resolvers/index.js';
import type { Services } from './services.js';

/** The SDL; at the same depth from the sources and from the build. */
const SDL_DIRECTORY = new URL('../../schema/', import.meta.url);

/** The SDL files under `schema/`, sorted by name. */
export function readTypeDefs(): string[] {
  return readdirSync(SDL_DIRECTORY)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => readFileSync(new URL(name, SDL_DIRECTORY), 'utf8'));
}

/** The executable schema. Its protected fields are not yet guarded. */
export function createGatewaySchema(services: Services): GraphQLSchema {
  return createSchema<GatewayContext>({
    typeDefs: readTypeDefs(),
    resolvers: createResolvers(services),
    // A resolver for something the SDL does not know is a mistake.
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  });
}
