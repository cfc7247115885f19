/** Name of a backend in the sandbox. */
export type BackendName = 'backend-api' | 'geo-api' | 'voip-api';

/** Received request, without passwords and tokens. */
export interface JournaledRequest {
  /** Position among all requests and effects, from 1. */
  readonly sequence: number;
  /** Time of receipt, RFC 3339. */
  readonly at: string;
  readonly backend: BackendName;
  /** Undefined if the contract has no operation for the method and path. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** True if there was an `Authorization` header. */
  readonly authorization: boolean;
  readonly apiKey: 'absent' | 'right' | 'wrong';
  /** Value of `x-org-id`, or the organisation of the verified token. */
  readonly org: string | undefined;
  /** `preferred_username` of the verified token. */
  readonly user: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Trace of the request (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** Status of the answer; undefined before it, and for ever if the connection was cut. */
  readonly status: number | undefined;
  /** True if the first answer to the same `Idempotency-Key` was repeated without effect. */
  readonly replayed: boolean;
  /** Kind of the applied fault. */
  readonly fault: string | undefined;
  /** Deviations of the request from the OpenAPI file. */
  readonly contractViolation: string | undefined;
}

interface AccountEffect {
  readonly org: string;
  readonly loginId: string;
  readonly id: number;
}

/** Change made by a request. */
export type Effect =
  | (AccountEffect & { readonly kind: 'userAccountCreated' })
  | (AccountEffect & { readonly kind: 'userAccountDeleted' })
  | (AccountEffect & {
      readonly kind: 'userAccountUpdated';
      /** Names of the given fields. */
      readonly fields: readonly string[];
    })
  | {
      readonly kind: 'mobileUpdated';
      readonly org: string;
      readonly id: number;
      readonly patch: { readonly num?: string; readonly name?: string; readonly tagIds?: readonly number[] };
    };

/** Effect with its position in the journal. */
export type JournaledEffect = Effect & {
  /** Position among all requests and effects, from 1. */
  readonly sequence: number;
  /** `sequence` of its request. */
  readonly request: number;
};

/** Conditions for requests, all of which must hold. */
export interface RequestFilter {
  readonly backend?: BackendName;
  readonly operation?: string;
  readonly org?: string;
}

/** Limit of requests and of effects, so that a sandbox can run for days. */
const MAX_ENTRIES = 50_000;

/** Requests and effects of the sandbox, in order; the last 50,000 of each. */
export type Journal = Pick<JournalWriter, 'requests' | 'effects' | 'contractViolations' | 'waitFor' | 'clear'>;

type OpenEntry = { -readonly [Key in keyof JournaledRequest]: JournaledRequest[Key] };

/** Journal with its writing side. */
export class JournalWriter {
  readonly #now: () => Date;
  #requests: OpenEntry[] = [];
  #effects: JournaledEffect[] = [];
  #sequence = 0;
  readonly #waiting = new Set<() => void>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Adds a request on its arrival. @returns the entry, to be completed with the answer */
  receive(request: Omit<JournaledRequest, 'sequence' | 'at'>): OpenEntry {
    const entry = { sequence: this.#next(), at: this.#now().toISOString(), ...request };
    remember(this.#requests, entry);
    for (const check of this.#waiting) check();
    return entry;
  }

  /** Adds an effect of a request. */
  record(request: number, effect: Effect): void {
    remember(this.#effects, { sequence: this.#next(), request, ...effect });
  }

  /** Returns the requests received so far. */
  requests(filter: RequestFilter = {}): readonly JournaledRequest[] {
    return this.#requests.filter((request) => matches(request, filter));
  }

  /** Returns the effects so far, of one kind or of all. */
  effects(): readonly JournaledEffect[];
  effects<K extends Effect['kind']>(kind: K): readonly Extract<JournaledEffect, { kind: K }>[];
  effects(kind?: Effect['kind']): readonly JournaledEffect[] {
    return this.#effects.filter((effect) => kind === undefined || effect.kind === kind);
  }

  /** Returns the requests that deviate from the OpenAPI files. */
  contractViolations(): readonly JournaledRequest[] {
    return this.#requests.filter(({ contractViolation }) => contractViolation !== undefined);
  }

  /** Resolves once this many matching requests have been received. */
  waitFor(filter: RequestFilter, count = 1): Promise<readonly JournaledRequest[]> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.requests(filter);
        if (found.length < count) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Removes all entries; positions continue. */
  clear(): void {
    this.#requests = [];
    this.#effects = [];
  }

  #next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }
}

function remember<T>(entries: T[], entry: T): void {
  entries.push(entry);
  if (entries.length > MAX_ENTRIES) entries.shift();
}

function matches(request: JournaledRequest, { backend, operation, org }: RequestFilter): boolean {
  return (
    (backend === undefined || request.backend === backend) &&
    (operation === undefined || request.operation === operation) &&
    (org === undefined || request.org === org)
  );
}
