import type { operations } from '../../../generated/backend-api.js';
import type { Handlers } from '../operation-types.js';
import type { Caller } from './callers.js';

type PublicOperation =
  'getPublicKeys' | 'login' | 'refreshToken' | 'sendOtp' | 'sendTestOtp' | 'verifyOtp' | 'getHealth';

/** One handler for each operation of `openapi/backend-api.yaml`. */
export type BackendHandlers = Handlers<operations, PublicOperation, Caller>;
