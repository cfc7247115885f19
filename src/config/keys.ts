import type { Reader } from './environment.js';
import type { SigningSecrets } from './signing-secrets.js';

/** Development defaults of secrets; production refuses to start with them. */
export const DEVELOPMENT_CALLBACK_KEY = 'development-callback-key';
const DEVELOPMENT_BACKEND_KEY = 'development-backend-key';

/** Secrets of this installation. */
export interface KeysConfig {
  /** Shown on service calls; the second one where the first is refused. */
  readonly backendApi: readonly [current: string, other?: string];
  readonly geoApi: string | undefined;
  readonly voipApi: string | undefined;
  /** Keys accepted from queue functions; queue functions send the first. */
  readonly callback: readonly [string, ...string[]];
  /** Callbacks are signed with each secret, and one must match; undefined: no signature is required. */
  readonly callbackSigning: SigningSecrets | undefined;
  /** 32 bytes each, the first encrypts; undefined: the key is in the data directory. */
  readonly jobEncryption: readonly [Uint8Array, ...Uint8Array[]] | undefined;
}

/** Reads the secrets. Production requires them and refuses development defaults; only the gateway calls backend-api. */
export function readKeys({ values, isSet, fault, production, gatewayInProduction }: Reader): KeysConfig {
  const refuseDefault = (name: SecretName, developmentValue: string): void => {
    if (!production || ![values[name]].flat().includes(developmentValue)) return;
    fault(`${name} is the development default, which is not safe in production.`);
  };
  if (gatewayInProduction && !isSet('BACKEND_API_KEY')) fault('BACKEND_API_KEY is required in production.');
  refuseDefault('BACKEND_API_KEY', DEVELOPMENT_BACKEND_KEY);
  for (const name of ['TASK_CALLBACK_API_KEY', 'JOB_ENCRYPTION_KEY'] as const) {
    if (production && !isSet(name)) fault(`${name} is required in production.`);
  }
  refuseDefault('TASK_CALLBACK_API_KEY', DEVELOPMENT_CALLBACK_KEY);
  refuseDefault('TASK_CALLBACK_API_KEY_PREVIOUS', DEVELOPMENT_CALLBACK_KEY);
  const callback = values.TASK_CALLBACK_API_KEY ?? DEVELOPMENT_CALLBACK_KEY;
  const previous = values.TASK_CALLBACK_API_KEY_PREVIOUS;
  return {
    backendApi: values.BACKEND_API_KEY ?? [DEVELOPMENT_BACKEND_KEY],
    geoApi: values.GEO_API_KEY,
    voipApi: values.VOIP_API_KEY,
    callback: previous === undefined ? [callback] : [callback, previous],
    callbackSigning: values.CALLBACK_SIGNING_SECRET,
    jobEncryption: values.JOB_ENCRYPTION_KEY,
  };
}

type SecretName = 'BACKEND_API_KEY' | 'TASK_CALLBACK_API_KEY' | 'TASK_CALLBACK_API_KEY_PREVIOUS';
