import { ServiceUnavailableError, type GatewayError } from '../errors.js';
import { BackendRefusal } from './call-errors.js';

/** Says a backend's refusal (4xx) in other words: what it means here. */
export function reworded<T>(reply: Promise<T>, words: (refusal: BackendRefusal) => GatewayError): Promise<T> {
  return reply.catch((error: unknown) => {
    throw error instanceof BackendRefusal ? words(error) : error;
  });
}

/** A refusal that is no fault of the caller's: something is wrong between the backend and us. */
export function unavailable({ backend, httpStatus }: BackendRefusal): ServiceUnavailableError {
  // Without the backend's own words, which may quote what it was sent: this is logged.
  return new ServiceUnavailableError(backend, { cause: new Error(`${backend} answered ${httpStatus}`) });
}
