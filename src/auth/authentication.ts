import { useGenericAuth } from '@envelop/generic-auth';
import type { GraphQLSchema } from 'graphql';
import type { AuthUser } from './auth-user.js';
import type { Authenticate } from './bearer-token.js';
import { guardSchema, type GuardedContext } from './guard.js';

/** What authentication reads of a request context. */
export interface BearerContext extends GuardedContext {
  /** The `Authorization` header; null when there is none. */
  readonly authorization: string | null;
  /** There once somebody has asked whose request it is. */
  authentication?: Promise<AuthUser> | undefined;
}

/**
 * Guards the protected fields of a schema; see {@link guardSchema}. Call it once per schema.
 *
 * The user is resolved by generic-auth when the first protected field is reached and not before, so that an operation
 * without one fetches no key; further fields of the same request wait for the same user.
 */
export function guardWithGenericAuth(schema: GraphQLSchema, authenticate: Authenticate): void {
  const { onContextBuilding } = useGenericAuth<AuthUser, BearerContext, 'auth_user'>({
    mode: 'resolve-only',
    contextFieldName: 'auth_user',
    resolveUserFn: (context) => (context.authentication ??= authenticate(context.authorization)),
  });
  guardSchema<BearerContext>(schema, async (context) => {
    await onContextBuilding?.({
      context: context as never, // typed with what the plugin adds in its other modes; it hands the context on
      extendContext: (extension) => void Object.assign(context, extension),
      breakContextBuilding: () => undefined,
    });
  });
}
