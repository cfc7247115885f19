import type { AuthUser } from '../auth/auth-user.js';
import type { BackendApi } from '../clients/backend-api.js';
import type { GeoApi } from '../clients/geo-api.js';
import type { VoipApi } from '../clients/voip-api.js';
import type { JobCancel } from '../jobs/job-cancel.js';
import type { JobList } from '../jobs/job-list.js';
import type { JobStarter } from '../jobs/job-start.js';
import type { JobStatusReader } from '../jobs/job-status.js';
import type { JobTable } from '../jobs/job-table.js';
import type { Logger } from '../logging/logger.js';
import type { ObjectStore } from '../objects/object-store.js';
import type { AttemptLimits } from './limits/attempt-limits.js';
import type { CutOff } from './cut-off.js';
import type { Loaders } from './loaders.js';
import type { OperationNotes } from './operation-notes.js';
import type { ParsedBody } from './handlers/request-body.js';

/** Services of resolvers, and their only way to the outside. */
export interface Services {
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  readonly voipApi: VoipApi;
  readonly jobs: JobTable;
  readonly jobStarter: JobStarter;
  readonly jobStatus: JobStatusReader;
  readonly jobList: JobList;
  readonly jobCancel: JobCancel;
  readonly objectStore: ObjectStore;
  readonly attemptLimits: AttemptLimits;
  readonly allowTestOtp: boolean;
  readonly version: string;
}

/** Facts from the HTTP layer about a request and its client. */
export interface ClientContext {
  readonly requestId: string;
  readonly log: Logger;
  /** Facts about the operation, for the log and observers. */
  readonly notes: OperationNotes;
  /** The `Authorization` header; null if absent. */
  readonly authorization: string | null;
  /** Returns the client's address according to the trusted proxies. */
  readonly address: () => string;
}

/** Context of a request, of its operation and of every resolver. */
export interface GatewayContext extends ClientContext {
  /** Size of the body in bytes, set once it is read. */
  bodyBytes: number;
  /** The body, if the direct handler has parsed it already. */
  readonly parsedBody: ParsedBody | undefined;
  /** Aborts calls of the operation to backends. */
  readonly cutOff: CutOff;
  readonly loaders: Loaders;
}

/**
 * Context of a resolver whose field carries `@isAuthenticated`. The code generator uses it only there, so public
 * resolvers cannot access `auth_user`.
 */
export type Authenticated<Context> = Context & { readonly auth_user: AuthUser };
