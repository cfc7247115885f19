import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { AuthUser } from '../auth/auth-user.js';
import type { KeptSessions } from '../auth/kept-sessions.js';
import type { CancelStore } from '../../jobs/job-cancel.js';
import type { JobList } from '../../jobs/job-list.js';
import type { JobStarter } from '../../jobs/job-start.js';
import type { JobTable } from '../../jobs/job-table.js';
import type { Logger } from '../../base/logging/logger.js';
import type { ObjectStore } from '../../objects/object-store.js';
import type { AnswerContext, AnswerTextOf } from './limits/answer-text.js';
import type { AttemptLimits } from './limits/attempt-limits.js';
import { CutOff } from './cut-off.js';
import type { Outcomes } from './execution/outcomes.js';
import { OperationLoaders, type Loaders, type LoaderSources } from './loaders.js';
import type { OperationLog } from './operation-log.js';

/** Services of resolvers, which reach nothing else. */
export interface Services extends LoaderSources {
  readonly jobs: JobTable;
  readonly jobStarter: Pick<JobStarter, 'start'>;
  readonly jobList: JobList;
  readonly jobStore: CancelStore;
  readonly objectStore: ObjectStore;
  readonly attemptLimits: AttemptLimits;
  readonly answerTextOf: AnswerTextOf;
  readonly keptSessions: KeptSessions;
  readonly allowTestOtp: boolean;
  readonly version: string;
}

/** Properties of a request and its client, from the HTTP layer. */
export interface ClientContext {
  readonly requestId: string;
  readonly log: Logger;
  readonly operationLog: OperationLog;
  readonly authorization: string | null;
  /** Returns the client's address according to the trusted proxies. */
  readonly address: () => string;
}

export interface GatewayContext extends ClientContext, AnswerContext {
  /** Aborts calls of the operation to backends. */
  readonly cutOff: CutOff;
  readonly loaders: Loaders;
}

/** Context of a resolver whose field carries `@isAuthenticated`; the code generator uses it only there. */
export type Authenticated<Context> = Context & { readonly auth_user: AuthUser };

export type ParsedBody = { readonly value: unknown } | { readonly fault: GraphQLError };

/** Context of one request. A handler creates it, because plugin hooks cost time in every operation. */
export class RequestContext implements GatewayContext {
  readonly requestId: string;
  readonly log: Logger;
  readonly operationLog: OperationLog;
  readonly authorization: string | null;
  readonly address: () => string;
  readonly cutOff: CutOff;
  readonly loaders: OperationLoaders;
  /** Size of the body in bytes, set once it is read. */
  bodyBytes = 0;
  /** Set if Yoga receives the body; awaited once that is parsed, and throws the error of a refusal. */
  turn: (() => Promise<void>) | undefined;
  /** Receives the body for Yoga; undefined if it was cut short. */
  receive: (() => Promise<Buffer | undefined>) | undefined;
  /** These two are for plugins. */
  params: GraphQLParams | undefined;
  request: { readonly method: string } | undefined;
  authentication: Promise<AuthUser> | undefined;
  auth_user: AuthUser | null = null;
  /** Outcomes of resolvers, if compiled code runs the operation. */
  outcomes: Outcomes | undefined = undefined;
  answerText: AnswerContext['answerText'] = undefined;

  /** @param response closes when the client goes away */
  constructor(client: ClientContext, sources: LoaderSources, response: ServerResponse) {
    this.requestId = client.requestId;
    this.log = client.log;
    this.operationLog = client.operationLog;
    this.authorization = client.authorization;
    this.address = client.address;
    this.cutOff = new CutOff(response);
    this.loaders = new OperationLoaders(sources, this);
  }
}
