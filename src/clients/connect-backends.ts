import type { BackendUrls } from '../base/config/config.js';
import type { BackendSettings, BackendStatus } from './backend.js';
import type { BackendWaits } from './connections.js';
import { createBackendApi, type ServiceKeys } from './backend-api.js';
import { createGeoApi, createVoipApi } from './geo-and-voip-api.js';

/** Clients of the three backends, isolated so that none can use up another one's resources. */
export type Backends = ReturnType<typeof connectBackends>;

export interface ConnectBackendsOptions extends BackendSettings, Pick<BackendWaits, 'keyFetchTimeoutMs'> {
  readonly urls: BackendUrls;
  readonly keys: {
    readonly backendApi: ServiceKeys;
    readonly geoApi: string | undefined;
    readonly voipApi: string | undefined;
  };
}

/** Creates the clients without calling a backend. */
export function connectBackends({ urls, keys, keyFetchTimeoutMs, ...rest }: ConnectBackendsOptions) {
  const backendApi = createBackendApi({ baseUrl: urls.backendApi, keys: keys.backendApi, keyFetchTimeoutMs, ...rest });
  const geoApi = createGeoApi({ baseUrl: urls.geoApi, apiKey: keys.geoApi, ...rest });
  const voipApi = createVoipApi({ baseUrl: urls.voipApi, apiKey: keys.voipApi, ...rest });
  return {
    backendApi,
    geoApi,
    voipApi,
    status: (): readonly BackendStatus[] => [backendApi, geoApi, voipApi].map((backend) => backend.status()),
    async close(): Promise<void> {
      await Promise.all([backendApi, geoApi, voipApi].map((backend) => backend.close()));
    },
  };
}
