import { useGenericAuth } from '@envelop/generic-auth';
import type { GraphQLSchema } from 'graphql';
import type { AuthUser } from './auth-user.js';
import type { Authenticate } from './bearer-token.js';
import { guardSchema, type GuardedContext } from './guard.js';

/** Part of a request context that authentication reads. */
export interface BearerContext extends GuardedContext {
  /** The `Authorization` header; null if absent. */
  readonly authorization: string | null;
  /** Authentication of the request, set when it starts. */
  authentication?: Promise<AuthUser> | undefined;
}

/**
 * Guards the protected fields of a schema; see {@link guardSchema}. Call it once per schema.
 *
 * generic-auth resolves the user at the first protected field, so operations without one fetch no key. Further fields
 * of the request wait for the same user.
 */
export function guardWithGenericAuth(schema: GraphQLSchema, authenticate: Authenticate): void {
  const { onContextBuilding } = useGenericAuth<AuthUser, BearerContext, 'auth_user'>({
    mode: 'resolve-only',
    contextFieldName: 'auth_user',
    resolveUserFn: (context) => (context.authentication ??= authenticate(context.authorization)),
  });
  guardSchema<BearerContext>(schema, async (context) => {
    await onContextBuilding?.({
      context: context as never, // its type includes additions of the plugin's other modes; it passes the context on
      extendContext: (extension) => void Object.assign(context, extension),
      breakContextBuilding: () => undefined,
    });
  });
}
