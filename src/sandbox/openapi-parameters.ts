import type { Parameter, SchemaLocation } from './openapi-operations.js';

/** Headers as Node or the Fetch standard give them; names in lower case. */
export type MessageHeaders = FetchHeaders | Readonly<Record<string, string | readonly string[] | undefined>>;

type FetchHeaders = Pick<Headers, 'get'>;

/** Where the texts of a request's parameters are. */
export interface ParameterTexts {
  /** Decoded texts of the path parameters. */
  readonly texts: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: MessageHeaders;
}

/** The one text of a header; entries of a repeated one are joined as RFC 9110, section 5.3 says. */
export function headerText(headers: MessageHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/**
 * The value of a parameter, undefined when it was not given. Texts that should be numbers or booleans and
 * are not stay texts, so that the schema refuses them; so does a list given for a single value.
 */
export function parameterValue(parameter: Parameter, { texts, query, headers }: ParameterTexts): unknown {
  if (parameter.in === 'query') return queryValue(parameter, query.getAll(parameter.name));
  const text = parameter.in === 'path' ? texts[parameter.name] : headerText(headers, parameter.name);
  return text === undefined ? undefined : valueOf(parameter.schema, text);
}

/** The value that a parameter's or header's text stands for. */
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

/** Not `instanceof`: there is more than one implementation of the Fetch standard. */
function isFetchHeaders(headers: MessageHeaders): headers is FetchHeaders {
  return typeof headers.get === 'function';
}
