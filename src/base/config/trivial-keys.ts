import type { Config, Program } from './config.js';

/** Minimum numbers of different characters or bytes in a key; random keys have more. */
const MIN_DIFFERENT_CHARACTERS = 6;
const MIN_DIFFERENT_BYTES = 16;

/** Minimum number of characters in a key besides well-known words. */
const MIN_BEYOND_WORDS = 8;

const WORDS =
  /change|replace|password|passwd|secret|default|example|sample|placeholder|development|production|letmein|welcome|admin|dummy|insert|your|here|this|me|my|api|key|token|test|qwert[yz]\w{0,4}|asdfgh\w{0,3}|[yz]xcvbn\w?/gi;

/**
 * Finds keys that are easy to guess: few distinct characters, or little besides well-known words.
 *
 * @param program only the gateway has keys of backends
 * @returns one line per fault, without the key
 */
export function findTrivialKeys(keys: Config['keys'], program: Program): string[] {
  const { backendApi, geoApi, voipApi, callback, callbackSigning, jobEncryption } = keys;
  const ofBackends = { BACKEND_API_KEY: backendApi, GEO_API_KEY: [geoApi], VOIP_API_KEY: [voipApi] };
  const named: Readonly<Record<string, readonly (string | Uint8Array | undefined)[] | undefined>> = {
    ...(program === 'gateway' && ofBackends),
    TASK_CALLBACK_API_KEY: callback.slice(0, 1),
    TASK_CALLBACK_API_KEY_PREVIOUS: callback.slice(1),
    CALLBACK_SIGNING_SECRET: callbackSigning,
    JOB_ENCRYPTION_KEY: jobEncryption,
  };
  return Object.entries(named).flatMap(([name, given]) => (given?.some(isTrivial) ? [keyFaultOf(name)] : []));
}

/** Commands that generate keys of a fixed form. */
const COMMANDS: Readonly<Record<string, string>> = {
  JOB_ENCRYPTION_KEY: "openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
  CALLBACK_SIGNING_SECRET: 'echo whsec_$(openssl rand -base64 32)',
};

function keyFaultOf(name: string): string {
  const command = COMMANDS[name] ?? 'openssl rand -hex 24';
  return `${name} is easy to guess. Use a random one, for example from: ${command}`;
}

function isTrivial(key: string | Uint8Array | undefined): boolean {
  return typeof key === 'string' ? isTrivialText(key) : key !== undefined && isTrivialMaterial(key);
}

function isTrivialText(key: string): boolean {
  const beyondWords = key.replaceAll(WORDS, '').replaceAll(/[^a-z0-9]/gi, '');
  return beyondWords.length < MIN_BEYOND_WORDS || new Set(beyondWords).size < MIN_DIFFERENT_CHARACTERS;
}

/** Judges random bytes, which may also be a typed text. */
function isTrivialMaterial(key: Uint8Array): boolean {
  const isTyped = key.every((byte) => byte >= 0x20 && byte < 0x7f);
  return new Set(key).size < MIN_DIFFERENT_BYTES || (isTyped && isTrivialText(Buffer.from(key).toString('latin1')));
}
