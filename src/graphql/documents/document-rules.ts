import { envelop, useEngine, useSchema } from '@envelop/core';
import { execute, parse, specifiedRules, subscribe, validate, type DocumentNode, type GraphQLSchema } from 'graphql';
import { describeError } from '../../errors.js';
import { operationLimitPlugins, schemaPrivacyPlugins, type OperationLimits } from '../limits/operation-limits.js';

/** What every document is held to, besides the schema. */
export interface DocumentRules {
  readonly limits: OperationLimits & { readonly tokens: number };
  /** Whether documents must not ask for the schema itself. */
  readonly privateSchema: boolean;
}

/** Parses documents up to the limit on tokens. */
export function parseWithin({
  tokens,
}: {
  readonly tokens: number;
}): (source: string, settings: object) => DocumentNode {
  return (source, settings) => parse(source, { ...settings, maxTokens: tokens });
}

/** Plugins that hold documents to the rules. */
export function documentRulePlugins({ limits, privateSchema }: DocumentRules): object[] {
  return [...operationLimitPlugins(limits), ...(privateSchema ? schemaPrivacyPlugins() : [])];
}

/**
 * What is wrong with a document, by the very rules that requests are held to, without running it.
 *
 * @returns a sentence; undefined when all is well
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
