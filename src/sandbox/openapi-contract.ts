import type { ValidateFunction } from 'ajv';
import {
  operations as backendApi,
  type ContractMessage,
  type ContractOperation,
} from '../../generated/contracts/backend-api.js';
import { operations as geoApi } from '../../generated/contracts/geo-api.js';
import { operations as voipApi } from '../../generated/contracts/voip-api.js';
import { percentDecoded } from '../base/wire/decode-utf8.js';
import { jsonIn } from '../base/wire/json-content.js';

/** Headers by their names in lower case. */
export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type ReadRequest = NonNullable<ReturnType<typeof readContractRequest>>;

const CONTRACTS = { 'backend-api': backendApi, 'geo-api': geoApi, 'voip-api': voipApi };

/**
 * Reads and checks a request to a backend. `violations` is empty exactly if the request keeps the contract.
 *
 * @param url still percent-encoded
 * @param text the body; empty if there is none
 * @returns undefined if no operation is documented for it
 */
export function readContractRequest(
  backend: keyof typeof CONTRACTS,
  method: string,
  { pathname, searchParams: query }: URL,
  headers: MessageHeaders,
  text: string,
) {
  const found = findOperation(CONTRACTS[backend], method, pathname);
  if (found === undefined) return undefined;
  const { operation, texts } = found;
  const { values, violations } = checkFields(operation, (place, name) => {
    if (place === 'path') return texts[name];
    const given = query.getAll(name);
    // A repeated parameter stays a list, which the schema refuses.
    return place === 'query' ? (given.length > 1 ? given : given[0]) : headerText(headers, name);
  });
  const { path = {}, query: inQuery = {}, header = {} } = values;
  for (const name of new Set(query.keys())) {
    if (!(name in inQuery)) violations.push(`query parameter ${name} is unknown`);
  }
  const body = text === '' ? undefined : jsonIn(text);
  if (text === '') violations.push(...(operation.isRequired ? ['body is missing'] : []));
  else if (operation.content === undefined) violations.push('body is not allowed here');
  else if (body === undefined) violations.push('body is not JSON');
  else violations.push(...checkContent(operation.content, headers, body));
  return { operation, path, query: inQuery, header, body, violations };
}

/** Finds the operation for a method and a percent-encoded path, with the decoded parameters of the path. */
export function findOperation(operations: readonly ContractOperation[], method: string, path: string) {
  for (const operation of operations) {
    const match = operation.method === method.toUpperCase() ? operation.path.exec(path) : null;
    const texts = Object.entries(match?.groups ?? {}).map(([name, text]) => [name, percentDecoded(text)] as const);
    // A path that is not percent-encoded is none.
    if (match && texts.every(([, text]) => text !== undefined)) return { operation, texts: Object.fromEntries(texts) };
  }
  return undefined;
}

/** Reads and checks the parameters or headers of a message. @param find returns what was given for one */
export function checkFields(
  { fields, validateFields }: ContractMessage,
  find: (place: string, name: string) => string | readonly string[] | undefined,
) {
  const values: Record<string, Record<string, unknown>> = {};
  for (const { place, name, isList } of fields) {
    const given = find(place, name);
    const there = (values[place] ??= {});
    if (given !== undefined) there[name] = isList && typeof given === 'string' ? given.split(',') : given;
  }
  const violations = errorsOf(validateFields, values).map(({ instancePath, params, message }) => {
    const [, place = '', name = ''] = /^\/(\w+)\/?(.*)/.exec(instancePath) ?? [];
    const label = place === 'headers' ? 'header' : `${place} parameter`;
    return name === '' ? `${label} ${params['missingProperty']} is missing` : `${label} ${name} ${message}`;
  });
  return { values, violations };
}

/** Checks a body against the documented content of a message. */
export function checkContent(content: NonNullable<ContractMessage['content']>, headers: MessageHeaders, body: unknown) {
  const mediaType = headerText(headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const validate = content[mediaType];
  if (validate === undefined) {
    return [`content type is ${JSON.stringify(mediaType)}, not ${Object.keys(content).join(' or ')}`];
  }
  return errorsOf(validate, body).map(({ instancePath, message }) => `body${instancePath} ${message}`);
}

function errorsOf(validate: ValidateFunction | undefined, value: unknown) {
  return validate === undefined || validate(value) ? [] : (validate.errors ?? []);
}

/** Returns the text of a header; repeated ones are joined (RFC 9110, section 5.3). */
function headerText(headers: MessageHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}
