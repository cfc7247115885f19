import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/base/package-file.js';
import {
  headerText,
  OpenApiContract,
  type JsonObject,
  type MessageHeaders,
  type ContractOperation,
} from '../../src/sandbox/openapi-contract.js';

/** An OpenAPI file of the project. */
export type ContractName = 'gateway' | 'backend-api' | 'geo-api' | 'voip-api';

/** A response to check. */
interface ContractResponse {
  readonly status: number;
  readonly headers: Headers | MessageHeaders;
  /** Parsed JSON body; undefined or an empty text if there is none. */
  readonly body: unknown;
}

/** Statuses that never have content, even if it is documented (RFC 9110, sections 15.3.5 and 15.4.5). */
const WITHOUT_CONTENT = new Set([204, 304]);

/** A contract that responses are checked against as well. */
class TestedContract extends OpenApiContract {
  /** The documented operation for a method and a percent-encoded path without query. */
  operationFor(method: string, path: string): ContractOperation | undefined {
    return this.match(method, path)?.operation;
  }

  /** The deviations of a response from the document. */
  checkResponse({ node }: ContractOperation, { status, headers: given, body }: ContractResponse): string[] {
    // There are several implementations of the Fetch standard.
    const headers: MessageHeaders =
      typeof given.get === 'function' ? Object.fromEntries(given as Headers) : (given as MessageHeaders);
    const responses = this.at(node['responses']);
    const documented = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
    if (documented === undefined) return [`status ${status} is not documented`];
    const response = this.at(documented);
    const ofHeaders = Object.entries(this.at(response['headers'])).flatMap(([name, described]) => {
      const { required, schema } = this.at(described);
      const text = headerText(headers, name);
      if (text === undefined) return required === true ? [`header ${name} is missing`] : [];
      return this.check(`header ${name}`, this.at(schema), this.valueOf(this.at(schema), text));
    });
    if (!WITHOUT_CONTENT.has(status) && response['content'] !== undefined) {
      return [...ofHeaders, ...this.checkContent(response, headers, body)];
    }
    if (body === undefined || body === '') return ofHeaders;
    return [...ofHeaders, `status ${status} is documented without a body`];
  }
}

const contracts = new Map<ContractName, TestedContract>();

/** The contract of this name; read once per test file. */
export function contractOf(name: ContractName): TestedContract {
  const known = contracts.get(name);
  if (known !== undefined) return known;
  const contract = new TestedContract(documentOf(name));
  contracts.set(name, contract);
  return contract;
}

/** The example of an operation's body in its OpenAPI file; undefined without one. */
export function exampleBodyOf(name: ContractName, { node }: ContractOperation): object | undefined {
  const body = node['requestBody'] as ExampleBody | undefined; // what bodies look like there
  const shared = body?.$ref?.split('/').at(-1) ?? '';
  const { components } = documentOf(name);
  const { content } = body?.$ref === undefined ? (body ?? {}) : (components.requestBodies[shared] ?? {});
  return content?.['application/json']?.example;
}

interface ExampleBody {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly example?: object } };
}

function documentOf(name: ContractName): JsonObject & { components: { requestBodies: Record<string, ExampleBody> } } {
  return JSON.parse(readFileSync(packageFile(`generated/openapi/${name}.json`), 'utf8')) as ReturnType<
    typeof documentOf
  >; // written by codegen
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
  const contract = contractOf(name);
  const operation = contract.operationFor(method, path.split('?')[0] ?? path);
  if (operation === undefined) {
    throw new Error(`${method} ${path} is not documented in openapi/${name}.yaml.`);
  }
  const faults = contract.checkResponse(operation, response);
  if (faults.length > 0) {
    throw new Error(
      [
        `${method} ${path} answered ${response.status} in a way that openapi/${name}.yaml does not document:`,
        ...faults.map((fault) => `- ${fault}`),
      ].join('\n'),
    );
  }
}
