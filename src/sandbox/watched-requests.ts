export type SandboxBackend = 'backend-api' | 'geo-api' | 'voip-api';

/** Received request, without passwords and tokens. The last four fields may change until it is answered. */
export interface SandboxRequest {
  readonly backend: SandboxBackend;
  /** Undefined if the contract has no operation for the method and path. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly authorization: boolean;
  readonly apiKey: 'absent' | 'right' | 'wrong';
  /** Value of `x-org-id`, or the organisation of the verified token. */
  readonly org: string | undefined;
  /** `preferred_username` of the verified token. */
  readonly user: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Trace of the request (W3C Trace Context). */
  readonly traceparent: string | undefined;
  /** Deviations of the request from the OpenAPI file. */
  readonly contractViolation: string | undefined;
  /** Status of the answer; undefined before it, and for ever if the connection was cut. */
  status?: number;
  /** True if the first answer to the same `Idempotency-Key` was repeated without effect. */
  replayed: boolean;
  /** Kind of the applied fault. */
  fault?: string | undefined;
}

interface AccountEffect {
  readonly org: string;
  readonly loginId: string;
  readonly id: number;
}

export type SandboxEffect =
  | (AccountEffect & { readonly kind: 'userAccountCreated' })
  | (AccountEffect & { readonly kind: 'userAccountDeleted' })
  /** `fields` are the names of the given ones. */
  | (AccountEffect & { readonly kind: 'userAccountUpdated'; readonly fields: readonly string[] })
  | {
      readonly kind: 'mobileUpdated';
      readonly org: string;
      readonly id: number;
      readonly patch: { readonly num?: string; readonly name?: string; readonly tagIds?: readonly number[] };
    };

/** Receives each request on its arrival, and each effect. */
export interface SandboxWatch {
  readonly onRequest?: ((request: SandboxRequest) => void) | undefined;
  readonly onEffect?: ((effect: SandboxEffect) => void) | undefined;
}
