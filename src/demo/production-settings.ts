import { randomBytes } from 'node:crypto';
import type { VariableName } from '../config/config.js';
import type { Sandbox } from '../sandbox/sandbox.js';

/** Variables and their values. */
export type Settings = Readonly<Partial<Record<VariableName, string>>>;

/** A secret that nobody knows, as text. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What a gateway needs to run in production against simulated backends, on this machine, with embedded jobs and files.
 * Every secret is new.
 *
 * @param backendApiKey what the sandbox expects of service calls
 * @param dataDir where that gateway keeps jobs and reports
 */
export function productionSettings(sandbox: Sandbox, backendApiKey: string, dataDir: string): Settings {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    BACKEND_API_URL: sandbox.backendApiUrl,
    GEO_API_URL: sandbox.geoApiUrl,
    VOIP_API_URL: sandbox.voipApiUrl,
    BACKEND_API_KEY: backendApiKey,
    TOKEN_ISSUSERS: sandbox.issuer,
    TASK_CALLBACK_API_KEY: newSecret(),
    JOB_ENCRYPTION_KEY: newSecret(),
    DATA_DIR: dataDir,
  };
}

/** Lines that a shell reads (POSIX, "export"). */
export function exportLines(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
    .join('\n');
}
