import {
  BREAK,
  GraphQLError,
  Kind,
  Lexer,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
  ValuesOfCorrectTypeRule,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type Token,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import {
  faultOf,
  describeError,
  GatewayError,
  invalidInput,
  MAX_FAULTS,
  type FieldFault,
} from '../../../base/errors.js';
import { asGraphQLError } from '../error-mapping.js';
import { typeFault } from '../execution/variable-faults.js';
import type { Limits } from '../../../base/config/config.js';
import { operationLimitRules } from '../limits/operation-limits.js';

export interface DocumentRules {
  readonly limits: Limits;
  /** True if the schema is hidden: no introspection, no field suggestions. */
  readonly privateSchema: boolean;
}

/** Creates the parser, which refuses documents with more tokens than the limit. */
export function parseWithin({ graphqlMaxTokens }: Limits) {
  return (source: string, settings: object): DocumentNode =>
    parse(source, { ...settings, lexer: new BoundedLexer(new Source(source), graphqlMaxTokens) });
}

/** Ends at the first token beyond a limit. The parser has such a limit too, but only the text of its error tells it. */
class BoundedLexer extends Lexer {
  readonly #limit: number;
  #count = 0;

  constructor(source: Source, limit: number) {
    super(source);
    this.#limit = limit;
  }

  override advance(): Token {
    const token = super.advance();
    if (token.kind !== TokenKind.EOF) this.#count += 1;
    if (this.#count <= this.#limit) return token;
    const place = { source: this.source, positions: [token.start] };
    throw asGraphQLError(new GatewayError('TooManyTokens', { limit: this.#limit }), place);
  }
}

/** Creates validation, which words wrong literals like wrong variables. @param hideSuggestions spares their search */
export function validateWith({ hideSuggestions }: { readonly hideSuggestions: boolean }) {
  return (schema: GraphQLSchema, document: DocumentNode, rules = specifiedRules): readonly GraphQLError[] => {
    const worded = rules.map((rule) => (rule === ValuesOfCorrectTypeRule ? literalsOfCorrectType : rule));
    const errors = validate(schema, document, worded, { maxErrors: MAX_FAULTS, hideSuggestions });
    // The last of too many errors tells only that validation has stopped, and has no place.
    return errors.slice(0, MAX_FAULTS);
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
  let fault = type ? typeFault(type) : faultOf('NotValid');
  if (missing) fault = faultOf('Required');
  else if (UNKNOWN.test(text)) fault = faultOf('UnknownMember');
  else if (node.kind === Kind.NULL) fault = faultOf('Null');
  const path = [...placeOf(node, context.getDocument()), ...(missing ?? [])];
  return asGraphQLError(invalidInput([{ path, ...fault }]), { nodes: node });
}

/** Returns the path of a literal: the name of its argument or variable, then fields and indexes. */
function placeOf(literal: ASTNode, document: DocumentNode): FieldFault['path'] {
  let place: FieldFault['path'] = [];
  visit(document, {
    enter(node, _key, parent, path, ancestors) {
      if (node !== literal) return undefined;
      for (const [depth, each] of [...ancestors, parent ?? document, node].entries()) {
        const index = path[depth];
        if (!('kind' in each)) place = path[depth - 1] === 'values' && index !== undefined ? [...place, index] : place;
        else if (each.kind === Kind.ARGUMENT) place = [each.name.value];
        else if (each.kind === Kind.VARIABLE_DEFINITION) place = [each.variable.name.value];
        else if (each.kind === Kind.OBJECT_FIELD) place = [...place, each.name.value];
      }
      return BREAK;
    },
  });
  return place;
}

export function documentRulesPlugin(rules: DocumentRules): Plugin {
  return { onValidate: ({ addValidationRule }) => ownRules(rules).forEach(addValidationRule) };
}

function ownRules({ limits, privateSchema }: DocumentRules): readonly ValidationRule[] {
  return [...(privateSchema ? [noIntrospection] : []), ...operationLimitRules(limits)];
}

/** Refuses introspection, with this error even if a limit is exceeded as well. */
const noIntrospection: ValidationRule = () => ({
  Document(document) {
    visit(document, {
      Field(node) {
        if (node.name.value !== '__schema' && node.name.value !== '__type') return;
        throw asGraphQLError(new GatewayError('IntrospectionOff'), { nodes: node });
      },
    });
  },
});

/** Validates a document by the same rules as requests, without running it. @returns a message; undefined if valid */
export function findDocumentFault(schema: GraphQLSchema, document: string, rules: DocumentRules): string | undefined {
  try {
    const parsed = parseWithin(rules.limits)(document, {});
    const validateDocument = validateWith({ hideSuggestions: false });
    return validateDocument(schema, parsed, [...specifiedRules, ...ownRules(rules)])[0]?.message;
  } catch (error) {
    return describeError(error);
  }
}
