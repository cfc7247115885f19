import type { ServerResponse } from 'node:http';
import { getNamedType, type GraphQLSchema } from 'graphql';
import { GatewayError } from '../../base/errors.js';
import { withinTime, yieldToEventLoop } from '../../base/waits.js';

/** Returns true if the client disconnected before it had its whole reply. */
export function hasClientLeft({ closed, socket, writableFinished }: ServerResponse): boolean {
  return !writableFinished && (closed || socket?.destroyed === true);
}

/**
 * End of an operation before its work is done: its client disconnects, or it takes too long. From then on nothing
 * begins, and the open calls are aborted. The signal is made on first use, because most requests call no backend.
 */
export class CutOff {
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;
  #isOver = false;
  #field: string | number | undefined;
  #written: Set<string | number> | undefined;
  #write: Promise<unknown> | undefined;

  /** @param response closes when its client disconnects or it has been sent */
  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get signal(): AbortSignal {
    return this.#begin().signal;
  }

  get isAbandoned(): boolean {
    return hasClientLeft(this.#response);
  }

  /** Refuses work that has not begun. @throws {GatewayError} `NotStarted` if the operation is over */
  requireOpen(): void {
    if (this.#isOver || this.isAbandoned) throw new GatewayError('NotStarted');
  }

  /**
   * Notes the begin of a field of a mutation. It counts as written at once, unless its only write is a `commit`.
   *
   * @throws {GatewayError} `NotStarted` if the operation is over
   */
  begin(field: string | number, { commits }: { readonly commits: boolean }): void {
    this.requireOpen();
    this.#field = field;
    if (!commits) this.#noteWrite();
  }

  mayHaveWritten(field: string | number): boolean {
    return this.#written?.has(field) === true;
  }

  /** Writes what the reply must not miss. @throws {GatewayError} `NotStarted` if the operation is over */
  async commit<T>(write: () => Promise<T>): Promise<T> {
    this.requireOpen();
    this.#noteWrite();
    const written = write();
    this.#write = written.catch(() => undefined);
    return written;
  }

  /** Lets nothing begin from now on, and waits for a write that has begun, for a time in milliseconds. */
  async end(maxMs: number): Promise<void> {
    this.#isOver = true;
    if (this.#write === undefined) return;
    await withinTime(this.#write, maxMs);
    // The field that wrote ends in this turn.
    await yieldToEventLoop();
  }

  /** Aborts the signal; only the first reason counts. */
  abort(reason: unknown): void {
    this.#begin().abort(reason);
  }

  /** Notes that the field of now writes; fields of a mutation run one after another. */
  #noteWrite(): void {
    if (this.#field !== undefined) (this.#written ??= new Set()).add(this.#field);
  }

  #begin(): AbortController {
    if (this.#controller !== undefined) return this.#controller;
    const controller = new AbortController();
    const gone = (): void => {
      if (!this.#response.writableFinished) controller.abort(new Error('The client has disconnected.'));
    };
    if (this.#response.closed) gone();
    else this.#response.once('close', gone);
    this.#controller = controller;
    return controller;
  }
}

/**
 * Lets each field of a mutation begin only while its operation lasts; graphql-js begins all of them, one after another.
 * Changes the schema in place; call it once per schema, before authentication is added, which may take the rest of the
 * time.
 */
export function guardMutations(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve === undefined) continue;
    // Starts and cancellations write with `commit` alone.
    const commits = getNamedType(field.type).name === 'Job';
    field.resolve = (source, args, context: { readonly cutOff: CutOff }, info): unknown => {
      context.cutOff.begin(info.path.key, { commits });
      return resolve(source, args, context, info);
    };
  }
}
