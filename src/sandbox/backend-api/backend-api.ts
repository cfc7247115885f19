import type { BackendOptions } from '../backend-server.js';
import { contractLater } from '../contract-later.js';
import { accountHandlers } from './accounts.js';
import { callerIdentification, type BackendHandlers } from './callers.js';
import { mobileHandlers } from './mobiles.js';
import { sessionHandlers, type SessionParts } from './session.js';

export interface BackendParts extends SessionParts {
  /** Required `x-api-key` of service calls. */
  readonly apiKey: string;
  readonly port: number;
}

/** Builds the vehicle-location backend. */
export function backendApi(parts: BackendParts): BackendOptions {
  const handlers: BackendHandlers = {
    ...sessionHandlers(parts),
    ...mobileHandlers,
    ...accountHandlers(parts.state),
    getHealth: () => ({ status: 200, body: undefined }),
  };
  return {
    name: 'backend-api',
    port: parts.port,
    contract: contractLater('backend-api'),
    handlers,
    identify: callerIdentification(parts),
  };
}
