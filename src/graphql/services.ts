import type { BackendApi } from '../clients/backend-api.js';
import type { GeoApi } from '../clients/geo-api.js';
import type { VoipApi } from '../clients/voip-api.js';
import type { JobStarter } from '../jobs/job-start.js';
import type { JobStatusReader } from '../jobs/job-status.js';
import type { JobTable } from '../jobs/job-table.js';
import type { ObjectStore } from '../objects/object-store.js';
import type { AttemptLimits } from './attempt-limits.js';

/** What resolvers work with; nothing else reaches the outside. */
export interface Services {
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  readonly voipApi: VoipApi;
  readonly jobs: JobTable;
  readonly jobStarter: JobStarter;
  readonly jobStatus: JobStatusReader;
  readonly objectStore: ObjectStore;
  readonly attemptLimits: AttemptLimits;
  readonly allowTestOtp: boolean;
  readonly version: string;
}
