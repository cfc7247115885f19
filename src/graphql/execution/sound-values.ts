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
 * Tells whether compiled code completes what a resolver has returned just as graphql-js does: no null and no unusable
 * leaf where the type is non-null, so that the same resolvers are called below it, and no promise, function or error
 * that graphql-js's default resolver would look into.
 */
export type IsSound = (value: unknown) => boolean;

/** Creates the checks of what the resolvers of an operation return, by the nodes of their fields. */
export function soundnessChecks(fields: readonly FlatField[]): ReadonlyMap<FieldNode, IsSound> {
  const checks = new Map<FieldNode, IsSound>();
  const add = (field: FlatField): void => {
    const { definition, node } = field;
    if (definition?.resolve && !failsByItself(field)) checks.set(node, soundnessOf(field, definition.type));
    field.fields.forEach(add);
  };
  fields.forEach(add);
  return checks;
}

/** Whether compiled code names an error wherever its value is unsound, and no resolver stands below it. */
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

function soundnessOf(field: FlatField, declared: GraphQLOutputType): IsSound {
  const isRequired = isNonNullType(declared);
  const type = getNullableType(declared);
  const isSound = isListType(type)
    ? listSoundness(soundnessOf(field, type.ofType))
    : isLeafType(type)
      ? leafSoundness(type, isRequired)
      : objectSoundness(field);
  return (value) => (value == null ? !isRequired : isSound(value));
}

/** An iterable that is no array can be looked through once only. */
function listSoundness(isSound: IsSound): IsSound {
  return (value) => Array.isArray(value) && value.every(isSound);
}

function leafSoundness(type: GraphQLLeafType, isRequired: boolean): IsSound {
  return (value) => isData(value) && (!isRequired || isSerializable(type, value));
}

function isSerializable(type: GraphQLLeafType, value: unknown): boolean {
  try {
    return type.serialize(value) != null;
  } catch {
    return false;
  }
}

/** Fields with resolvers of their own are checked when those have been called. */
function objectSoundness({ fields }: FlatField): IsSound {
  const checks = fields.flatMap((field) =>
    field.definition && field.definition.resolve === undefined
      ? [{ name: field.definition.name, isSound: soundnessOf(field, field.definition.type) }]
      : [],
  );
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    isData(value) &&
    checks.every(({ name, isSound }) => isSound(Reflect.get(value, name)));
}

function isData(value: unknown): boolean {
  return typeof value !== 'function' && !(value instanceof Error) && !isPromise(value);
}
