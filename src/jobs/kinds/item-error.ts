import { ContractBreach } from '../../clients/call-errors.js';
import { GatewayError, type ErrorCode } from '../../errors.js';

/** Longest reason that is kept of a failed item or driver, in characters. */
export const MAX_REASON = 500;

/** Reason of a failed item, as the caller may see it: the text of unexpected errors stays inside. */
export function describeForCaller(error: unknown): string {
  // To try again later would bring the same.
  if (error instanceof ContractBreach) return `the answer of ${error.dependency} could not be read`;
  return error instanceof GatewayError && error.code !== 'InternalError' ? error.message : 'internal error';
}

/** Codes that a failed driver can have (openapi/gateway.yaml, DriverError). */
type DriverErrorCode = Extract<
  ErrorCode,
  'NotFound' | 'Forbidden' | 'BadInput' | 'ServiceUnavailable' | 'InternalError'
>;

/** Code of a failed driver. */
export function codeForCaller(error: unknown): DriverErrorCode {
  if (!(error instanceof GatewayError)) return 'InternalError';
  switch (error.code) {
    case 'NotFound':
    case 'Forbidden':
    case 'BadInput':
    case 'ServiceUnavailable':
      return error.code;
    case 'TooManyRequests':
      return 'ServiceUnavailable';
    case 'UnAuthenticated':
    case 'InvalidCredentials':
    case 'InternalError':
      return 'InternalError';
  }
}
