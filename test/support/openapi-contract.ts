import { readFileSync } from 'node:fs';
import { operations as backendApi, type ContractOperation } from '../../generated/contracts/backend-api.js';
import { operations as gateway } from '../../generated/contracts/gateway.js';
import { operations as geoApi } from '../../generated/contracts/geo-api.js';
import { operations as voipApi } from '../../generated/contracts/voip-api.js';
import { packageFile } from '../../src/base/package-file.js';
import { checkContent, checkFields, findOperation, type MessageHeaders } from '../../src/sandbox/openapi-contract.js';

/** The operations of the OpenAPI files of the project. */
export const CONTRACTS = { gateway, 'backend-api': backendApi, 'geo-api': geoApi, 'voip-api': voipApi };

export type ContractName = keyof typeof CONTRACTS;

/** A response to check. */
interface ContractResponse {
  readonly status: number;
  readonly headers: Headers | MessageHeaders;
  /** Parsed JSON body; undefined or an empty text if there is none. */
  readonly body: unknown;
}

/** Statuses that never have content, even if it is documented (RFC 9110, sections 15.3.5 and 15.4.5). */
const WITHOUT_CONTENT = new Set([204, 304]);

/** The documented operation of a contract for a method and a percent-encoded path without query. */
export function operationFor(name: ContractName, method: string, path: string): ContractOperation | undefined {
  return findOperation(CONTRACTS[name], method, path)?.operation;
}

/** The deviations of a response from the document. */
function deviations({ responses }: ContractOperation, { status, headers: given, body }: ContractResponse): string[] {
  // There are several implementations of the Fetch standard.
  const headers: MessageHeaders =
    typeof given.get === 'function' ? Object.fromEntries(given as Headers) : (given as MessageHeaders);
  const documented = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
  if (documented === undefined) return [`status ${status} is not documented`];
  const { violations } = checkFields(documented, (_place, name) => headers[name.toLowerCase()]);
  if (!WITHOUT_CONTENT.has(status) && documented.content !== undefined) {
    return [...violations, ...checkContent(documented.content, headers, body)];
  }
  if (body === undefined || body === '') return violations;
  return [...violations, `status ${status} is documented without a body`];
}

/** The example of an operation's body in the OpenAPI file of backend-api; undefined without one. */
export function exampleBodyOf({ method, template }: ContractOperation): object | undefined {
  const file = packageFile('generated/openapi/backend-api.json');
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8')) as ExampleDocument; // written by codegen
  const body = paths[template]?.[method.toLowerCase()]?.requestBody;
  const shared = components.requestBodies[body?.$ref?.split('/').at(-1) ?? ''];
  return (shared ?? body)?.content?.['application/json']?.example;
}

interface ExampleBody {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly example?: object } };
}

interface ExampleDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: ExampleBody }>>>>;
  readonly components: { readonly requestBodies: Readonly<Record<string, ExampleBody>> };
}

/**
 * Fails unless the reply is one that the OpenAPI file documents: status, required and documented headers,
 * content type and body.
 *
 * @param path without BASE_PATH; a query is ignored
 * @param response headers in lower case unless they are `Headers`; `body` is the parsed value of a JSON
 *   body, undefined or the empty text when there is none, and anything for other media types
 */
export function expectReplyToMatch(name: ContractName, method: string, path: string, response: ContractResponse): void {
  const operation = operationFor(name, method, path.split('?')[0] ?? path);
  if (operation === undefined) {
    throw new Error(`${method} ${path} is not documented in openapi/${name}.yaml.`);
  }
  const faults = deviations(operation, response);
  if (faults.length > 0) {
    throw new Error(
      [
        `${method} ${path} answered ${response.status} in a way that openapi/${name}.yaml does not document:`,
        ...faults.map((fault) => `- ${fault}`),
      ].join('\n'),
    );
  }
}
