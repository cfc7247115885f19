import { useGenericAuth } from '@envelop/generic-auth';
import {
  defaultFieldResolver,
  isInterfaceType,
  isObjectType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { AuthUser } from './auth-user.js';
import type { Authenticate } from './bearer-token.js';

/** `directive @isAuthenticated on FIELD_DEFINITION` (specification, "JWT Bearer (GraphQL)", step 1). */
const DIRECTIVE = 'isAuthenticated';

/** Part of a request's context that the guard reads. */
interface GuardedContext {
  /** The `Authorization` header; null if absent. */
  readonly authorization: string | null;
  /** Authentication of the request, set when it starts. */
  authentication?: Promise<AuthUser> | undefined;
  auth_user?: AuthUser | null;
  /** These two are absent only in tests of authentication. */
  readonly cutOff?: { requireOpen(): void };
  readonly operationLog?: { org: string | undefined };
}

/**
 * Puts a guard around the resolver of every field with the directive. Without a user, the resolver is not called
 * (specification, "JWT Bearer (GraphQL)", step 2). generic-auth resolves the user at the first such field, so others
 * fetch no key; further fields of the request wait for the same user. Changes the schema in place; call it once.
 *
 * @throws {Error} the directive is on a field whose guard could be bypassed
 */
export function guardSchema(schema: GraphQLSchema, authenticate: Authenticate): void {
  assertDirectiveOnRootFields(schema);
  const { onContextBuilding } = useGenericAuth<AuthUser, GuardedContext, 'auth_user'>({
    mode: 'resolve-only',
    contextFieldName: 'auth_user',
    resolveUserFn: (context) => (context.authentication ??= authenticate(context.authorization)),
  });
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (isProtected(field)) field.resolve = guarded(field.resolve ?? defaultFieldResolver, onContextBuilding);
    }
  }
}

type Resolver = GraphQLFieldResolver<unknown, GuardedContext>;

/** Step of generic-auth that resolves the user of a context. */
type ResolveUser = ReturnType<typeof useGenericAuth<AuthUser, GuardedContext, 'auth_user'>>['onContextBuilding'];

function guarded(resolve: Resolver, resolveUser: ResolveUser): Resolver {
  return async (parent, args, context, info) => {
    if (!context.auth_user) await admit(context, resolveUser);
    if (!context.auth_user) throw new Error('There is no user after the authentication.');
    return resolve(parent, args, context, info);
  };
}

/** Resolves the user of a request, and notes the organisation. @throws {GatewayError} there is none */
async function admit(context: GuardedContext, resolveUser: ResolveUser): Promise<void> {
  // Keys are not fetched for an operation that is over.
  context.cutOff?.requireOpen();
  await resolveUser?.({
    context: context as never, // its type includes additions of the plugin's other modes; it passes the context on
    extendContext: (extension) => void Object.assign(context, extension),
    breakContextBuilding: () => undefined,
  });
  if (context.operationLog) context.operationLog.org = context.auth_user?.Org;
}

/** Returns true if the field carries the directive. */
export function isProtected(field: GraphQLField<unknown, unknown>): boolean {
  return field.astNode?.directives?.some((directive) => directive.name.value === DIRECTIVE) ?? false;
}

/** Allows the directive only on fields of Query and Mutation: deeper ones can be reached around a guard. */
function assertDirectiveOnRootFields(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const misplaced = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .filter((type) => !roots.some((root) => root === type))
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => (isProtected(field) ? `${type.name}.${field.name}` : [])),
    );
  if (misplaced.length === 0) return;
  const places = misplaced.join(', ');
  throw new Error(`@${DIRECTIVE} is allowed on fields of Query and Mutation only, and is also on ${places}`);
}
