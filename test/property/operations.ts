/** Valid operations over the SDL, extended by places that it has none of, and what resolvers do with them. */
import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLNonNull,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';
import { createSchema } from 'graphql-yoga';
import { GatewayError } from '../../src/base/errors.js';
import { readTypeDefs } from '../../src/gateway/graphql/schema.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';

/** Places for variables, and fields that fail, of kinds that the SDL has little or nothing of. */
const MORE = `
  extend type Query {
    probe(
      json: JSON, jsons: [JSON!], numbers: [Int!], matrix: [[Int!]!], required: Int! = 3, text: String = "t"
      kind: JobKind = MOBILES, input: ProbeInput, inputs: [ProbeInput!], ratio: Float, id: ID, flag: Boolean
      ids: [ID!], kinds: [JobKind!]
    ): Probe
    anyJob(jobId: ID!): JobStatus
    certain: String!
  }
  extend type Mutation { change(input: ProbeInput!, json: JSON, number: Int! = 1): Probe certainly(number: Int!): Probe! }
  input ProbeInput {
    number: Int = 4 required: Int! json: JSON list: [Int] matrix: [[JSON]] nested: ProbeInput kind: JobKind text: String
    id: ID ids: [ID!] type: UserAccountOperationType
  }
  type Probe {
    text: String! number: Int! ratio: Float json: JSON jsons: [JSON] kind: JobKind when: DateTime names: [String!]
    id: ID! ids: [ID!] kinds: [JobKind!] code: JobFailureCode!
    label: String! item: Probe items: [Probe!]! others: [Probe] same: Probe! job: JobStatus jobs: [JobStatus!]
  }
`;

/** Fields below the root that have resolvers of their own, as those of the gateway, and more. */
const RESOLVED: Readonly<Record<string, readonly string[]>> = {
  Mobile: ['tags', 'position', 'voice'],
  Position: ['address'],
  MobileEdge: ['node'],
  UserAccountEdge: ['node'],
  UserAccount: ['indivs', 'vptGrps'],
  DrivingReportsStatus: ['downloadUrl'],
  Probe: ['label', 'item', 'others', 'job', 'jobs'],
};

/** Random choices that follow from a seed alone. */
export function chanceFrom(seed: string | number) {
  const random = randomFrom(seed);
  return {
    next: () => random.next(),
    is: (probability: number) => random.chance(probability),
    of: <T>(values: readonly T[]): T => values[random.integer(0, values.length - 1)] as T, // none is empty
  };
}

type Chance = ReturnType<typeof chanceFrom>;

/** The part of the context of an operation that resolvers read. */
export interface ProbedContext {
  /** Decides all that they return. */
  readonly seed: number;
  /** How often they fail, from 0 to 1. */
  readonly failures: number;
  /** The calls of resolvers, in their order. */
  readonly asked: string[];
  /** Makes the outcome of a resolver that does not end; every resolver ends without it. */
  readonly hang?: () => unknown;
}

/** Share of the resolvers that do not end, where some do not. */
const HANGING = 0.2;

/** The schema with resolvers whose outcomes follow from the seed and the path. */
export function createProbedSchema(): GraphQLSchema {
  const schema = createSchema({
    typeDefs: [...readTypeDefs(), MORE],
    resolvers: {
      DateTime: GraphQLDateTime,
      JSON: GraphQLJSON,
      JobStatus: { __resolveType: ({ __typename: name }: { readonly __typename: string }) => name },
    },
  });
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
    for (const field of Object.values(type.getFields())) {
      if (!isRoot && !RESOLVED[type.name]?.includes(field.name)) continue;
      field.resolve = (_source, args: object, context: ProbedContext, info): unknown =>
        resolve(schema, args, context, info);
    }
  }
  return schema;
}

function resolve(schema: GraphQLSchema, args: object, context: ProbedContext, info: GraphQLResolveInfo): unknown {
  const path = pathOf(info.path);
  // Resolvers take arguments by their names.
  context.asked.push(
    `${path} ${JSON.stringify(Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1)))}`,
  );
  const chance = chanceFrom(`${context.seed} ${path}`);
  const values = new Values(schema, chance, context.failures);
  // Within a list graphql-js leaves the failure of an earlier entry unhandled when a later one fails at once.
  const mayWait = !isNonNullType(info.returnType) || info.path.prev === undefined;
  if (context.hang && mayWait && chance.is(HANGING)) return context.hang();
  if (!chance.is(context.failures)) {
    const value = values.of(info.returnType, 3);
    return mayWait && chance.is(0.5) ? Promise.resolve(value) : value;
  }
  const error = chance.is(0.5)
    ? new GatewayError('RefusedByBackend', { backendText: `Refused at ${path}.` })
    : new Error(`failed at ${path}`);
  return chance.of<() => unknown>([
    ...(mayWait ? [() => Promise.reject(error), () => Promise.resolve(null)] : []),
    () => error,
    () => null,
    () => undefined,
    () => {
      throw error;
    },
  ])();
}

