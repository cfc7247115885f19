import type { ServerResponse } from 'node:http';
import type { GraphQLParams } from 'graphql-yoga';
import type { AuthUser } from '../auth/auth-user.js';
import type { Logger } from '../logging/logger.js';
import type { ClientContext, GatewayContext } from './context.js';
import { CutOff } from './cut-off.js';
import type { Outcomes } from './execution/outcomes.js';
import { OperationLoaders, type LoaderSources } from './loaders.js';
import type { OperationNotes } from './operation-notes.js';
import type { ParsedBody } from './handlers/request-body.js';

/**
 * Context of one request. A handler creates it; plugins add to the same object and resolvers receive it, so all holders
 * see the user. No plugin builds it, because each plugin hook costs time in every operation.
 */
export class RequestContext implements GatewayContext {
  readonly requestId: string;
  readonly log: Logger;
  readonly notes: OperationNotes;
  readonly authorization: string | null;
  readonly address: () => string;
  readonly cutOff: CutOff;
  readonly loaders: OperationLoaders;
  bodyBytes = 0;
  parsedBody: ParsedBody | undefined;
  /** Set if Yoga receives the body. */
  turn: (() => Promise<void>) | undefined;
  /** Parameters for plugins, set by the handler. */
  params: GraphQLParams | undefined;
  request: { readonly method: string } | undefined;
  authentication: Promise<AuthUser> | undefined;
  auth_user: AuthUser | null = null;
  /** Outcomes of resolvers, if compiled code runs the operation. */
  outcomes: Outcomes | undefined = undefined;

  /** @param response closes when the client goes away */
  constructor(client: ClientContext, sources: LoaderSources, response: ServerResponse) {
    this.requestId = client.requestId;
    this.log = client.log;
    this.notes = client.notes;
    this.authorization = client.authorization;
    this.address = client.address;
    this.cutOff = new CutOff(response);
    this.loaders = new OperationLoaders(sources, this);
  }
}
