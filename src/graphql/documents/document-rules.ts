import { envelop, useEngine, useSchema } from '@envelop/core';
import {
  BREAK,
  execute,
  GraphQLError,
  Kind,
  parse,
  specifiedRules,
  subscribe,
  validate,
  ValuesOfCorrectTypeRule,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { faultOf, describeError, GatewayError, invalidInput, MAX_FAULTS, type FieldFault } from '../../errors.js';
import { misfit } from '../execution/variable-faults.js';
import { operationLimitRules, type OperationLimits } from '../limits/operation-limits.js';

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

/** Creates validation, which words wrong literals like wrong variables. @param hideSuggestions spares their search */
export function validateWith({ hideSuggestions }: { readonly hideSuggestions: boolean }) {
  return (schema: GraphQLSchema, document: DocumentNode, rules = specifiedRules): readonly GraphQLError[] => {
    const worded = rules.map((rule) => (rule === ValuesOfCorrectTypeRule ? literalsOfCorrectType : rule));
    const errors = validate(schema, document, worded, { maxErrors: MAX_FAULTS, hideSuggestions });
    // The last of too many errors tells only that validation has stopped, and has no place.
    return errors.length > MAX_FAULTS ? errors.slice(0, MAX_FAULTS) : errors;
  };
}

const literalsOfCorrectType: ValidationRule = (context) => {
  const reportError = (error: GraphQLError): void => context.reportError(ofLiteral(error, context));
  return ValuesOfCorrectTypeRule(Object.create(context, { reportError: { value: reportError } }) as ValidationContext);
};

/** Texts of graphql-js about fields of an object in a document. */
const REQUIRED = /^Field "\w+\.(\w+)" of required type/;
const UNKNOWN = /^Field "\w+" is not defined by type/;

/** Words the error of a literal, in a context that has just entered it. */
function ofLiteral({ message: text, nodes: [node] = [] }: GraphQLError, context: ValidationContext): GraphQLError {
  if (node === undefined) return new GraphQLError(text);
  const missing = REQUIRED.exec(text)?.slice(1);
  const type = context.getInputType();
  let fault = type ? misfit(type) : faultOf('NotValid');
  if (missing) fault = faultOf('Required');
  else if (UNKNOWN.test(text)) fault = faultOf('UnknownMember');
  else if (node.kind === Kind.NULL) fault = faultOf('Null');
  const originalError = invalidInput([
    { path: [...placeOf(node, context.getDocument()), ...(missing ?? [])], ...fault },
  ]);
  return new GraphQLError(originalError.message, { originalError, nodes: node });
}

/** Returns the path of a literal: the name of its argument or variable, then fields and indexes. */
function placeOf(literal: ASTNode, document: DocumentNode): FieldFault['path'] {
  let keys: readonly (string | number)[] = [];
  visit(document, {
    enter(node, _key, _parent, path) {
      if (node !== literal) return undefined;
      keys = [...path];
      return BREAK;
    },
  });
  let place: readonly (string | number)[] = [];
  let node: unknown = document;
  for (const [depth, key] of keys.entries()) {
    node = Reflect.get(Object(node) as object, key);
    if (keys[depth - 1] === 'values') place = [...place, key];
    if (!isNode(node)) continue;
    if (node.kind === Kind.ARGUMENT) place = [node.name.value];
    else if (node.kind === Kind.VARIABLE_DEFINITION) place = [node.variable.name.value];
    else if (node.kind === Kind.OBJECT_FIELD) place = [...place, node.name.value];
  }
  return place;
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** Creates the plugin that enforces the rules. */
export function documentRulesPlugin({ limits, privateSchema }: DocumentRules): Plugin {
  const rules = [...(privateSchema ? [noIntrospection] : []), ...operationLimitRules(limits)];
  return { onValidate: ({ addValidationRule }) => rules.forEach(addValidationRule) };
}

/** Refuses introspection, with this error even if a limit is exceeded as well. */
const noIntrospection: ValidationRule = () => ({
  Document(document) {
    visit(document, {
      Field(node) {
        if (node.name.value !== '__schema' && node.name.value !== '__type') return;
        const originalError = new GatewayError('IntrospectionOff');
        throw new GraphQLError(originalError.message, { originalError, nodes: node });
      },
    });
  },
});

/**
 * Validates a document by the same rules as requests, without running it.
 *
 * @returns an error message; undefined if valid
 */
export function findDocumentFault(schema: GraphQLSchema, document: string, rules: DocumentRules): string | undefined {
  const engine = {
    parse: parseWithin(rules.limits),
    validate: validateWith({ hideSuggestions: false }),
    execute,
    subscribe,
    specifiedRules,
  };
  const enveloped = envelop({ plugins: [useEngine(engine), useSchema(schema), documentRulesPlugin(rules)] })();
  try {
    const [error] = enveloped.validate(enveloped.schema, enveloped.parse(document)) as readonly Error[]; // `any` there
    return error?.message;
  } catch (error) {
    return describeError(error);
  }
}
