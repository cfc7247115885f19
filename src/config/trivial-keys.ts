import type { Program } from './environment.js';
import type { KeysConfig } from './keys.js';

/** Different values that a key must hold at least: of random characters or bytes there are always more. */
const MIN_DIFFERENT_CHARACTERS = 6;
const MIN_DIFFERENT_BYTES = 16;

/** Longest piece that, repeated, makes a key that is looked at as one piece. */
const MAX_PIECE = 8;

/** Part of the steps from one character to the next that may be those of a sequence. */
const MAX_SEQUENTIAL = 0.6;

/** Characters that must be left of a key without the words everybody tries. */
const MIN_BEYOND_WORDS = 8;

const WORDS =
  /change|replace|password|passwd|secret|default|example|sample|placeholder|development|production|letmein|welcome|admin|dummy|insert|your|here|this|me|my|api|key|token|test|qwert[yz]\w{0,4}|asdfgh\w{0,3}|[yz]xcvbn\w?/gi;

/**
 * Finds keys that somebody would guess: all the same character, a sequence, a piece repeated, a known word.
 *
 * @param program only the gateway has keys of backends; what stands in their place elsewhere opens nothing
 * @returns one line per fault, which never repeats the key; empty when there is none
 */
export function findTrivialKeys(keys: KeysConfig, program: Program): string[] {
  const { backendApi, geoApi, voipApi, callback, callbackSigning = [], jobEncryption = [] } = keys;
  type Named = readonly [name: string, key: string | undefined];
  const ofBackends: readonly Named[] = [
    ...backendApi.map((key): Named => ['BACKEND_API_KEY', key]),
    ['GEO_API_KEY', geoApi],
    ['VOIP_API_KEY', voipApi],
  ];
  const texts: readonly Named[] = [
    ...(program === 'gateway' ? ofBackends : []),
    ['TASK_CALLBACK_API_KEY', callback[0]],
    ['TASK_CALLBACK_API_KEY_PREVIOUS', callback[1]],
  ];
  return [
    ...texts.flatMap(([name, key]) => (key !== undefined && isTrivialText(key) ? [faultOf(name)] : [])),
    ...(callbackSigning.some(isTrivialMaterial) ? [faultOf('CALLBACK_SIGNING_SECRET')] : []),
    ...(jobEncryption.some(isTrivialMaterial) ? [faultOf('JOB_ENCRYPTION_KEY')] : []),
  ];
}

/** Commands that make a random one, where it is no text of any form. */
const COMMANDS: Readonly<Record<string, string>> = {
  JOB_ENCRYPTION_KEY: "openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
  CALLBACK_SIGNING_SECRET: 'echo whsec_$(openssl rand -base64 32)',
};

function faultOf(name: string): string {
  const command = COMMANDS[name] ?? 'openssl rand -hex 24';
  return `${name} is easy to guess. Take a random one, for example of: ${command}`;
}

function isTrivialText(key: string): boolean {
  const codes = codesOf(key);
  const beyondWords = key.replaceAll(WORDS, '').replaceAll(/[^a-z0-9]/gi, '');
  return (
    new Set(codes).size < MIN_DIFFERENT_CHARACTERS ||
    isSequence(codes) ||
    isSequence(codesOf(beyondWords)) ||
    isRepeated(codes) ||
    new Set(beyondWords).size < MIN_DIFFERENT_CHARACTERS ||
    beyondWords.length < MIN_BEYOND_WORDS
  );
}

/** Random bytes, or a text of 32 characters that somebody typed. */
function isTrivialMaterial(key: Uint8Array): boolean {
  const bytes = Array.from(key);
  const isTyped = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return (
    new Set(bytes).size < MIN_DIFFERENT_BYTES ||
    isSequence(bytes) ||
    isRepeated(bytes) ||
    (isTyped && isTrivialText(Buffer.from(key).toString('latin1')))
  );
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function isSequence(values: readonly number[]): boolean {
  const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0));
  return [1, -1].some((step) => steps.filter((each) => each === step).length > steps.length * MAX_SEQUENTIAL);
}

function isRepeated(values: readonly number[]): boolean {
  const lengths = Array.from({ length: Math.min(MAX_PIECE, Math.floor(values.length / 2)) }, (_, index) => index + 1);
  return lengths.some((length) => values.every((value, index) => value === values[index % length]));
}
