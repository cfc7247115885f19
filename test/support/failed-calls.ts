/** Errors of calls, as the clients of the backends throw them. */
import { CallError, type CallErrorDetails } from '../../src/clients/call-error.js';

const BUSY = [408, 425, 429];

/** A refusal in the backend's own words. */
export function refusalError(httpStatus = 404, answer = 'no', retryAfterMs?: number): CallError {
  const end = BUSY.includes(httpStatus) ? 'busy' : 'refused';
  return new CallError('backend-api', end, `answered ${httpStatus}`, { httpStatus, answer, retryAfterMs });
}

/** An outage: an answered status, or no answer. */
export function outageError(details: Pick<CallErrorDetails, 'httpStatus' | 'retryAfterMs'> = {}): CallError {
  const { httpStatus } = details;
  const end = httpStatus === 500 ? 'answered 500' : 'failed';
  return new CallError('backend-api', end, `answered ${httpStatus ?? 'nothing'}`, details);
}

export const redirection = (): CallError => new CallError('backend-api', 'redirected', 'broke its contract');

export const keyRefusal = (): CallError => new CallError('backend-api', 'key refused', 'refused the service key');

/** An answer by something in front of the backend. */
export function foreignError(httpStatus = 404): CallError {
  const sender = { contentType: 'text/html', server: 'nginx' };
  const end = BUSY.includes(httpStatus) ? 'foreign busy' : 'foreign';
  return new CallError('backend-api', end, `did not answer ${httpStatus}`, { httpStatus, sender });
}

export const heldBackError = (): CallError => new CallError('backend-api', 'held back', 'was not asked');

export const cutOffError = (): CallError => new CallError('backend-api', 'cut off', undefined);
