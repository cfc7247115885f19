import { createBackendApi, type BackendApi } from './backend-api.js';
import { createGeoApi, type GeoApi } from './geo-api.js';
import type { Transport } from './transport.js';
import { createVoipApi, type VoipApi } from './voip-api.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logger.js';
import type { Sandbox } from '../sandbox/sandbox.js';

/** The backends, real or simulated. */
export interface Backends {
  readonly backendApi: BackendApi;
  readonly geoApi: GeoApi;
  readonly voipApi: VoipApi;
  /** Values of which a token's `iss` or `aud` must be one. */
  readonly tokenIssuers: readonly string[];
  /** Present when the backends are simulated. */
  readonly sandbox: Sandbox | undefined;
}

/** Connects the clients to the configured backends, or starts the sandbox and connects them to that. */
export async function connectBackends(config: Config, transport: Transport, logger: Logger): Promise<Backends> {
  const sandbox = config.backends.kind === 'sandbox' ? await startSandbox(config, logger) : undefined;
  const urls =
    config.backends.kind === 'urls'
      ? config.backends
      : {
          backendApi: sandbox?.backendApiUrl ?? '',
          geoApi: sandbox?.geoApiUrl ?? '',
          voipApi: sandbox?.voipApiUrl ?? '',
        };
  const { keys, backendTimeoutMs: timeoutMs } = config;
  return {
    backendApi: createBackendApi({ baseUrl: urls.backendApi, transport, apiKey: keys.backendApi, timeoutMs, logger }),
    geoApi: createGeoApi({ baseUrl: urls.geoApi, transport, apiKey: keys.geoApi, timeoutMs, logger }),
    voipApi: createVoipApi({ baseUrl: urls.voipApi, transport, apiKey: keys.voipApi, timeoutMs, logger }),
    tokenIssuers: config.tokenIssuers ?? (sandbox ? [sandbox.issuer] : []),
    sandbox,
  };
}

/** Loaded only where it is used, so that it is never part of a production process. */
async function startSandbox(config: Config, logger: Logger): Promise<Sandbox> {
  const sandbox = await import('../sandbox/sandbox.js');
  const { backendApi, geoApi, voipApi } = config.keys;
  return sandbox.startSandbox({
    logger: logger.child({ part: 'sandbox' }),
    backendApiKey: backendApi,
    ...(geoApi !== undefined && { geoApiKey: geoApi }),
    ...(voipApi !== undefined && { voipApiKey: voipApi }),
  });
}
