import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  Kind,
  typeFromAST,
  visit,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import {
  faultOf,
  GatewayError,
  invalidInput,
  MAX_FAULTS,
  pathText,
  toLine,
  tooManyItems,
  type Fault,
  type FieldFault,
} from '../../../base/errors.js';
import type { Limits } from '../../../base/config/config.js';
import { findJsonFaults } from '../../../jobs/body-faults.js';
import { asGraphQLError } from '../error-mapping.js';

/** An operation, and its variables as they were sent. */
export interface GivenVariables {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly values: Readonly<Record<string, unknown>>;
}

type Path = FieldFault['path'];

/** Limit of entries of lists outside jobs: tags and filters. */
const MAX_ENTRIES = 1_000;

/** Variables of the limits of lists of jobs, by their names. */
const JOB_LISTS = new Map([
  ['items', { variable: 'BULK_MAX_ITEMS', limit: 'bulkMaxItems' }],
  ['drivers', { variable: 'REPORT_MAX_DRIVERS', limit: 'reportMaxDrivers' }],
] as const);

/** Limits of entries of jobs. */
export type ListLimits = Pick<Limits, 'bulkMaxItems' | 'reportMaxDrivers'>;

/**
 * Checks the declared variables of an operation before anything else reads them, once for all fields that receive them:
 * lists that exceed every limit, whose entries are not read; values that cannot be coerced (GraphQL, "Coercing Variable
 * Values"); text and numbers that no backend accepts. Whatever passes can be coerced by graphql-js, whose own errors
 * would quote values, which may be passwords, and build a text of each whole value. The errors name arguments and have
 * {@link MAX_FAULTS} faults at most. The bounds of each field are checked later, behind authentication.
 *
 * @returns undefined if all can be coerced
 */
export function findVariableFaults(given: GivenVariables, limits: ListLimits): GraphQLError | undefined {
  const { schema, operation, values } = given;
  const limit = Math.max(limits.bulkMaxItems, limits.reportMaxDrivers, MAX_ENTRIES);
  const faults: FieldFault[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const { value: name } = variable.name;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) continue; // validation refuses it
    const check = new ValueCheck(limit, MAX_FAULTS - faults.length);
    if (Object.hasOwn(values, name)) check.read(type, values[name]);
    else if (isNonNullType(type) && defaultValue === undefined) check.note(faultOf('Required'));
    const { found, longList } = check;
    const place = longList || found.length > 0 ? (argumentsOf(given).get(name) ?? [name]) : [];
    if (longList) return asGraphQLError(tooLong([...place, ...longList.path], longList.length, limits));
    const shortened = (path: Path): Path =>
      [...place, ...path].map((key) => (typeof key === 'number' ? key : toLine(key)));
    for (const fault of found) faults.push({ ...fault, path: shortened(fault.path) });
    if (faults.length === MAX_FAULTS) break;
  }
  if (faults.length === 0) return undefined;
  return asGraphQLError(invalidInput(faults), { nodes: operation.variableDefinitions ?? null });
}

type LongList = { readonly path: Path; readonly length: number };

/** Makes the error of a list that exceeds every limit, which names its own. */
function tooLong(path: Path, found: number, limits: ListLimits): GatewayError {
  const ofJob = [...JOB_LISTS].find(([name]) => name === path.at(-1))?.[1];
  if (ofJob) return tooManyItems({ found, limit: limits[ofJob.limit], variable: ofJob.variable }, path);
  const fields = [{ path, ...faultOf('ListTooLong', { max: MAX_ENTRIES }) }];
  return new GatewayError('TooManyEntries', { name: pathText(path), found, limit: MAX_ENTRIES }, { fields });
}

/** Check of one value, which stops at a list that is too long, or at a number of faults. */
class ValueCheck {
  readonly found: FieldFault[] = [];
  longList: LongList | undefined;
  readonly #limit: number;
  readonly #maxFaults: number;
  readonly #path: (string | number)[] = [];

  constructor(limit: number, maxFaults: number) {
    this.#limit = limit;
    this.#maxFaults = maxFaults;
  }

