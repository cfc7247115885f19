import { envelop, useEngine, useSchema } from '@envelop/core';
import {
  execute,
  GraphQLError,
  parse,
  specifiedRules,
  subscribe,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { describeError, GatewayError } from '../../errors.js';
import { operationLimitPlugins, schemaPrivacyPlugins, type OperationLimits } from '../limits/operation-limits.js';

/** Rules for documents, besides the schema. */
export interface DocumentRules {
  readonly limits: OperationLimits & { readonly tokens: number };
  /** True if documents must not query the schema itself. */
  readonly privateSchema: boolean;
}

/** Creates the parser, which refuses documents with more tokens than the limit. */
export function parseWithin({ tokens }: { readonly tokens: number }) {
  return (source: string, settings: object): DocumentNode => {
    try {
      return parse(source, { ...settings, maxLexicalTokens: tokens });
    } catch (error) {
      // graphql-js reports this limit as a syntax error.
      if (!(error instanceof GraphQLError) || !/ tokens\. Parsing aborted\.$/.test(error.message)) throw error;
      const originalError = new GatewayError('TooManyTokens', { limit: tokens });
      const place = { source: error.source ?? null, positions: error.positions ?? null };
      throw new GraphQLError(originalError.message, { originalError, ...place });
    }
  };
}

/** Creates plugins that enforce the rules. */
export function documentRulePlugins({ limits, privateSchema }: DocumentRules): object[] {
  return [...(privateSchema ? schemaPrivacyPlugins() : []), ...operationLimitPlugins(limits)];
}

/**
 * Validates a document by the same rules as requests, without running it.
 *
 * @returns an error message; undefined if valid
 */
export function findDocumentFault(schema: GraphQLSchema, document: string, rules: DocumentRules): string | undefined {
  const engine = { parse: parseWithin(rules.limits), validate, execute, subscribe, specifiedRules };
  const enveloped = envelop({ plugins: [useEngine(engine), useSchema(schema), ...documentRulePlugins(rules)] })();
  try {
    const [error] = enveloped.validate(enveloped.schema, enveloped.parse(document)) as readonly Error[]; // `any` there
    return error?.message;
  } catch (error) {
    return describeError(error);
  }
}
