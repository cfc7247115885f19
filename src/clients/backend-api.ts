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
import { KeyRefusals } from './key-refusals.js';
import {
  isKeyRefusal,
  serviceCalls,
  type Service,
  type ServiceCalls,
  type ServiceKeys,
} from './backend-api/service-calls.js';
import { userCalls, type User, type UserCalls } from './backend-api/user-calls.js';
import { visitorCalls, type Visitor, type VisitorCalls } from './backend-api/visitor-calls.js';

export type * from './backend-api/schemas.js';
export type { PublicCalls, ServiceCalls, ServiceKeys, User, UserCalls, Visitor, VisitorCalls };
export type { Page } from './backend-api/user-calls.js';

/** The vehicle-location backend. Every method throws what its {@link Backend} throws. */
export interface BackendApi {
  readonly public: PublicCalls;
  asVisitor(visitor: Visitor): VisitorCalls;
  asUser(user: User): UserCalls;
  asService(job: Pick<Service, 'org' | 'signal' | 'insists'>): ServiceCalls;
  /** Whether the service key is accepted, shown for no organisation. @throws what its {@link Backend} throws */
  acceptsKey(): Promise<boolean>;
  /** How it is used now. */
  readonly standing: BackendStanding;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** How backend-api is reached. */
export interface BackendApiOptions extends BackendWaits, Connecting {
  readonly baseUrl: string;
  /** Sent on service calls only. */
  readonly keys: ServiceKeys;
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
export function createBackendApi({ baseUrl, keys, ...options }: BackendApiOptions): BackendApi {
  const backend = new Backend({ name: 'backend-api', ...options });
  const client = createClient<paths>({ ...PLAIN_REQUESTS, baseUrl, querySerializer: QUERIES });
  const queryOf = createQuerySerializer(QUERIES);
  const parts = { backend, client, baseUrl: baseUrl.replace(/\/$/, ''), queryOf };
  const callsOf = userCalls(parts);
  const publicOnes = publicCalls(parts, options);
  const acceptsKey = async (): Promise<boolean> => {
    const isAccepted = (key: string): Promise<boolean> =>
      publicOnes.showKey(key, options.timeoutMs).then(
        () => true,
        (error: unknown) => {
          if (isKeyRefusal(error)) return false;
          throw error;
        },
      );
    const [current, other] = keys;
    return (await isAccepted(current)) || (other !== undefined && isAccepted(other));
  };
  const refusals = new KeyRefusals(options.logger, acceptsKey);
  return {
    public: publicOnes,
    asVisitor: (visitor) => visitorCalls(parts, visitor),
    asUser: callsOf,
    asService: (job) => serviceCalls(parts, { keys, refusals, ...job }),
    acceptsKey,
    get standing() {
      return { ...backend.standing, key: refusals.standing };
    },
    close: () => backend.close(),
  };
}
