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

/** Client of the vehicle-location backend. Every method throws the errors of its {@link Backend}. */
export interface BackendApi {
  readonly public: PublicCalls;
  asVisitor(visitor: Visitor): VisitorCalls;
  asUser(user: User): UserCalls;
  asService(job: Pick<Service, 'org' | 'signal' | 'insists' | 'log'>): ServiceCalls;
  /** Returns true if the service key is accepted, sent for no organisation. @throws errors of its {@link Backend} */
  acceptsKey(): Promise<boolean>;
  /** Current use. */
  readonly standing: BackendStanding;
  /** Closes idle connections and waits for those in use. */
  close(): Promise<void>;
}

/** Address, keys and limits of backend-api. */
export interface BackendApiOptions extends BackendWaits, Connecting {
  readonly baseUrl: string;
  /** Sent on service calls only. */
  readonly keys: ServiceKeys;
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Calls are not observed if absent. */
  readonly observer?: CallObserver | undefined;
  /** Trace that is sent along; none if absent. */
  readonly currentTrace?: CurrentTrace | undefined;
}

/** List format in a query, as in `openapi/backend-api.yaml`. */
const QUERIES = { array: { style: 'form', explode: false } } as const;

/** Creates a client of backend-api, typed by `openapi/backend-api.yaml`; there is one file per kind of caller. */
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