function pathOf(path: GraphQLResolveInfo['path'] | undefined): string {
  return path === undefined ? '' : `${pathOf(path.prev)}.${path.key}`;
}

/** Values that resolvers return, most of them right. */
class Values {
  constructor(
    readonly schema: GraphQLSchema,
    readonly chance: Chance,
    readonly failures: number,
  ) {}

  of(declared: GraphQLOutputType, depth: number): unknown {
    const { chance, failures } = this;
    if (chance.is(failures / 12))
      return chance.of([null, undefined, {}, 'wrong', NaN, 2 ** 40, true, new Error('lies there')]);
    if (!isNonNullType(declared) && chance.is(0.1)) return null;
    const type = getNullableType(declared);
    if (isListType(type)) {
      const length = depth > 0 ? Math.floor(chance.next() * 3) : 0;
      return Array.from({ length }, () => this.of(type.ofType, depth - 1));
    }
    if (isCompositeType(type)) return this.#object(type, depth - 1);
    if (isEnumType(type)) return chance.of(type.getValues()).value;
    const leaves: Readonly<Record<string, readonly unknown[]>> = {
      Int: [0, 1, 42, -7, '5', true],
      Float: [0.5, 3, '1.5'],
      String: ['', 'text', 'テキスト', 5, false],
      ID: ['a1', 7, '007', 0, Number.MAX_SAFE_INTEGER],
      Boolean: [true, false, 1],
      JSON: [{ a: [1, null, 'x'] }, [], 'json', 1.5, true],
      DateTime: [new Date(0), '2026-11-20T09:15:00+09:00'],
    };
    return chance.of(leaves[type.name] ?? ['?']);
  }

  #object(type: GraphQLCompositeType, depth: number): unknown {
    const { chance, schema } = this;
    const concrete = isAbstractType(type) ? chance.of(schema.getPossibleTypes(type)) : type;
    const object: Record<string, unknown> = { __typename: concrete.name };
    for (const field of Object.values(concrete.getFields())) {
      if (field.resolve !== undefined) continue;
      // A `Probe` has another one.
      const isEndless = depth <= 0 && isCompositeType(getNamedType(field.type));
      const value = isEndless ? null : this.of(field.type, depth);
      const isOdd = chance.is(this.failures / 12);
      object[field.name] =
        isOdd && chance.is(0.5) ? () => value : isOdd && !isNonNullType(field.type) ? Promise.resolve(value) : value;
    }
    return object;
  }
}

/** Whether a field is one as front ends mostly select them: of an object or a leaf, and without a resolver that must not fail. */
function isUsual({ type, resolve: resolver }: GraphQLField<unknown, unknown>): boolean {
  return !isAbstractType(getNamedType(type)) && !(resolver !== undefined && isNonNullType(type));
}

export interface GeneratedOperation {
  readonly document: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** Writes operations that are valid, most of the time. */
export class OperationWriter {
  readonly #schema: GraphQLSchema;
  readonly #chance: Chance;
  /** Whether it has what is rare: directives, several root fields, interfaces, variables within literals. */
  readonly #isOdd: boolean;
  readonly #fragments = new Map<string, string>();
  readonly #variables = new Map<string, GraphQLInputType>();
  readonly #defaults = new Map<string, string>();
  readonly #args = new Map<string, string>();

  constructor(schema: GraphQLSchema, chance: Chance) {
    this.#schema = schema;
    this.#chance = chance;
    this.#isOdd = chance.is(0.4);
  }

