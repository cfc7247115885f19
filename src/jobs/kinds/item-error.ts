import { ContractBreach } from '../../clients/call-errors.js';
import { GatewayError, type ErrorCode } from '../../errors.js';

/** Maximum length of the stored reason of a failed item or driver, in characters. */
export const MAX_REASON = 500;

/** Returns the reason of a failed item for callers; hides the text of unexpected errors. */
export function describeForCaller(error: unknown): string {
  // A retry would give the same result.
  if (error instanceof ContractBreach) return `the answer of ${error.dependency} could not be read`;
  return error instanceof GatewayError && error.code !== 'InternalError' ? error.message : 'internal error';
}

/** Codes of a failed driver (openapi/gateway.yaml, DriverError). */
type DriverErrorCode = Extract<
  ErrorCode,
  'NotFound' | 'Forbidden' | 'BadInput' | 'ServiceUnavailable' | 'InternalError'
>;

/** Returns the code of a failed driver. */
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
