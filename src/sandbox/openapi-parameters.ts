import type { Parameter, SchemaLocation } from './openapi-operations.js';

/** Headers of Node or of the Fetch standard; names in lower case. */
export type MessageHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

type FetchHeaders = Pick<Headers, 'get'>;

/** Sources of the texts of parameters. */
export interface ParameterTexts {
  /** Decoded texts of the path parameters. */
  readonly texts: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: MessageHeaders;
}

/** Returns the text of a header; repeated ones are joined (RFC 9110, section 5.3). */
export function headerText(headers: MessageHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/**
 * Returns the value of a parameter, undefined if absent. Invalid numbers and booleans stay texts, so that the schema
 * refuses them; a list for a single value stays a list for the same reason.
 */
export function parameterValue(parameter: Parameter, { texts, query, headers }: ParameterTexts): unknown {
  if (parameter.in === 'query') return queryValue(parameter, query.getAll(parameter.name));
  const text = parameter.in === 'path' ? texts[parameter.name] : headerText(headers, parameter.name);
  return text === undefined ? undefined : valueOf(parameter.schema, text);
}

/** Converts the text of a parameter or header to the type of its schema. */
export function valueOf(location: SchemaLocation | undefined, text: string): unknown {
  if (isArray(location)) return text.split(',').map((entry) => typed(entry, location?.itemType));
  return typed(text, location?.schema['type']);
}

function queryValue(parameter: Parameter, texts: readonly string[]): unknown {
  const [first, ...others] = texts;
  if (first === undefined) return undefined;
  if (isArray(parameter.schema) && parameter.explode) {
    return texts.map((text) => typed(text, parameter.schema?.itemType));
  }
  return others.length > 0 ? texts : valueOf(parameter.schema, first);
}

function isArray(location: SchemaLocation | undefined): boolean {
  return location?.schema['type'] === 'array';
}

function typed(text: string, type: unknown): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Avoids `instanceof`: there are several implementations of the Fetch standard. */
function isFetchHeaders(headers: MessageHeaders): headers is FetchHeaders {
  return typeof headers.get === 'function';
}
