import { ServiceUnavailableError, type GatewayError } from '../errors.js';
import type { FaultLog } from '../logging/fault-log.js';
import { ObjectStoreRefusal } from './object-store.js';

/** Name of the port in errors and in the log. */
export const OBJECT_STORE = 'the object store';

/** What is wrong with an object store. */
export interface StoreFault {
  /** What is wrong and what to change, in one line, free of secrets. */
  readonly text: string;
  /** Whether it stays until somebody changes the configuration of the gateway or of the store. */
  readonly refusal: boolean;
}

/** Logs a fault and makes the error of the port of it. */
export function storeError({ text, refusal }: StoreFault, error: unknown, log: FaultLog): GatewayError {
  log.failed(text);
  const cause = new Error(text, { cause: error });
  return refusal ? new ObjectStoreRefusal({ cause }) : new ServiceUnavailableError(OBJECT_STORE, { cause });
}
