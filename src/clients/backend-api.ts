import createClient, { createQuerySerializer } from 'openapi-fetch';
import type { paths } from '../../generated/backend-api.js';
import type { Logger } from '../logging/logger.js';
import { Backend, type BackendStanding } from './backend.js';
import type { BackendWaits } from './backend-waits.js';
import type { Connecting } from './connections.js';
import type { CurrentTrace } from '../wire/trace-headers.js';
import type { CallObserver } from './call-observer.js';
import { PLAIN_REQUESTS } from './plain-exchange.js';
import { publicCalls, type PublicCalls } from './backend-api/public-calls.js';
import { serviceCalls, type Service, type ServiceCalls } from './backend-api/service-calls.js';
import { userCalls, type User, type UserCalls } from './backend-api/user-calls.js';
import { visitorCalls, type Visitor, type VisitorCalls } from './backend-api/visitor-calls.js';

export type * from './backend-api/schemas.js';
export type { PublicCalls, ServiceCalls, User, UserCalls, Visitor, VisitorCalls };
export type { Page } from './backend-api/user-calls.js';

/** The vehicle-location backend. Every method throws what its {@link Backend} throws. */
export interface BackendApi {
  readonly public: PublicCalls;
  asVisitor(visitor: Visitor): VisitorCalls;
  asUser(user: User): UserCalls;
  asService(job: Pick<Service, 'org' | 'signal' | 'insists'>): ServiceCalls;
  /** How it is used now. */
  readonly standing: BackendStanding;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** How backend-api is reached. */
export interface BackendApiOptions extends BackendWaits, Connecting {
  readonly baseUrl: string;
  /** Sent on service calls only. */
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Absent: nobody watches its calls. */
  readonly observer?: CallObserver | undefined;
  /** The trace that is told to it; absent: none. */
  readonly currentTrace?: CurrentTrace | undefined;
}

/** How lists stand in a query, as `openapi/backend-api.yaml` has it. */
const QUERIES = { array: { style: 'form', explode: false } } as const;

/** Client of backend-api, typed by `openapi/backend-api.yaml`; who calls decides which file a call stands in. */
export function createBackendApi({ baseUrl, apiKey, ...options }: BackendApiOptions): BackendApi {
  const backend = new Backend({ name: 'backend-api', ...options });
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl, querySerializer: QUERIES });
  const queryOf = createQuerySerializer(QUERIES);
  const parts = { backend, client, baseUrl: baseUrl.replace(/\/$/, ''), queryOf };
  const callsOf = userCalls(parts);
  return {
    public: publicCalls(parts, options),
    asVisitor: (visitor) => visitorCalls(parts, visitor),
    asUser: callsOf,
    asService: (job) => serviceCalls(parts, { apiKey, ...job }),
    get standing() {
      return backend.standing;
    },
    close: () => backend.close(),
  };
}
