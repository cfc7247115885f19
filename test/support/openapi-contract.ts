import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/package-file.js';
import { OpenApiContract, type ContractResponse, type Operation } from '../../src/sandbox/openapi-contract.js';

/** An OpenAPI file of the project. */
export type ContractName = 'gateway' | 'backend-api' | 'geo-api' | 'voip-api';

/** The contract of this name; read once per test file. */
export function contractOf(name: ContractName): OpenApiContract {
  return OpenApiContract.load(name);
}

/** The example of an operation's body in its OpenAPI file; undefined without one. */
export function exampleBodyOf(name: ContractName, { node }: Operation): object | undefined {
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

function documentOf(name: ContractName): { components: { requestBodies: Record<string, ExampleBody> } } {
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
