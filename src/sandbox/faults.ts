import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { BackendName, JournaledRequest } from './journal.js';
import type { ReadRequest } from './openapi-contract.js';
import { failure, type Reply } from './operation-types.js';

/** Stage of a fault: `request`, before any effect (the default), or `reply`, after the effect and before the answer. */
export type FaultStage = 'request' | 'reply';

/** Fault of a request. */
export type Fault =
  /** The connection is cut without an answer. */
  | { readonly kind: 'down'; readonly stage?: FaultStage }
  /** The usual answer, after a delay. */
  | { readonly kind: 'slow'; readonly milliseconds: number; readonly stage?: FaultStage }
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
export interface FaultTarget extends JournaledRequest {
  readonly body: unknown;
  /** Mobile in the path. */
  readonly mobileId: string | undefined;
  /** Account in the path or the body. */
  readonly loginId: string | undefined;
}

/** Conditions for the requests of a fault, all of which must hold. */
export interface FaultScope {
  readonly backend?: BackendName;
  /** An `operationId` of the OpenAPI file. */
  readonly operation?: string;
  readonly mobileId?: string;
  readonly loginId?: string;
  readonly match?: (target: FaultTarget) => boolean;
  /** Number of requests after which the fault ends. */
  readonly times?: number;
}

/** Control of held requests. */
export interface Hold {
  /** Resolves once this many requests (default 1) have been held. */
  held(count?: number): Promise<void>;
  /** Lets the held requests continue and holds no more. */
  release(): void;
}

/** Switches for faults while the sandbox runs. */
export type Faults = Pick<FaultRules, 'set' | 'hold' | 'clear'>;

/** Fault applied to one request. */
export type AppliedFault =
  | Fault
  /** `pass` resolves when the request may continue. */
  | { readonly kind: 'hold'; readonly stage?: FaultStage; pass(): Promise<void> };

interface Rule {
  readonly scope: FaultScope;
  readonly fault: AppliedFault;
  readonly release?: () => void;
  left: number;
}

/** Faults, and their application to requests. The last fault that was set wins. */
export class FaultRules {
  #rules: Rule[] = [];

  /** Switches a fault on. @returns a function that switches it off */
  set({ fault, ...scope }: FaultScope & { readonly fault: Fault }): () => void {
    return this.#add(scope, fault);
  }

  /** Holds requests until they are released. */
  hold({ stage = 'request', ...scope }: FaultScope & { readonly stage?: FaultStage }): Hold {
    let held = 0;
    const waiting = new Set<() => void>();
    const gate = new AbortController();
    const opened = once(gate.signal, 'abort');
    const open = (): void => {
      gate.abort();
    };
    const pass = async (): Promise<void> => {
      held += 1;
      for (const check of waiting) check();
      await opened;
    };
    const remove = this.#add(scope, { kind: 'hold', stage, pass }, open);
    return {
      release: () => {
        remove();
        open();
      },
      held: (count = 1) =>
        new Promise((resolve) => {
          const check = (): void => {
            if (held < count) return;
            waiting.delete(check);
            resolve();
          };
          waiting.add(check);
          check();
        }),
    };
  }

  /** Switches every fault off and releases every held request. */
  clear(): void {
    for (const rule of this.#rules.splice(0)) rule.release?.();
  }

  /** Returns the fault for a request, if any, and counts one use of it. */
  take(target: FaultTarget): AppliedFault | undefined {
    const rule = this.#rules.findLast(({ scope, left }) => left > 0 && applies(scope, target));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  }

  #add(scope: FaultScope, fault: AppliedFault, release?: () => void): () => void {
    const rule = { scope, fault, left: scope.times ?? Infinity, ...(release && { release }) };
    this.#rules.push(rule);
    return () => {
      this.#rules = this.#rules.filter((each) => each !== rule);
    };
  }
}

function applies(scope: FaultScope, target: FaultTarget): boolean {
  const { match } = scope;
  const named = (['backend', 'operation', 'mobileId', 'loginId'] as const).every(
    (key) => scope[key] === undefined || scope[key] === target[key],
  );
  return named && (match === undefined || match(target));
}

/** Corruption of an answer. */
export type Damage = 'notJson' | 'truncated' | undefined;

/** Returns what fault rules can match of a request. */
export function faultTarget(entry: JournaledRequest, read: ReadRequest | undefined): FaultTarget {
  const { body, path = {} } = read ?? {};
  return { ...entry, body, mobileId: textOf(path['id']), loginId: textOf(path['loginId'] ?? loginIdIn(body)) };
}

/**
 * Waits for the delay of a fault at this stage.
 *
 * @returns whether the request continues; otherwise its connection must be cut
 * @throws AbortError if the sandbox closes during the delay
 */
export async function survives(
  fault: AppliedFault | undefined,
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
export function faultReply(fault: AppliedFault | undefined): Reply | undefined {
  if (fault?.kind === 'garbage') return { status: 200, body: undefined };
  if (fault?.kind !== 'status') return undefined;
  const { status, message = `sandbox fault: status ${status}`, body, retryAfter } = fault;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { ...failure(status, message), ...(body !== undefined && { body }), headers };
}

/** Returns the damage of a fault to an answer. */
export function damageOf(fault: AppliedFault | undefined): Damage {
  if (fault?.kind === 'garbage') return 'notJson';
  return fault?.kind === 'halfBody' ? 'truncated' : undefined;
}

function loginIdIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'loginId' in body ? body.loginId : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
