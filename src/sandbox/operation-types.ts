import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxEffect } from './watched-requests.js';

/** Type that openapi-typescript generates for an operation. */
interface GeneratedOperation {
  readonly parameters: { readonly query?: unknown; readonly path?: unknown; readonly header?: unknown };
  readonly responses: unknown;
}

type Json<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : undefined;
type SuccessStatus<Op extends GeneratedOperation> = keyof Op['responses'] & (200 | 201 | 204 | 304);
type PathOf<Op> = Op extends { readonly parameters: { readonly path: infer Path } } ? Path : undefined;

/** Request that keeps the contract, for a handler. */
interface Call<Op extends GeneratedOperation, Caller> {
  readonly path: PathOf<Op>;
  readonly query: NonNullable<Op['parameters']['query']>;
  readonly header: NonNullable<Op['parameters']['header']>;
  readonly body: Op extends { readonly requestBody: infer Body } ? Json<Body> : undefined;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  readonly record: (effect: SandboxEffect) => void;
  /** Marks the request as answered with an earlier answer. */
  readonly markReplayed: () => void;
}

/** Documented success, or 304; failures are thrown as `BackendFailure`. */
type SuccessReply<Op extends GeneratedOperation> = {
  [Status in SuccessStatus<Op>]: {
    readonly status: Status;
    readonly body: Json<Op['responses'][Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[SuccessStatus<Op>];

type Handler<Op extends GeneratedOperation, Caller> = (
  call: Call<Op, Caller>,
) => SuccessReply<Op> | Promise<SuccessReply<Op>>;

/**
 * Handlers of all operations of a generated file; `PublicIds` are the operations without credentials, and so without a
 * caller.
 */
export type Handlers<Operations extends { [Id in keyof Operations]: GeneratedOperation }, PublicIds, Caller> = {
  readonly [Id in keyof Operations]: Handler<Operations[Id], Id extends PublicIds ? undefined : Caller>;
};

/** Refusal of a request, with the body `{message}`. */
export class BackendFailure extends Error {
  override readonly name = 'BackendFailure';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Answer to a request; its body is sent as JSON, or `text` as it is. */
export interface BackendReply {
  readonly status: number;
  readonly body: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a refusal in the format of all three backends. */
export function failure(status: number, message: string): BackendReply {
  return { status, body: { message } };
}
