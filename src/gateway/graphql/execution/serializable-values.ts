import { isPromise } from '@envelop/core';
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  type FieldNode,
  type GraphQLLeafType,
  type GraphQLOutputType,
} from 'graphql';
import type { FlatField } from './compiled-subset.js';

/**
 * Returns true if compiled code completes a resolver's result exactly like graphql-js: without null or an unusable leaf
 * for a non-null type, and without a promise, function or error that its default resolver would handle.
 */
export type IsSerializable = (value: unknown) => boolean;

/** Creates the checks of resolver results of an operation, by field node. */
export function serializabilityChecks(fields: readonly FlatField[]): ReadonlyMap<FieldNode, IsSerializable> {
  const checks = new Map<FieldNode, IsSerializable>();
  const add = (field: FlatField): void => {
    const { definition, node } = field;
    if (definition?.resolve && !failsByItself(field)) checks.set(node, serializabilityOf(field, definition.type));
    field.fields.forEach(add);
  };
  fields.forEach(add);
  return checks;
}

/** Returns true if compiled code reports an error for every other value, and the field has no resolvers below it. */
function failsByItself({ definition, fields }: FlatField): boolean {
  if (!definition || isListType(getNullableType(definition.type))) return false;
  const type = getNamedType(definition.type);
  if (isLeafType(type)) return isSpecifiedScalarType(type) || isEnumType(type);
  return fields.every((field) => field.definition?.resolve === undefined && isPlainLeaf(field));
}

function isPlainLeaf({ definition, fields }: FlatField): boolean {
  if (!definition) return true;
  const type = getNullableType(definition.type);
  return fields.length === 0 && !isListType(type) && (isSpecifiedScalarType(type) || isEnumType(type));
}

function serializabilityOf(field: FlatField, declared: GraphQLOutputType): IsSerializable {
  const isRequired = isNonNullType(declared);
  const type = getNullableType(declared);
  const isSerializable = isListType(type)
    ? listSerializability(serializabilityOf(field, type.ofType))
    : isLeafType(type)
      ? leafSerializability(type, isRequired)
      : objectSerializability(field);
  return (value) => (value == null ? !isRequired : isSerializable(value));
}

/** Requires an array, because other iterables can be read only once. */
function listSerializability(isSerializable: IsSerializable): IsSerializable {
  return (value) => Array.isArray(value) && value.every(isSerializable);
}

function leafSerializability(type: GraphQLLeafType, isRequired: boolean): IsSerializable {
  return (value) => isData(value) && (!isRequired || serializes(type, value));
}

function serializes(type: GraphQLLeafType, value: unknown): boolean {
  try {
    return type.serialize(value) != null;
  } catch {
    return false;
  }
}

/** Checks fields without a resolver; the others are checked when their resolvers have run. */
function objectSerializability({ fields }: FlatField): IsSerializable {
  const checks = fields.flatMap((field) =>
    field.definition && field.definition.resolve === undefined
      ? [{ name: field.definition.name, isSerializable: serializabilityOf(field, field.definition.type) }]
      : [],
  );
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    isData(value) &&
    checks.every(({ name, isSerializable }) => isSerializable(Reflect.get(value, name)));
}

function isData(value: unknown): boolean {
  return typeof value !== 'function' && !(value instanceof Error) && !isPromise(value);
}
