import type { VariableName } from '../config/config.js';

/** Stores of jobs and reports for the demo's own gateway; unset: in a temporary directory. */
const ENGINE_VARIABLES = [
  'REDIS_URL',
  'JOB_ENCRYPTION_KEY',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ENDPOINT',
  'S3_FORCE_PATH_STYLE',
] as const satisfies readonly VariableName[];

/** Variables of the gateway that choose the engines. */
export type EngineEnvironment = Readonly<Partial<Record<(typeof ENGINE_VARIABLES)[number], string | undefined>>>;

/** Environment of the demo. Empty counts as unset. */
export interface DemoEnvironment extends EngineEnvironment {
  /** URL of a running gateway, base path included; unset: the demo starts one. */
  readonly GATEWAY_URL?: string | undefined;
  /** Administrator without a one-time password; unset: the one of the built-in sandbox. */
  readonly LOGIN_ID?: string | undefined;
  readonly PASSWORD?: string | undefined;
}

export interface DemoSettings {
  /** Without a trailing slash; undefined: the demo starts a gateway. */
  readonly gatewayUrl: string | undefined;
  readonly login: { readonly loginId: string; readonly password: string };
  readonly engines: EngineEnvironment;
}

/** Administrator of the built-in sandbox. */
const SANDBOX_LOGIN = { loginId: 'demo', password: 'demo-password' };

/** Reads the settings. @throws {Error} naming the invalid variable */
export function readSettings(environment: DemoEnvironment): DemoSettings {
  const { GATEWAY_URL, LOGIN_ID, PASSWORD } = environment;
  if (!LOGIN_ID !== !PASSWORD) {
    throw new Error('Set both of LOGIN_ID and PASSWORD, or none to use those of the sandbox.');
  }
  return {
    gatewayUrl: GATEWAY_URL ? readUrl(GATEWAY_URL) : undefined,
    login: LOGIN_ID && PASSWORD ? { loginId: LOGIN_ID, password: PASSWORD } : SANDBOX_LOGIN,
    engines: Object.fromEntries(ENGINE_VARIABLES.map((name) => [name, environment[name]])),
  };
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('GATEWAY_URL must be an absolute http: or https: URL, such as http://127.0.0.1:8080.');
  }
  return text.replace(/\/+$/, '');
}
