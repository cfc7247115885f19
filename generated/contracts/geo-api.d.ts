// Generated from ./openapi/geo-api.yaml; run `npm run codegen` instead of editing.
import type { ValidateFunction } from 'ajv';

/** Documented headers or parameters and content of a message. */
export interface ContractMessage {
  readonly fields: readonly { readonly place: string; readonly name: string; readonly isList: boolean }[];
  /** Validator of all fields, by their places, which gives texts their documented types; absent without a field. */
  readonly validateFields?: ValidateFunction;
  /** Validators by media type; undefined without a body. */
  readonly content: Readonly<Record<string, ValidateFunction>> | undefined;
}

/** Documented operation. */
export interface ContractOperation extends ContractMessage {
  readonly operationId: string;
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly template: string;
  /** Matches percent-encoded paths without query; its groups are the parameters of the path. */
  readonly path: RegExp;
  /** True if it needs no credentials. */
  readonly isPublic: boolean;
  /** True if it needs a body. */
  readonly isRequired: boolean;
  /** By status, its class (`4XX`) or `default`. */
  readonly responses: Readonly<Record<string, ContractMessage>>;
}

export const operations: readonly ContractOperation[];
