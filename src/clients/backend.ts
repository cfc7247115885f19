import { describeError } from '../errors.js';
import { observed } from '../observation.js';
import type { Logger } from '../logging/logger.js';
import { ContractBreach, type BackendName } from './call-errors.js';
import { outcomeOf, type CallObserver } from './call-observer.js';
import { isVisitor, partyOf, type Caller } from './caller.js';
import { Circuit, type CircuitStanding } from './circuit.js';
import type { ConnectionUse } from './connection-shares.js';
import { openConnections, type Connecting, type Connections, type ConnectionsOptions } from './connections.js';
import { exchange, type Question } from './exchange.js';
import type { KeyStanding } from './key-refusals.js';
import { PolledResource, type PolledResourceOptions } from './polled-resource.js';
import { withRetries } from './retry.js';
import type { CurrentTrace } from '../wire/trace-headers.js';

/** Question with the name of its call, for observers. */
export type Call<T> = Question<T> & { readonly call: string };

/** Connection and limits of a backend. */
export interface BackendOptions extends Connecting {
  /** Name in errors and in the log, e.g. `backend-api`. */
  readonly name: BackendName;
  /** Maximum time of a call. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Calls are not observed if absent. */
  readonly observer?: CallObserver | undefined;
  /** Trace that is sent along; none if absent. */
  readonly currentTrace?: CurrentTrace | undefined;
}

/** Options of a backend that never sees a user's token: geo-api and voip-api. */
export interface PlainBackendOptions extends Connecting {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Calls are not observed if absent. */
  readonly observer?: CallObserver | undefined;
  /** Trace that is sent along; none if absent. */
  readonly currentTrace?: CurrentTrace | undefined;
}

/** Purpose of connections. */
type Purpose = 'calls' | 'visitors' | 'keys' | 'probes';

/** Current use of a backend. */
export interface BackendStanding {
  readonly backend: BackendName;
  readonly circuits: readonly CircuitStanding[];
  readonly connections: readonly (ConnectionUse & { readonly purpose: Purpose })[];
  /** Absent if no service key is sent. */
  readonly key?: KeyStanding;
}

/** Connections for calls, and places to wait for one; a single party gets half of either. */
const CALL_CONNECTIONS = { connections: 128, maxWaiting: 4_096, fair: true };

/** A client with many addresses is many parties, so clients that have not logged in share separate connections. */
const VISITOR_CONNECTIONS = { connections: 32, maxWaiting: 1_024, fair: true };

/** Pause before the same breach of a contract is logged again, in milliseconds. */
const REPEAT_MS = 60_000;

/** Maximum number of remembered breaches. */
const MAX_BREACHES = 100;

/** Connections for health checks. */
export const PROBE_CONNECTIONS = { connections: 4, maxWaiting: 64 };

/**
 * One backend: separate circuits for reads and writes of users and jobs, and connections that no other backend shares.
 * Every method throws the errors of {@link exchange}.
 */
export class Backend {
  readonly name: BackendName;
  readonly #timeoutMs: number;
  readonly #connecting: Connecting;
  readonly #logger: Logger;
  readonly #observer: CallObserver | undefined;
  readonly #currentTrace: CurrentTrace | undefined;
  readonly #calls: Connections;
  readonly #visitors: Connections;
  readonly #aside: { readonly purpose: Purpose; readonly connections: Connections }[] = [];
  /** Time of the last log of each breach of the contract. */
  readonly #toldAt = new Map<string, number>();
  readonly #circuits: Readonly<Record<Caller['kind'], { readonly read: Circuit; readonly write: Circuit }>>;

