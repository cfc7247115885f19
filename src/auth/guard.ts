import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { AuthUser } from './auth-user.js';
import { assertDirectiveOnRootFields, isProtected } from './directive.js';

/** The part of the request context that the guard looks at. */
export interface GuardedContext {
  auth_user?: AuthUser | null;
}

/** Authenticates the request of a context, or throws. */
export type Admit<Context extends GuardedContext> = (context: Context) => Promise<AuthUser>;

/**
 * Puts a guard around the resolver of every field that carries the directive. It fails closed: without a user
 * in the context it asks `admit`, and when that throws the resolver is never called (specification,
 * "JWT Bearer (GraphQL)", step 2).
 *
 * Changes the schema in place; call it once per schema.
 *
 * @throws {Error} when the directive stands where a guard could be passed by
 */
export function guardSchema<Context extends GuardedContext>(schema: GraphQLSchema, admit: Admit<Context>): void {
  assertDirectiveOnRootFields(schema);
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (isProtected(field)) field.resolve = guarded(field.resolve ?? defaultFieldResolver, admit);
    }
  }
}

function guarded<Context extends GuardedContext>(
  resolve: GraphQLFieldResolver<unknown, Context>,
  admit: Admit<Context>,
): GraphQLFieldResolver<unknown, Context> {
  return async (parent, args, context, info) => {
    context.auth_user ??= await admit(context);
    return resolve(parent, args, context, info);
  };
}
