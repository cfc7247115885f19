import { setTimeout as delay } from 'node:timers/promises';
import type { AppliedFault, FaultStage, FaultTarget } from './faults.js';
import type { JournaledRequest } from './journal.js';
import { isJsonObject } from './json-object.js';
import type { ReadRequest } from './openapi-contract.js';
import { failure, type Damage, type Reply } from './reply.js';

/** Returns the parts of a request that fault rules can match. */
export function faultTarget(entry: JournaledRequest, read: ReadRequest | undefined): FaultTarget {
  const { backend, operation, method, path, query, org, idempotencyKey } = entry;
  const parameters = read?.path ?? {};
  const inBody = isJsonObject(read?.body) ? read.body['loginId'] : undefined;
  return {
    backend,
    operation,
    method,
    path,
    parameters,
    query,
    body: read?.body,
    org,
    idempotencyKey,
    mobileId: textOf(parameters['id']),
    loginId: textOf(parameters['loginId'] ?? inBody),
  };
}

/**
 * Waits for the delay of a fault at this stage.
 *
 * @returns whether the request continues; otherwise its connection must be cut
 * @throws AbortError if the sandbox closes during the delay
 */
export async function survives(
  fault: AppliedFault | undefined,
  stage: FaultStage,
  closing: AbortSignal,
): Promise<boolean> {
  if (fault?.kind !== 'down' && fault?.kind !== 'slow' && fault?.kind !== 'hold') return true;
  if ((fault.stage ?? 'request') !== stage) return true;
  if (fault.kind === 'slow') await delay(fault.milliseconds, undefined, { signal: closing });
  if (fault.kind === 'hold') await fault.pass();
  return fault.kind !== 'down';
}

/** Returns the answer of a fault that replaces the handler; undefined if it does not. */
export function faultReply(fault: AppliedFault | undefined): Reply | undefined {
  if (fault?.kind === 'garbage') return { status: 200, body: undefined };
  if (fault?.kind !== 'status') return undefined;
  const { status, message = `sandbox fault: status ${status}`, body, retryAfter } = fault;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...failure(status, message), ...(body !== undefined && { body }), headers };
}

/** Returns the damage of a fault to an answer. */
export function damageOf(fault: AppliedFault | undefined): Damage {
  if (fault?.kind === 'garbage') return 'notJson';
  return fault?.kind === 'halfBody' ? 'truncated' : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
