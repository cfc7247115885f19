import { setTimeout as delay } from 'node:timers/promises';
import type { ReadRequest } from './openapi-contract.js';
import { failure, type BackendReply } from './operation-types.js';
import type { SandboxBackend, SandboxRequest } from './watched-requests.js';

/** Stage of a fault: `request`, before any effect (the default), or `reply`, after the effect and before the answer. */
export type FaultStage = 'request' | 'reply';

export type BackendFault =
  /** The connection is cut without an answer. */
  | { readonly kind: 'down'; readonly stage?: FaultStage }
  /** The usual answer, after a delay. */
  | { readonly kind: 'slow'; readonly milliseconds: number; readonly stage?: FaultStage }
  /** The usual answer, once `pass` resolves, as it does after `release`. */
  | { readonly kind: 'hold'; readonly stage: FaultStage; pass(): Promise<void>; release(): void }
  /** An answer with this status and no effect; `body` replaces the usual `{message}`. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly body?: unknown;
      /** Value of `Retry-After`: seconds, or an HTTP date. */
      readonly retryAfter?: number | string;
    }
  /** No effect, and 200 with a body that is not JSON. */
  | { readonly kind: 'garbage' }
  /** The request has its effect; half of the answer is sent, then the connection is cut. */
  | { readonly kind: 'halfBody' };

/** Request that a rule can match. The body may contain secrets, so do not store it. */
export interface FaultTarget extends SandboxRequest {
  readonly body: unknown;
  readonly mobileId: string | undefined;
  readonly loginId: string | undefined;
}

/** Conditions for the requests of a fault, all of which must hold. */
export interface FaultScope {
  readonly backend?: SandboxBackend;
  /** An `operationId` of the OpenAPI file. */
  readonly operation?: string;
  readonly mobileId?: string;
  readonly loginId?: string;
  readonly match?: (target: FaultTarget) => boolean;
  /** Number of requests after which the fault ends. */
  readonly times?: number;
}

/** Switches for faults while the sandbox runs. */
export type Faults = Pick<FaultRules, 'set' | 'clear'>;

interface Rule {
  readonly scope: FaultScope;
  readonly fault: BackendFault;
  left: number;
}

/** Faults by the requests that they hit. The last fault that was set wins. */
export class FaultRules {
  #rules: Rule[] = [];

  /** Switches a fault on. @returns a function that switches it off */
  set({ fault, ...scope }: FaultScope & { readonly fault: BackendFault }): () => void {
    const rule = { scope, fault, left: scope.times ?? Infinity };
    this.#rules.push(rule);
    return () => {
      this.#rules = this.#rules.filter((each) => each !== rule);
    };
  }

  /** Switches every fault off and lets held requests continue. */
  clear(): void {
    for (const { fault } of this.#rules.splice(0)) if (fault.kind === 'hold') fault.release();
  }

  /** Returns the fault for a request, if any, and counts one use of it. */
  take(target: FaultTarget): BackendFault | undefined {
    const rule = this.#rules.findLast(({ scope, left }) => left > 0 && applies(scope, target));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  }
}

function applies(scope: FaultScope, target: FaultTarget): boolean {
  const named = (['backend', 'operation', 'mobileId', 'loginId'] as const).every(
    (key) => scope[key] === undefined || scope[key] === target[key],
  );
  return named && scope.match?.(target) !== false;
}

/** Returns what fault rules can match of a request. */
export function faultTarget(request: SandboxRequest, read: ReadRequest | undefined): FaultTarget {
  const { body, path = {} } = read ?? {};
  return { ...request, body, mobileId: textIn(path['id']), loginId: textIn(path['loginId'] ?? loginIdIn(body)) };
}

/**
 * Waits for the delay of a fault at this stage.
 *
 * @returns whether the request continues; otherwise its connection must be cut
 * @throws AbortError if the sandbox closes during the delay
 */
export async function survives(
  fault: BackendFault | undefined,
  stage: FaultStage,
  closing: AbortSignal,
): Promise<boolean> {
  if (fault?.kind !== 'down' && fault?.kind !== 'slow' && fault?.kind !== 'hold') return true;
  if ((fault.stage ?? 'request') !== stage) return true;
  if (fault.kind === 'slow') await delay(fault.milliseconds, undefined, { signal: closing });
  if (fault.kind === 'hold') await fault.pass();
  return fault.kind !== 'down';
}

/** Returns the answer of a fault that replaces the handler; undefined if it does not. */
export function faultReply(fault: BackendFault | undefined): BackendReply | undefined {
  if (fault?.kind === 'garbage') return { status: 200, body: undefined, text: '<html>not what you asked for' };
  if (fault?.kind !== 'status') return undefined;
  const { status, message = `sandbox fault: status ${status}`, body, retryAfter } = fault;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...failure(status, message), ...(body !== undefined && { body }), headers };
}

function loginIdIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'loginId' in body ? body.loginId : undefined;
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
