/** The three backends of the sandbox. */
export type BackendName = 'backend-api' | 'geo-api' | 'voip-api';

/** A request that was received. Holds no password and no token. */
export interface JournaledRequest {
  /** Position among all requests and effects, from 1. */
  readonly sequence: number;
  /** When it was received, RFC 3339. */
  readonly at: string;
  readonly backend: BackendName;
  /** Undefined when the contract has no operation for the method and path. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether an `Authorization` header came with it. */
  readonly authorization: boolean;
  readonly apiKey: 'absent' | 'right' | 'wrong';
  /** Value of `x-org-id`, or the organisation of the verified token. */
  readonly org: string | undefined;
  /** `preferred_username` of the verified token. */
  readonly user: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The trace it belongs to (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** Status of the answer; undefined while there is none, and for ever when the connection was cut. */
  readonly status: number | undefined;
  /** Whether the first answer to the same `Idempotency-Key` was given again and nothing was done. */
  readonly replayed: boolean;
  /** Kind of the fault that was applied. */
  readonly fault: string | undefined;
  /** Where the request is not as the OpenAPI file says. */
  readonly contractViolation: string | undefined;
}

interface AccountEffect {
  readonly org: string;
  readonly loginId: string;
  readonly id: number;
}

/** Something that a request changed. */
export type Effect =
  | (AccountEffect & { readonly kind: 'userAccountCreated' })
  | (AccountEffect & { readonly kind: 'userAccountDeleted' })
  | (AccountEffect & {
      readonly kind: 'userAccountUpdated';
      /** Names of the fields that were given. */
      readonly fields: readonly string[];
    })
  | {
      readonly kind: 'mobileUpdated';
      readonly org: string;
      readonly id: number;
      readonly patch: { readonly num?: string; readonly name?: string; readonly tagIds?: readonly number[] };
    };

/** An effect with its place in the journal. */
export type JournaledEffect = Effect & {
  /** Position among all requests and effects, from 1. */
  readonly sequence: number;
  /** `sequence` of the request that caused it. */
  readonly request: number;
};

/** Which requests are meant; every condition given must hold. */
export interface RequestFilter {
  readonly backend?: BackendName;
  readonly operation?: string;
  readonly org?: string;
}

/** More requests or effects are forgotten, so that a sandbox can run for days. */
const MAX_ENTRIES = 50_000;

/** What the sandbox received and did, in order; the oldest are forgotten after 50,000. */
export interface Journal {
  /** The requests received so far. */
  requests(filter?: RequestFilter): readonly JournaledRequest[];
  /** The effects so far, of one kind or of all. */
  effects(): readonly JournaledEffect[];
  effects<K extends Effect['kind']>(kind: K): readonly Extract<JournaledEffect, { kind: K }>[];
  /** The requests that are not as the OpenAPI files say. */
  contractViolations(): readonly JournaledRequest[];
  /** Resolves as soon as this many such requests have been received. */
  waitFor(filter: RequestFilter, count?: number): Promise<readonly JournaledRequest[]>;
  /** Forgets everything; positions go on. */
  clear(): void;
}

/** What is known when a request arrives; the rest is filled in while it is answered. */
export type ArrivedRequest = Omit<JournaledRequest, 'sequence' | 'at'>;
type OpenEntry = { -readonly [Key in keyof JournaledRequest]: JournaledRequest[Key] };

/** The journal with the side that writes. */
export class JournalWriter implements Journal {
  readonly #now: () => Date;
  #requests: OpenEntry[] = [];
  #effects: JournaledEffect[] = [];
  #sequence = 0;
  readonly #waiting = new Set<() => void>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Adds a request; the entry that is returned may be completed later. */
  receive(request: ArrivedRequest): OpenEntry {
    const entry = { sequence: this.#next(), at: this.#now().toISOString(), ...request };
    remember(this.#requests, entry);
    for (const check of this.#waiting) check();
    return entry;
  }

  /** Adds an effect of a request. */
  record(request: number, effect: Effect): void {
    remember(this.#effects, { sequence: this.#next(), request, ...effect });
  }

  requests(filter: RequestFilter = {}): readonly JournaledRequest[] {
    return this.#requests.filter((request) => matches(request, filter));
  }

  effects(): readonly JournaledEffect[];
  effects<K extends Effect['kind']>(kind: K): readonly Extract<JournaledEffect, { kind: K }>[];
  effects(kind?: Effect['kind']): readonly JournaledEffect[] {
    return this.#effects.filter((effect) => kind === undefined || effect.kind === kind);
  }

  contractViolations(): readonly JournaledRequest[] {
    return this.#requests.filter(({ contractViolation }) => contractViolation !== undefined);
  }

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
