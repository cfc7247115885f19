import { useGenericAuth } from '@envelop/generic-auth';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { AuthUser } from './auth-user.js';
import type { Authenticate } from './bearer-token.js';
import { guardSchema, type GuardedContext } from './guard.js';
import { selectsProtected } from './protected-selection.js';

type RequestContext = YogaInitialContext & GuardedContext;

/** Authentication of a Yoga server. */
export interface Authentication {
  /** To stand, in this order, in the plugin list. */
  readonly plugins: readonly object[];
  /** Guards the protected fields of the schema; call it once. */
  guard(schema: GraphQLSchema): void;
}

/**
 * Wires authentication into envelop's generic-auth plugin.
 *
 * generic-auth resolves the user before execution, for every operation. Public operations must fetch no key,
 * so it is told "nobody" unless the operation selects a protected field, and the guard around the resolvers,
 * not the plugin, refuses. One HTTP request authenticates at most once.
 */
export function createAuthentication(authenticate: Authenticate): Authentication {
  const users = new WeakMap<Request, Promise<AuthUser>>();
  /** The validated document of each operation; `params` is one object per operation. */
  const documents = new WeakMap<object, DocumentNode>();
  let guarded: GraphQLSchema | undefined;

  const userOf = ({ request }: RequestContext): Promise<AuthUser> => {
    const known = users.get(request);
    if (known !== undefined) return known;
    const user = authenticate(request.headers.get('authorization'));
    users.set(request, user);
    return user;
  };

  const rememberDocument: Plugin<RequestContext> = {
    onValidate({ params: { documentAST }, context }) {
      documents.set(context.params, documentAST as DocumentNode); // typed `any` by the plugin interface
    },
  };

  const genericAuth = useGenericAuth<AuthUser, RequestContext, 'auth_user'>({
    mode: 'resolve-only',
    contextFieldName: 'auth_user',
    async resolveUserFn(context) {
      const { params } = context;
      const document = documents.get(params);
      if (document === undefined || guarded === undefined) return null;
      const selected = { document, operationName: params.operationName, variables: params.variables };
      if (!selectsProtected(guarded, selected)) return null;
      // The guard throws the reason at the path of each refused field; here it would fail the whole operation.
      return userOf(context).catch(() => null);
    },
  });

  return {
    plugins: [rememberDocument, genericAuth],
    guard(schema) {
      guardSchema<RequestContext>(schema, userOf);
      guarded = schema;
    },
  };
}
