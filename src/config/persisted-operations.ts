import type { Reader } from './environment.js';

/** Which operations are accepted by the hash of their document. */
export interface PersistedOperationsConfig {
  /** Path of a JSON file: documents by their SHA-256 in hexadecimal. */
  readonly file: string;
  /** Whether any other operation is refused. */
  readonly only: boolean;
}

/** Both variables, or neither: whether a file alone refuses all others is not to be guessed. */
export function readPersistedOperations({ values, isSet, fault }: Reader): PersistedOperationsConfig | undefined {
  const { PERSISTED_OPERATIONS_FILE: file, PERSISTED_OPERATIONS: mode } = values;
  if (file === undefined) {
    if (isSet('PERSISTED_OPERATIONS')) fault('PERSISTED_OPERATIONS is set without PERSISTED_OPERATIONS_FILE.');
    return undefined;
  }
  if (!isSet('PERSISTED_OPERATIONS')) {
    fault(
      'PERSISTED_OPERATIONS_FILE is set without PERSISTED_OPERATIONS: say only, or allow to accept others as well.',
    );
  }
  return { file, only: mode === 'only' };
}
