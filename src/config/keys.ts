import { listOf, type EnvironmentReader } from './environment-reader.js';
import type { VariableName } from './variables.js';

/** Development values of secrets; production refuses to start with them. */
export const DEVELOPMENT_CALLBACK_KEY = 'development-callback-key';
const DEVELOPMENT_BACKEND_KEY = 'development-backend-key';

/** The secrets of this installation. */
export interface KeysConfig {
  readonly backendApi: string;
  readonly geoApi: string | undefined;
  readonly voipApi: string | undefined;
  /** Keys accepted from queue functions; the first is the one to send. */
  readonly callback: readonly [string, ...string[]];
  /** 32 bytes each, the first encrypts; undefined: kept in the data directory. */
  readonly jobEncryption: readonly [Uint8Array, ...Uint8Array[]] | undefined;
}

/**
 * @param production secrets must be given, and not those of development
 * @param gateway in production, the key for backend-api must be given, too
 */
export function readKeys(reader: EnvironmentReader, production: boolean, gateway: boolean): KeysConfig {
  const secret = (name: VariableName, developmentValue: string, required: boolean): string => {
    const value = reader.key(name);
    if (required && value === undefined) reader.fault(`${name} is required in production.`);
    if (production && value === developmentValue) {
      reader.fault(`${name} is the development default, which is not safe in production.`);
    }
    return value ?? developmentValue;
  };
  const callback = secret('TASK_CALLBACK_API_KEY', DEVELOPMENT_CALLBACK_KEY, production);
  const previous = reader.key('TASK_CALLBACK_API_KEY_PREVIOUS');
  for (const [name, value] of [
    ['TASK_CALLBACK_API_KEY', callback],
    ['TASK_CALLBACK_API_KEY_PREVIOUS', previous],
  ]) {
    if (value !== undefined && value.length < 16) reader.fault(`${name} must have 16 characters or more.`);
  }
  if (production && previous === DEVELOPMENT_CALLBACK_KEY) {
    reader.fault('TASK_CALLBACK_API_KEY_PREVIOUS is the development default, which is not safe in production.');
  }
  return {
    backendApi: secret('BACKEND_API_KEY', DEVELOPMENT_BACKEND_KEY, gateway),
    geoApi: reader.key('GEO_API_KEY'),
    voipApi: reader.key('VOIP_API_KEY'),
    callback: previous === undefined ? [callback] : [callback, previous],
    jobEncryption: readJobEncryptionKeys(reader, production),
  };
}

function readJobEncryptionKeys(
  reader: EnvironmentReader,
  production: boolean,
): readonly [Uint8Array, ...Uint8Array[]] | undefined {
  const text = reader.text('JOB_ENCRYPTION_KEY');
  if (text === undefined) {
    if (production) reader.fault('JOB_ENCRYPTION_KEY is required in production.');
    return undefined;
  }
  const keys = parseMasterKeys(text);
  if (keys === undefined) {
    reader.fault('JOB_ENCRYPTION_KEY must be one key, or two separated by a comma, of 32 bytes in base64url each.');
  }
  return keys;
}

/**
 * Reads one or two keys of 32 bytes, in base64url and separated by a comma.
 *
 * @returns undefined when the text is anything else
 */
export function parseMasterKeys(text: string): readonly [Uint8Array, ...Uint8Array[]] | undefined {
  const texts = listOf(text);
  const [first, ...rest] = texts.map((entry) => Buffer.from(entry, 'base64url'));
  const allValid = texts.every((entry) => /^[A-Za-z0-9_-]{43}=?$/.test(entry));
  return first === undefined || rest.length > 1 || !allValid ? undefined : [first, ...rest];
}
