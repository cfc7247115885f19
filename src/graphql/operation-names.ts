import { Kind, parse } from 'graphql';
import type { PersistedOperationsOptions } from './persisted-operations.js';

/** Names of the operations of a list; undefined where operations that are not in it are taken as well. */
export function operationNames({ documents, only }: PersistedOperationsOptions): readonly string[] | undefined {
  if (!only) return undefined;
  return [...documents.values()].flatMap((document) =>
    parse(document).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.name?.value ?? []) : [],
    ),
  );
}
