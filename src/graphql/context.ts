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
import type { ParsedBody } from './doors/request-body.js';

/** What resolvers work with; nothing else reaches the outside. */
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

/** What the HTTP layer knows about who sent a request. */
export interface ClientContext {
  readonly requestId: string;
  readonly log: Logger;
  /** What becomes known of the operation, for the log and for whoever watches. */
  readonly notes: OperationNotes;
  /** The `Authorization` header; null when there is none. */
  readonly authorization: string | null;
  /** Address of the client, as far as the trusted proxies tell. */
  readonly address: () => string;
}

/** Context of a request, of its operation and of every resolver. */
export interface GatewayContext extends ClientContext {
  /** Size of the body, once it has been read. */
  bodyBytes: number;
  /** The body, where it has been parsed before the operation is looked for. */
  readonly parsedBody: ParsedBody | undefined;
  /** Ends its calls early. */
  readonly cutOff: CutOff;
  readonly loaders: Loaders;
}

/**
 * Context of a resolver whose field carries `@isAuthenticated`; the code generator uses it there and nowhere
 * else, so that `auth_user` cannot be touched by a public resolver.
 */
export type Authenticated<Context> = Context & { readonly auth_user: AuthUser };
