import type { BackendUrls } from '../clients/connect-backends.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logger.js';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.js';

/** The configured backends, or the sandbox. It is loaded only where it is used, and never in production. */
export async function findBackends(
  config: Config,
  logger: Logger,
  sandboxOptions: Partial<SandboxOptions> = {},
): Promise<{ readonly urls: BackendUrls; readonly sandbox: Sandbox | undefined }> {
  if (config.backends.kind === 'urls') return { urls: config.backends, sandbox: undefined };
  const { startSandbox } = await import('../sandbox/sandbox.js');
  const { backendApi, geoApi, voipApi } = config.keys;
  const sandbox = await startSandbox({
    logger: logger.child({ part: 'sandbox' }),
    backendApiKey: backendApi,
    ...sandboxOptions,
    ...(geoApi !== undefined && { geoApiKey: geoApi }),
    ...(voipApi !== undefined && { voipApiKey: voipApi }),
  });
  const urls = { backendApi: sandbox.backendApiUrl, geoApi: sandbox.geoApiUrl, voipApi: sandbox.voipApiUrl };
  return { urls, sandbox };
}
