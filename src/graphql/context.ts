import type { YogaInitialContext } from 'graphql-yoga';
import type { AuthUser } from '../auth/auth-user.js';
import type { Logger } from '../logger.js';
import type { Loaders } from './loaders.js';

/** What the HTTP layer knows about a request. */
export interface RequestContext {
  readonly requestId: string;
  readonly log: Logger;
  /** The `Authorization` header; null when there is none. */
  readonly authorization: string | null;
  /** Address of the client, as far as the trusted proxies tell. */
  readonly address: string;
}

/** What each operation gets of its own. */
export interface OperationContext {
  readonly loaders: Loaders;
}

/** Context of every resolver. */
export interface GatewayContext extends YogaInitialContext, RequestContext, OperationContext {}

/**
 * Context of a resolver whose field carries `@isAuthenticated`; the code generator uses it there and nowhere
 * else, so that `auth_user` cannot be touched by a public resolver.
 */
export type Authenticated<Context> = Context & { readonly auth_user: AuthUser };