  write(): GeneratedOperation {
    const chance = this.#chance;
    const kind = chance.is(0.2) ? 'mutation' : 'query';
    const root = kind === 'query' ? this.#schema.getQueryType() : this.#schema.getMutationType();
    if (!root) throw new Error('The schema has no root type.');
    const selection = this.#isOdd
      ? this.#selection(root, 3)
      : `{ ${this.#field(root, chance.of(Object.values(root.getFields())), 3)} }`;
    const definitions = [...this.#variables].map(
      ([name, type]) => `$${name}: ${type.toString()}${this.#defaultOf(name)}`,
    );
    const head = definitions.length > 0 ? `${kind} Asked(${definitions.join(', ')})` : `${kind} Asked`;
    const other = chance.is(0.1) ? ' query Other { serviceVersion }' : '';
    const operationName = other !== '' || chance.is(0.1) ? 'Asked' : undefined;
    const document = `${head} ${selection}${other} ${[...this.#fragments.values()].join(' ')}`;
    return { document, operationName, variables: this.#values() };
  }

  #defaultOf(name: string): string {
    const value = this.#defaults.get(name);
    return value === undefined ? '' : ` = ${value}`;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const chance = this.#chance;
    const count = 1 + Math.floor(chance.next() * 3);
    const selections = Array.from({ length: count }, () => this.#selected(type, depth));
    // Repeated response names are merged.
    if (chance.is(0.3)) selections.push(chance.of(selections));
    return `{ ${selections.join(' ')} }`;
  }

  #selected(type: GraphQLCompositeType, depth: number): string {
    const chance = this.#chance;
    if (depth > 0 && chance.is(0.15)) return `... ${this.#directive()} ${this.#selection(type, depth - 1)}`;
    if (depth > 0 && chance.is(0.15)) {
      const condition = this.#condition(type);
      return `... on ${condition.name} ${this.#directive()} ${this.#selection(condition, depth - 1)}`;
    }
    if (depth > 0 && chance.is(0.2)) return `...${this.#fragment(type, depth)} ${this.#directive()}`;
    const fields: readonly GraphQLField<unknown, unknown>[] =
      'getFields' in type ? Object.values(type.getFields()) : [];
    if (chance.is(0.05)) return '__typename';
    const usual = fields.filter((field) => this.#isOdd || isUsual(field));
    const leaves = usual.filter((field) => isLeafType(getNamedType(field.type)));
    if (usual.length === 0) return '__typename';
    const field = depth > 0 || leaves.length === 0 ? chance.of(usual) : chance.of(leaves);
    return this.#field(type, field, depth);
  }

  #field(type: GraphQLCompositeType, field: GraphQLField<unknown, unknown>, depth: number): string {
    const chance = this.#chance;
    const named = getNamedType(field.type);
    const alias = chance.is(0.2) ? `${field.name}${chance.of(this.#isOdd ? ['Too', '_x'] : ['Too', 'Again'])}: ` : '';
    const key = `${type.name}.${alias}${field.name}`;
    // Fields of one response name have the same arguments.
    const args = this.#args.get(key) ?? this.#arguments(field);
    this.#args.set(key, args);
    const below = isCompositeType(named) ? this.#selection(named, depth - 1) : '';
    return `${alias}${field.name}${args} ${this.#directive()} ${below}`;
  }

  #condition(type: GraphQLCompositeType): GraphQLCompositeType {
    const possible = isAbstractType(type) ? this.#schema.getPossibleTypes(type) : [type];
    const interfaces = isObjectType(type) ? type.getInterfaces() : [];
    return this.#chance.of([type, ...possible, ...interfaces]);
  }

