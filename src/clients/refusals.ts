import { ServiceUnavailableError, type GatewayError } from '../errors.js';
import { BackendRefusal } from './call-errors.js';

/** Replaces a backend's refusal (4xx) by an error with its meaning here. */
export function reworded<T>(reply: Promise<T>, words: (refusal: BackendRefusal) => GatewayError): Promise<T> {
  return reply.catch((error: unknown) => {
    throw error instanceof BackendRefusal ? words(error) : error;
  });
}

/** Converts a refusal that is not the caller's fault: something is wrong between the backend and us. */
export function unavailable({ backend, httpStatus }: BackendRefusal): ServiceUnavailableError {
  // Omits the backend's own words, which may quote its request: this is logged.
  return new ServiceUnavailableError(backend, { cause: new Error(`${backend} answered ${httpStatus}`) });
}
