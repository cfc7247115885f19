import { readFileSync } from 'node:fs';
import type { Environment } from './config.js';
import { listOf, MAX_SETTINGS_BYTES, requireBoundedFile } from './variable.js';
import { percentDecoded } from '../wire/decode-utf8.js';

/** Tells what is wrong with the text of a variable, in words after its name; undefined if nothing is. */
type Judge = (text: string) => string | undefined;

const oneOf =
  (...values: readonly string[]): Judge =>
  (text) =>
    values.includes(text) ? undefined : `must be ${values.join(', ').replace(/, ([^,]*)$/, ' or $1')}.`;

const wholeFrom =
  (min: number): Judge =>
  (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min ? undefined : `must be a whole number from ${min}.`;

const ratio: Judge = (text) =>
  /^[\d.e-]+$/i.test(text) && Number(text) >= 0 && Number(text) <= 1 ? undefined : 'must be a number from 0 to 1.';

/** Name of a header (RFC 9110, section 5.6.2), and of an attribute. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The text may hold the key of a collector, and is not repeated. */
const pairs: Judge = (text) => {
  const isPair = (entry: string): boolean => {
    const [name = '', ...value] = entry.split('=');
    const decoded = value.length > 0 ? percentDecoded(value.join('=')) : undefined;
    return NAME.test(name.trim()) && decoded !== undefined && !/\p{Cc}/u.test(decoded);
  };
  return listOf(text).every(isPair) ? undefined : 'must be name=value, comma-separated, with percent-encoded values.';
};

const pemFile: Judge = (path) => {
  try {
    requireBoundedFile(path, MAX_SETTINGS_BYTES);
    return readFileSync(path, 'latin1').includes('-----BEGIN ') ? undefined : 'names a file that is not PEM.';
  } catch {
    return 'names a file that cannot be read.';
  }
};

/** Settings of the exporter, which may also stand with `_TRACES` for traces alone. */
const OF_EXPORTER: Readonly<Record<string, Judge>> = {
  PROTOCOL: oneOf('http/json'),
  COMPRESSION: oneOf('none', 'gzip'),
  TIMEOUT: wholeFrom(1),
  HEADERS: pairs,
  CERTIFICATE: pemFile,
  CLIENT_CERTIFICATE: pemFile,
  CLIENT_KEY: pemFile,
};

const LIMITS = ['ATTRIBUTE', 'SPAN_ATTRIBUTE'].flatMap((of) => [`${of}_VALUE_LENGTH_LIMIT`, `${of}_COUNT_LIMIT`]);
const COUNTS = ['SPAN_LINK', 'SPAN_EVENT', 'SPAN_ATTRIBUTE_PER_EVENT', 'SPAN_ATTRIBUTE_PER_LINK'];

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];

const JUDGES: Readonly<Record<string, Judge>> = {
  TRACES_SAMPLER: oneOf(...SAMPLERS, ...SAMPLERS.map((sampler) => `parentbased_${sampler}`)),
  TRACES_SAMPLER_ARG: ratio,
  BSP_MAX_QUEUE_SIZE: wholeFrom(1),
  BSP_MAX_EXPORT_BATCH_SIZE: wholeFrom(1),
  BSP_SCHEDULE_DELAY: wholeFrom(0),
  BSP_EXPORT_TIMEOUT: wholeFrom(1),
  RESOURCE_ATTRIBUTES: pairs,
  ...Object.fromEntries([...LIMITS, ...COUNTS.map((of) => `${of}_COUNT_LIMIT`)].map((name) => [name, wholeFrom(0)])),
  ...Object.fromEntries(
    Object.entries(OF_EXPORTER).flatMap(([name, judge]) =>
      ['', 'TRACES_'].map((signal) => [`EXPORTER_OTLP_${signal}${name}`, judge]),
    ),
  ),
};

/** The SDK's own default of OTEL_BSP_MAX_QUEUE_SIZE. */
const QUEUE_SIZE = 2_048;

/**
 * Finds the variables that the OpenTelemetry SDK reads itself and would replace by their defaults without a word.
 *
 * @returns a line for each, without its value
 */
export function findTracingFaults(environment: Environment): readonly string[] {
  const given = (name: string): string | undefined => environment[`OTEL_${name}`]?.trim() || undefined;
  const faults = Object.entries(JUDGES).flatMap(([name, judge]) => {
    const text = given(name);
    const fault = text === undefined ? undefined : judge(text);
    return fault === undefined ? [] : [`OTEL_${name} ${fault}`];
  });
  if (faults.length > 0) return faults;
  if (given('TRACES_SAMPLER')?.endsWith('traceidratio') && given('TRACES_SAMPLER_ARG') === undefined) {
    return ['OTEL_TRACES_SAMPLER_ARG is required by this OTEL_TRACES_SAMPLER.'];
  }
  return Number(given('BSP_MAX_EXPORT_BATCH_SIZE') ?? 0) > Number(given('BSP_MAX_QUEUE_SIZE') ?? QUEUE_SIZE)
    ? ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE must be at most OTEL_BSP_MAX_QUEUE_SIZE.']
    : [];
}
