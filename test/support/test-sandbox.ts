import { once } from 'node:events';
import type { Faults, FaultScope, Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.js';
import type { SandboxEffect, SandboxRequest, SandboxWatch } from '../../src/sandbox/watched-requests.js';
import { hmac, pss, rsa, rsaPair, token } from './rsa-tokens.js';

/** Requests to sandboxes of this suite that an OpenAPI file does not allow. */
export const breaches: string[] = [];

/** Entries of each list that are kept, so that a test can run for long. */
const MAX_ENTRIES = 50_000;

/** Conditions for requests, all of which must hold. */
type RequestFilter = Partial<Pick<SandboxRequest, 'backend' | 'operation' | 'org'>>;

/** Requests and effects of a sandbox, in order. */
export class Journal implements SandboxWatch {
  #requests: SandboxRequest[] = [];
  #effects: SandboxEffect[] = [];
  readonly #waiting = new Set<() => void>();

  readonly onRequest = (request: SandboxRequest): void => {
    const { method, contractViolation } = request;
    if (contractViolation !== undefined) breaches.push(`${method} ${contractViolation}`);
    this.#requests.push(request);
    if (this.#requests.length > MAX_ENTRIES) this.#requests.shift();
    for (const check of this.#waiting) check();
  };

  readonly onEffect = (effect: SandboxEffect): void => {
    this.#effects.push(effect);
    if (this.#effects.length > MAX_ENTRIES) this.#effects.shift();
  };

  requests({ backend, operation, org }: RequestFilter = {}): readonly SandboxRequest[] {
    return this.#requests.filter(
      (request) =>
        (backend === undefined || request.backend === backend) &&
        (operation === undefined || request.operation === operation) &&
        (org === undefined || request.org === org),
    );
  }

  effects(): readonly SandboxEffect[];
  effects<K extends SandboxEffect['kind']>(kind: K): readonly Extract<SandboxEffect, { kind: K }>[];
  effects(kind?: SandboxEffect['kind']): readonly SandboxEffect[] {
    return this.#effects.filter((effect) => kind === undefined || effect.kind === kind);
  }

  /** The requests that deviate from the OpenAPI files. */
  contractViolations(): readonly SandboxRequest[] {
    return this.#requests.filter(({ contractViolation }) => contractViolation !== undefined);
  }

  /** Resolves once this many matching requests have been received. */
  waitFor(filter: RequestFilter, count = 1): Promise<readonly SandboxRequest[]> {
    return reached(this.#waiting, () => {
      const found = this.requests(filter);
      return found.length < count ? undefined : found;
    });
  }

  clear(): void {
    this.#requests = [];
    this.#effects = [];
  }
}

/** Control of held requests. */
export interface Hold {
  /** Resolves once this many requests (default 1) have been held. */
  held(count?: number): Promise<unknown>;
  /** Lets the held requests continue and holds no more. */
  release(): void;
}

type HoldScope = FaultScope & { readonly stage?: 'request' | 'reply' };

/** Holds requests until they are released. */
function hold(faults: Faults, { stage = 'request', ...scope }: HoldScope): Hold {
  let held = 0;
  const waiting = new Set<() => void>();
  const gate = new AbortController();
  const opened = once(gate.signal, 'abort');
  const release = (): void => gate.abort();
  const pass = async (): Promise<void> => {
    held += 1;
    for (const check of waiting) check();
    await opened;
  };
  const remove = faults.set({ ...scope, fault: { kind: 'hold', stage, pass, release } });
  return {
    release: () => {
      remove();
      release();
    },
    held: (count = 1) => reached(waiting, () => (held < count ? undefined : held)),
  };
}

/** Resolves with the first value that is found, now or when the waiting ones are called. */
function reached<T>(waiting: Set<() => void>, find: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const check = (): void => {
      const found = find();
      if (found === undefined) return;
      waiting.delete(check);
      resolve(found);
    };
    waiting.add(check);
    check();
  });
}

/** How a token differs from one of `demo`, an administrator of `acme`. */
export interface TokenOverrides {
  readonly loginId?: string;
  /** Claims to change; undefined removes one. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Members of the protected header to change. `alg` selects the signature; `HS256` takes the public key as secret. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** The published key (the default), or one that is never published. */
  readonly key?: 'current' | 'unknown';
}

let unknownKey: (ReturnType<typeof rsaPair> & { readonly kid: string }) | undefined;

function mintToken(sandbox: Sandbox, { loginId = 'demo', claims, header, key }: TokenOverrides = {}): Promise<string> {
  const own = sandbox.claimsOf(loginId);
  if (own === undefined) throw new Error(`The sandbox has no account ${loginId}.`);
  const pair = key === 'unknown' ? (unknownKey ??= { kid: 'unknown', ...rsaPair('unknown') }) : sandbox.keys.current;
  const protectedHeader = { alg: 'RS256', typ: 'JWT', kid: pair.kid, ...header };
  const signatures: Readonly<Record<string, (input: Buffer) => Uint8Array>> = {
    none: () => Buffer.alloc(0),
    HS256: hmac(pair.pem),
    PS256: pss(pair),
    RS256: rsa(pair),
    RS384: rsa(pair, 'sha384'),
  };
  const signature = signatures[protectedHeader.alg];
  if (signature === undefined) throw new Error(`A token of a test cannot be signed with ${protectedHeader.alg}.`);
  return Promise.resolve(token(protectedHeader, { ...own, ...claims }, signature));
}

/** A sandbox whose requests are noted and can be held, and that gives tokens to everybody. */
export type TestSandbox = ReturnType<typeof journaled>;

/** Adds to a sandbox a journal that it reports to, held requests, and tokens. */
export function journaled(sandbox: Sandbox, journal: Journal) {
  const { faults, keys } = sandbox;
  return Object.assign(sandbox, {
    journal,
    faults: Object.assign(faults, { hold: (scope: HoldScope): Hold => hold(faults, scope) }),
    mintToken: (overrides?: TokenOverrides) => mintToken(sandbox, overrides),
    /** Replaces the signing key; the old one stays published unless `keepOld` is false. */
    rotateKeys: (rotation?: { readonly keepOld?: boolean }) => keys.rotate(rotation),
  });
}

/** Starts a sandbox with a journal. @param start the function of the product, or of its bundle */
export async function startJournaled(
  start: (options: SandboxOptions) => Promise<Sandbox>,
  options: SandboxOptions,
): Promise<TestSandbox> {
  const journal = new Journal();
  return journaled(await start({ ...options, onRequest: journal.onRequest, onEffect: journal.onEffect }), journal);
}
