import createClient from 'openapi-fetch';
import type { paths } from '../../generated/backend-api.js';
import { Backend, type BackendSettings, type BackendStatus } from './backend.js';
import type { BackendWaits } from './connections.js';
import { PLAIN_REQUESTS } from './plain-exchange.js';
import { publicCalls, type PublicCalls } from './backend-api/public-calls.js';
import { endedBy } from './call-error.js';
import { KeyRefusals } from './key-refusals.js';
import { ServiceCalls, type Service, type ServiceKeys } from './backend-api/service-calls.js';
import { userCalls, type User, type UserCalls } from './backend-api/user-calls.js';
import { visitorCalls, type Visitor, type VisitorCalls } from './backend-api/visitor-calls.js';

export type * from './backend-api/backend-api-parts.js';
export type { ServiceCalls, ServiceKeys, UserCalls, Visitor, VisitorCalls };
export type { Page } from './backend-api/user-calls.js';

export type BackendApi = ReturnType<typeof createBackendApi>;

export interface BackendApiOptions extends BackendSettings, Pick<BackendWaits, 'keyFetchTimeoutMs'> {
  readonly baseUrl: string;
  /** Sent on service calls only. */
  readonly keys: ServiceKeys;
}

/**
 * Creates a client of backend-api, typed by `openapi/backend-api.yaml`; there is one file per kind of caller. Every
 * method throws the errors of its {@link Backend}.
 */
export function createBackendApi({ baseUrl, keys, keyFetchTimeoutMs, ...options }: BackendApiOptions) {
  const backend = new Backend('backend-api', baseUrl, options);
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl });
  const parts = { backend, client, baseUrl: baseUrl.replace(/\/$/, '') };
  const publicOnes = publicCalls(parts, options.backendTimeoutMs, keyFetchTimeoutMs);
  const [current, other] = keys;
  const acceptsKey = async (): Promise<boolean> =>
    (await accepts(publicOnes, current)) || (other !== undefined && accepts(publicOnes, other));
  const refusals = new KeyRefusals(options.logger, acceptsKey);
  return {
    public: publicOnes,
    asVisitor: (visitor: Visitor) => visitorCalls(parts, visitor),
    asUser: (user: User) => userCalls(parts, user),
    asService: (job: Pick<Service, 'org' | 'signal' | 'bypassesCircuit' | 'log'>) =>
      new ServiceCalls(parts, { kind: 'job', keys, refusals, ...job }),
    /** Returns true if the service key is accepted, sent for no organisation. */
    acceptsKey,
    status: (): BackendStatus => ({ ...backend.status, key: refusals.status() }),
    close: (): Promise<void> => backend.close(),
  };
}

async function accepts(calls: PublicCalls, key: string): Promise<boolean> {
  try {
    await calls.probeServiceKey(key);
    return true;
  } catch (error) {
    if (endedBy(error, 'key refused')) return false;
    throw error;
  }
}