  #fragment(type: GraphQLCompositeType, depth: number): string {
    const condition = this.#condition(type);
    const name = `${condition.name}${this.#chance.of(['A', 'B'])}`;
    if (!this.#fragments.has(name)) {
      // Known before it is written, so that none spreads itself.
      this.#fragments.set(name, '');
      const inner = this.#selection(condition, depth - 1).replaceAll(`...${name} `, '__typename ');
      this.#fragments.set(name, `fragment ${name} on ${condition.name} ${inner}`);
    }
    return name;
  }

  #directive(): string {
    const chance = this.#chance;
    if (!this.#isOdd || !chance.is(0.25)) return '';
    const one = (name: string): string => {
      if (chance.is(0.4)) return `@${name}(if: ${chance.is(0.5)})`;
      return `@${name}(if: $${this.#variable(`if${chance.of([1, 2])}`, GraphQLBoolean, true)})`;
    };
    const names = chance.is(0.2) ? ['include', 'skip'] : [chance.of(['include', 'skip'])];
    return names.map(one).join(' ');
  }

  #arguments({ args }: GraphQLField<unknown, unknown>): string {
    const given = args.filter(({ type, defaultValue }) =>
      isNonNullType(type) && defaultValue === undefined ? true : this.#chance.is(0.4),
    );
    if (given.length === 0) return '';
    return `(${given.map(({ name, type }) => `${name}: ${printed(this.#argument(type))}`).join(', ')})`;
  }

  #argument(declared: GraphQLInputType): unknown {
    const named = getNamedType(declared);
    const isUsualLiteral = !isInputObjectType(named) && named.name !== 'JSON';
    const isVariable = (!this.#isOdd && !isUsualLiteral) || this.#chance.is(0.5);
    return isVariable ? this.#variableFor(declared) : this.#made(declared, 2);
  }

  /** A value as it stands in a document; or, with how often it is wrong, one of variables. */
  #made(declared: GraphQLInputType, depth: number, wrong?: number): unknown {
    const chance = this.#chance;
    const isLiteral = wrong === undefined;
    if (isLiteral && this.#isOdd && chance.is(0.25)) return this.#variableFor(declared);
    if (!isLiteral && chance.is(wrong / 2)) return chance.of(WRONG);
    if (!isNonNullType(declared) && chance.is(0.1)) return null;
    const type = getNullableType(declared);
    if (isListType(type)) {
      const one = (): unknown => this.#made(type.ofType, depth - 1, wrong);
      if (chance.is(0.15) && !isListType(getNullableType(type.ofType))) return one();
      return [1, 2, 3].slice(Math.floor(chance.next() * 4)).map(one);
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isNonNullType(field.type) || (depth > 0 && chance.is(0.3)),
      );
      return Object.fromEntries(fields.map((field) => [field.name, this.#made(field.type, depth - 1, wrong)]));
    }
    const words = isEnumType(type) ? type.getValues().map(({ name }) => name) : undefined;
    if (!isLiteral) return chance.of<unknown>(words ?? VALUES[type.name] ?? ['text', '']);
    if (type.name === 'JSON') return this.#json(2);
    return new Raw(chance.of(words ?? LITERALS[type.name] ?? ['"text"', '""', '"""block"""']));
  }

  #json(depth: number): unknown {
    const chance = this.#chance;
    if (this.#isOdd && chance.is(0.3)) return this.#variableFor(this.#schema.getType('JSON') as GraphQLInputType);
    const leaf = (): unknown => chance.of([1, 'x', null, true, new Raw('WORD'), 2.5]);
    if (depth === 0) return leaf();
    const below = (): unknown => this.#json(depth - 1);
    return chance.of<() => unknown>([leaf, leaf, leaf, () => ({ a: below(), b: below() }), () => [below(), below()]])();
  }

  /** A variable whose type may stand at a place, now and then a nullable one with a default at a non-null place. */
  #variableFor(declared: GraphQLInputType): Raw {
    const chance = this.#chance;
    const type = getNullableType(declared);
    const name = `${type.toString().replaceAll(/\W/g, '')}${isListType(type) ? 'List' : ''}${chance.of(['', '2'])}`;
    if (!isNonNullType(declared)) return new Raw(`$${this.#variable(name, type, chance.is(0.2))}`);
    if (!this.#isOdd || chance.is(0.6)) return new Raw(`$${this.#variable(`${name}R`, type, true)}`);
    const variable = this.#variable(`${name}D`, type, false);
    if (!this.#defaults.has(variable)) this.#defaults.set(variable, this.#constant(type));
    return new Raw(`$${variable}`);
  }

  #variable(name: string, type: GraphQLInputType, isRequired: boolean): string {
    const key = `${name}${isRequired ? 'N' : ''}`;
    if (!this.#variables.has(key)) {
      this.#variables.set(key, isRequired ? new GraphQLNonNull(type) : type);
      if (!isRequired && this.#chance.is(0.3)) this.#defaults.set(key, this.#constant(type));
    }
    return key;
  }

  #constant(type: GraphQLInputType): string {
    if (isListType(type)) return '[]';
    if (isInputObjectType(type))
      return type.name === 'ProbeInput' ? '{ required: 1 }' : '{ required: 1, loginId: "l" }';
    if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
    return { Int: '3', Float: '0.5', Boolean: 'true', JSON: '{ d: [1] }' }[type.toString()] ?? '"d"';
  }

  #values(): Readonly<Record<string, unknown>> | undefined {
    const chance = this.#chance;
    if (this.#variables.size === 0 && chance.is(0.7)) return undefined;
    const values: Record<string, unknown> = {};
    // Most operations have no fault in their variables; some have many.
    const wrong = chance.is(0.75) ? 0 : chance.of([0.1, 0.5]);
    for (const [name, type] of this.#variables) {
      const isRequired = isNonNullType(type);
      if (!isRequired && chance.is(0.25)) continue;
      if (chance.is(wrong / 2)) continue;
      values[name] = !isRequired && chance.is(0.2) ? null : this.#made(type, 3, wrong);
    }
    if (chance.is(0.1)) values['unknown'] = 1;
    return values;
  }
}

class Raw {
  constructor(readonly text: string) {}
}

function printed(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${printed(member)}`);
  return `{ ${members.join(', ')} }`;
}

/** Leaves by their types, in a document and in variables, and what no type takes. */
const LITERALS: Readonly<Record<string, readonly string[]>> = {
  Int: ['1', '7', '-3'],
  Float: ['1.5', '2'],
  Boolean: ['true', 'false'],
  ID: ['"a"', '5', '"5"', '"07"', '9007199254740993'],
};
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  Int: [1, 7, 200],
  Float: [1.5, 2],
  Boolean: [true, false],
  ID: ['a', 5, '5', '1e3', Number.MAX_SAFE_INTEGER],
  JSON: [1, 'x', [1, { a: null }], { b: [true] }],
};
const WRONG: readonly unknown[] = [null, 'wrong', -1.5, true, {}, [], { required: 'x', more: 1 }, [[null]], 2 ** 40];