  constructor({ name, timeoutMs, logger, observer, currentTrace, connectTimeoutMs, connect }: BackendOptions) {
    this.name = name;
    this.#timeoutMs = timeoutMs;
    this.#connecting = { connectTimeoutMs, connect };
    this.#logger = logger;
    this.#observer = observer;
    this.#currentTrace = currentTrace;
    this.#calls = openConnections({ ...CALL_CONNECTIONS, ...this.#connecting });
    this.#visitors = openConnections({ ...VISITOR_CONNECTIONS, ...this.#connecting });
    const circuit = (caller: Caller['kind'], mode: 'read' | 'write'): Circuit =>
      new Circuit({ backend: name, caller, mode, logger });
    this.#circuits = {
      user: { read: circuit('user', 'read'), write: circuit('user', 'write') },
      job: { read: circuit('job', 'read'), write: circuit('job', 'write') },
    };
  }

  /** Sends a call without side effects: repeated after transient failures, unless the caller insists. */
  async read<T>(caller: Caller, question: Call<T>): Promise<T> {
    const circuit = this.#circuits[caller.kind].read;
    if (caller.insists?.()) return this.#ask(circuit, caller, question);
    return withRetries(() => this.#ask(circuit, caller, question), caller.signal);
  }

  /** Sends a change: never repeated, because its effect is in doubt. */
  async write<T>(caller: Caller, question: Call<T>): Promise<T> {
    return this.#ask(this.#circuits[caller.kind].write, caller, question);
  }

  /**
   * Opens a way past circuits and retries, with separate connections, so that it works independently of other calls.
   *
   * @param purpose label of the connections
   * @param limits maximum numbers of connections and of calls waiting for one
   * @returns sends one call, within `timeoutMs`
   */
  openAside(
    purpose: Purpose,
    limits: { readonly connections: number; readonly maxWaiting: number },
  ): <T>(timeoutMs: number, question: Call<T>) => Promise<T> {
    const connections = this.#openAside(purpose, limits);
    return (timeoutMs, question) =>
      this.#watched(question.call, undefined, () =>
        exchange(question, { backend: this.name, connections, party: '', timeoutMs, currentTrace: this.#currentTrace }),
      );
  }

  /** Opens another such way, for one resource that is requested often. */
  poll<T>({
    call,
    purpose,
    limits,
    ...options
  }: Omit<PolledResourceOptions<T>, 'backend' | 'connections' | 'currentTrace'> & {
    readonly call: string;
    readonly purpose: Purpose;
    readonly limits: { readonly connections: number; readonly maxWaiting: number; readonly maxReplyBytes: number };
  }): () => Promise<T> {
    const connections = this.#openAside(purpose, limits);
    const resource = new PolledResource({
      ...options,
      connections,
      backend: this.name,
      currentTrace: this.#currentTrace,
    });
    return () => this.#watched(call, undefined, () => resource.get());
  }

  /**
   * Returns the valid entries of a list, and logs those that break the contract.
   *
   * @param caller its caller; absent if many share it
   */
  soundOnly<T>(entries: readonly (T | ContractBreach)[], caller?: Pick<Caller, 'log'>): readonly T[] {
    this.noteOdd(entries, caller);
    return entries.filter(isSound);
  }

  /** Logs the number of entries of a list that break the contract, if any, and the fault of the first. */
  noteOdd(entries: readonly unknown[], { log = this.#logger }: Pick<Caller, 'log'> = {}): void {
    const first = entries.find((entry) => entry instanceof ContractBreach);
    if (first === undefined) return;
    const odd = entries.filter((entry) => entry instanceof ContractBreach);
    const reason = describeError(first.cause);
    log.event('backend.entries_left_out', { backend: this.name, entries: odd.length, reason });
  }

  /** Current use. */
  get standing(): BackendStanding {
    const circuits = Object.values(this.#circuits).flatMap(({ read, write }) => [read.standing, write.standing]);
    const connections = this.#allConnections().map(({ purpose, connections: { use } }) => ({ purpose, ...use }));
    return { backend: this.name, circuits, connections };
  }

  /** Closes idle connections and waits for those in use. */
  async close(): Promise<void> {
    await Promise.all(this.#allConnections().map(({ connections }) => connections.close()));
  }

  #allConnections(): readonly { readonly purpose: Purpose; readonly connections: Connections }[] {
    return [
      { purpose: 'calls', connections: this.#calls },
      { purpose: 'visitors', connections: this.#visitors },
      ...this.#aside,
    ];
  }

  #openAside(purpose: Purpose, limits: Omit<ConnectionsOptions, 'fair'>): Connections {
    const connections = openConnections({ ...limits, fair: false, ...this.#connecting });
    this.#aside.push({ purpose, connections });
    return connections;
  }

  #ask<T>(circuit: Circuit, caller: Caller, question: Call<T>): Promise<T> {
    return this.#watched(question.call, caller.kind, () =>
      circuit.run(caller, () =>
        exchange(question, {
          backend: this.name,
          connections: isVisitor(caller) ? this.#visitors : this.#calls,
          party: `${caller.kind} ${partyOf(caller)}`,
          timeoutMs: this.#timeoutMs,
          signal: caller.signal,
          servedAt: () => circuit.servedAt,
          currentTrace: this.#currentTrace,
        }),
      ),
    ).catch((error: unknown) => {
      if (error instanceof ContractBreach) this.#tellBreach(question.call, error, caller);
      throw error;
    });
  }

  /** Each breach is logged once a minute: a broken contract shows in every reply. */
  #tellBreach(call: string, { path, rule }: ContractBreach, { log = this.#logger }: Pick<Caller, 'log'>): void {
    const breach = `${call} ${path.replaceAll(/\d+/g, '*')} ${rule}`;
    if (performance.now() - (this.#toldAt.get(breach) ?? -Infinity) < REPEAT_MS) return;
    if (this.#toldAt.size >= MAX_BREACHES) this.#toldAt.clear();
    this.#toldAt.set(breach, performance.now());
    log.event('backend.contract_broken', { backend: this.name, call, path, rule });
  }

  #watched<T>(call: string, caller: Caller['kind'] | undefined, ask: () => Promise<T>): Promise<T> {
    if (this.#observer === undefined) return ask();
    const observation = this.#observer.started({ backend: this.name, call, caller });
    return observed(observation, ask, (settled) =>
      'error' in settled ? { outcome: outcomeOf(settled.error), error: settled.error } : { outcome: 'ok' },
    );
  }
}

function isSound<T>(entry: T | ContractBreach): entry is T {
  return !(entry instanceof ContractBreach);
}
