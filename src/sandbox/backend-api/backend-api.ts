import type { operations } from '../../../generated/backend-api.js';
import type { BackendOptions } from '../backend-server.js';
import { OpenApiContract } from '../openapi-contract.js';
import type { Handlers } from '../operation-types.js';
import { accountHandlers } from './accounts.js';
import type { Caller } from './callers.js';
import { callerIdentification } from './callers.js';
import { mobileHandlers } from './mobiles.js';
import type { SessionParts } from './session.js';
import { sessionHandlers } from './session.js';

type PublicOperation =
  'getPublicKeys' | 'login' | 'refreshToken' | 'sendOtp' | 'sendTestOtp' | 'verifyOtp' | 'getHealth';

/** One handler for each operation of `openapi/backend-api.yaml`. */
export type BackendHandlers = Handlers<operations, PublicOperation, Caller>;

/** The vehicle-location backend. `apiKey` is what service calls must carry. */
export function backendApi(parts: SessionParts & { readonly apiKey: string; readonly port: number }): BackendOptions {
  const handlers: BackendHandlers = {
    ...sessionHandlers(parts),
    ...mobileHandlers,
    ...accountHandlers(parts.state),
    getHealth: () => ({ status: 200, body: undefined }),
  };
  return {
    name: 'backend-api',
    port: parts.port,
    contract: OpenApiContract.load('backend-api'),
    handlers,
    identify: callerIdentification(parts),
  };
}