  get #isOver(): boolean {
    return this.longList !== undefined || this.found.length >= this.#maxFaults;
  }

  note(fault: Fault, inside: Path = []): void {
    if (!this.#isOver) this.found.push({ ...fault, path: [...this.#path, ...inside] });
  }

  /** Reads a value of a type, in the same way as `coerceInputValue` of graphql-js. */
  read(declared: GraphQLInputType, value: unknown): void {
    if (value == null) {
      if (isNonNullType(declared)) this.note(faultOf('Null'));
      return;
    }
    const type = isNonNullType(declared) ? declared.ofType : declared;
    if (isInputObjectType(type)) this.#readObject(type, value);
    else if (!isListType(type)) this.#readLeaf(type, value);
    else if (Array.isArray(value)) this.#readList(type.ofType, value);
    else this.read(type.ofType, value);
  }

  #readList(type: GraphQLInputType, list: readonly unknown[]): void {
    if (list.length > this.#limit) this.longList = { path: [...this.#path], length: list.length };
    for (let index = 0; index < list.length && !this.#isOver; index += 1) this.#readAt(index, type, list[index]);
  }

  #readObject(type: GraphQLInputObjectType, value: unknown): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.note(typeFault(type));
      return;
    }
    const fields = type.getFields();
    for (const { name, type: fieldType, defaultValue } of Object.values(fields)) {
      if (this.#isOver) return;
      if (Object.hasOwn(value, name)) this.#readAt(name, fieldType, Reflect.get(value, name));
      else if (isNonNullType(fieldType) && defaultValue === undefined) this.note(faultOf('Required'), [name]);
    }
    for (const name in value) {
      if (Object.hasOwn(fields, name)) continue;
      // One is enough, because there may be a hundred thousand.
      this.note(faultOf('UnknownMember'), [name]);
      return;
    }
  }

  #readAt(key: string | number, type: GraphQLInputType, value: unknown): void {
    this.#path.push(key);
    this.read(type, value);
    this.#path.pop();
  }

  #readLeaf(type: GraphQLLeafType, value: unknown): void {
    const holdsValue = typeof value !== 'object' || (!isSpecifiedScalarType(type) && !isEnumType(type));
    // Integers that are not exact, and broken text, have words of their own.
    const faults = holdsValue ? findJsonFaults(value) : [];
    for (const fault of faults) this.note(fault, fault.path);
    if (faults.length === 0 && !fits(type, value)) this.note(typeFault(type));
  }
}

/** Checks of the specified scalars (GraphQL, "Scalars"). */
const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: (value) => typeof value === 'number' && value === (value | 0),
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isInteger(value),
  Boolean: (value) => typeof value === 'boolean',
};

function fits(type: GraphQLLeafType, value: unknown): boolean {
  const own = FITS[type.name];
  if (own !== undefined) return own(value);
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined;
  try {
    return type.parseValue(value) !== undefined;
  } catch {
    return false;
  }
}

/** Bounds of `Int` (GraphQL, "Int"). */
const INT = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** JSON types of the other specified scalars. */
const JSON_TYPES: Readonly<Record<string, string>> = { Float: 'number', String: 'string', Boolean: 'boolean' };

/** Returns the fault of a value that does not have a type. */
export function typeFault(declared: GraphQLInputType): Fault {
  const type = getNamedType(declared);
  if (isEnumType(type)) return faultOf('NotOneOf', { type: type.name });
  if (type.name === 'Int') return faultOf('NotInteger', INT);
  return faultOf('WrongType', { type: isInputObjectType(type) ? 'object' : (JSON_TYPES[type.name] ?? type.name) });
}

/** Returns, for each variable of an operation, the path of the first argument that uses it. */
function argumentsOf({ document, operation }: GivenVariables): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  const note = (value: ValueNode, path: Path): void => {
    if (value.kind === Kind.VARIABLE && !places.has(value.name.value)) places.set(value.name.value, path);
    if (value.kind === Kind.LIST) value.values.forEach((entry, index) => note(entry, [...path, index]));
    if (value.kind === Kind.OBJECT) for (const field of value.fields) note(field.value, [...path, field.name.value]);
  };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const definition of [operation, ...fragments]) {
    visit(definition, { Argument: ({ name, value }) => note(value, [name.value]) });
  }
  return places;
}
