import { observed, type Observer } from '../base/observation.js';
import type { Logger } from '../base/logging/logger.js';
import { OnceInAWhile } from '../base/once-in-a-while.js';
import { CallError, isUnauthorized, meaningOf, type BackendName, type CallName } from './call-error.js';
import { partyOf, type Caller } from './caller.js';
import { Circuit, type CircuitStatus } from './circuit.js';
import type { ConnectionUse } from './connection-shares.js';
import { Connections, type BackendWaits } from './connections.js';
import { conditionalFetch, exchange, type BackendCall, type Send } from './exchange.js';
import type { KeyStatus } from './key-refusals.js';
import { ignoreBody, type OnBreach, type ReplyReader } from './read-reply.js';
import { withRetries } from './retry.js';
import type { CurrentTrace } from '../base/wire/trace-headers.js';

export interface BackendSettings extends Pick<BackendWaits, 'connectTimeoutMs'> {
  readonly backendTimeoutMs: number;
  readonly logger: Logger;
  readonly observer?: Observer | undefined;
  /** Trace that is sent along; none if absent. */
  readonly currentTrace?: CurrentTrace | undefined;
}

export interface BackendStatus {
  readonly backend: BackendName;
  readonly circuits: readonly CircuitStatus[];
  readonly connections: readonly (ConnectionUse & { readonly purpose: Purpose })[];
  /** Absent if no service key is sent. */
  readonly key?: KeyStatus;
}

/** Limits of connections and of calls that wait for one, by purpose. */
const CONNECTIONS = {
  /** A single party gets at most half of each. */
  calls: { connections: 128, maxWaiting: 4_096, fair: true },
  /** Clients that have not logged in are separate, as one client may use many addresses. */
  visitors: { connections: 32, maxWaiting: 1_024, fair: true },
  /** Sends of one-time passwords, which a flood of requests must not make wait for log-ins. */
  codes: { connections: 8, maxWaiting: 256, fair: true },
  /** The public keys are fetched for every authenticated request. */
  keys: { connections: 32, maxWaiting: 4_096, fair: false, maxReplyBytes: 1024 * 1024 },
  probes: { connections: 4, maxWaiting: 64, fair: false },
};

type Purpose = keyof typeof CONNECTIONS;

/** Shortest time between two log lines about the same odd reply, in milliseconds. */
const REPEAT_MS = 60_000;

/**
 * A backend, with connections of its own, and separate circuits for reads and writes of users and jobs. Every method
 * throws a {@link CallError}.
 */
export class Backend {
  readonly name: BackendName;
  readonly #baseUrl: string;
  readonly #settings: BackendSettings;
  readonly #opened = new Map<Purpose, Connections>();
  readonly #oddLogged = new OnceInAWhile({ everyMs: REPEAT_MS });
  readonly #circuits: Readonly<Record<Caller['kind'], { readonly read: Circuit; readonly write: Circuit }>>;

  /** @param name in errors and in the log, e.g. `backend-api` */
  constructor(name: BackendName, baseUrl: string, settings: BackendSettings) {
    this.name = name;
    this.#baseUrl = baseUrl;
    this.#settings = settings;
    for (const purpose of ['calls', 'visitors', 'codes'] as const) this.#connectionsFor(purpose);
    const circuit = (caller: Caller['kind'], mode: 'read' | 'write'): Circuit =>
      new Circuit({ backend: name, caller, mode, logger: settings.logger });
    this.#circuits = {
      user: { read: circuit('user', 'read'), write: circuit('user', 'write') },
      job: { read: circuit('job', 'read'), write: circuit('job', 'write') },
    };
  }

  /** Sends a call without side effects, and again after a transient failure unless the caller bypasses the circuit. */
  async read<T>(caller: Caller, call: BackendCall<T>): Promise<T> {
    const circuit = this.#circuits[caller.kind].read;
    if (caller.bypassesCircuit?.()) return this.#run(circuit, caller, call);
    return withRetries(() => this.#run(circuit, caller, call), caller.signal);
  }

  /** Sends a change. It is never repeated, because after a failure its effect is in doubt. */
  async write<T>(caller: Caller, call: BackendCall<T>): Promise<T> {
    return this.#run(this.#circuits[caller.kind].write, caller, call);
  }

  /** Opens separate connections for calls without circuits and retries, whose replies are not read. */
  openProbe(): (timeoutMs: number, call: CallName, send: Send) => Promise<void> {
    const connections = this.#connectionsFor('probes');
    const { currentTrace } = this.#settings;
    return (timeoutMs, call, send) =>
      this.#watched(call, undefined, (onBreach) => {
        const route = { backend: this.name, connections, party: [''], timeoutMs, currentTrace, onBreach };
        return exchange({ call, reply: ignoreBody, send }, route);
      });
  }

  /**
   * Opens separate connections in the same way for the public keys.
   *
   * @returns a function that requests them once; a conditional request, see {@link conditionalFetch}
   */
  pollKeys<T>(call: CallName, url: string, timeoutMs: number, read: ReplyReader<T>): () => Promise<T> {
    const route = { backend: this.name, connections: this.#connectionsFor('keys'), party: [''], timeoutMs };
    const resource = conditionalFetch(call, url, read);
    const { currentTrace } = this.#settings;
    return () => this.#watched(call, undefined, (onBreach) => resource({ currentTrace, onBreach, ...route }));
  }

  get status(): BackendStatus {
    const circuits = Object.values(this.#circuits).flatMap(({ read, write }) => [read.status, write.status]);
    const connections = Array.from(this.#opened, ([purpose, { use }]) => ({ purpose, ...use }));
    return { backend: this.name, circuits, connections };
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#opened.values(), (connections) => connections.close()));
  }

  #connectionsFor(purpose: Purpose): Connections {
    const known = this.#opened.get(purpose);
    if (known !== undefined) return known;
    const connections = new Connections({ ...this.#settings, ...CONNECTIONS[purpose], backend: this.name });
    this.#opened.set(purpose, connections);
    return connections;
  }

  #run<T>(circuit: Circuit, caller: Caller, call: BackendCall<T>): Promise<T> {
    const { backendTimeoutMs, currentTrace } = this.#settings;
    const isVisitor = caller.kind === 'user' && caller.org === undefined;
    const ask = (onBreach: OnBreach): Promise<T> =>
      circuit.run(caller, () =>
        exchange(call, {
          backend: this.name,
          connections: this.#connectionsFor(caller.sendsCode ? 'codes' : isVisitor ? 'visitors' : 'calls'),
          party: partyOf(caller),
          timeoutMs: backendTimeoutMs,
          signal: caller.signal,
          currentTrace,
          onBreach,
        }),
      );
    return this.#watched(call.call, caller, ask, call.withToken);
  }

  /** Logs an odd reply at most once a minute, whatever the headers of a foreign answer, as every reply may be odd. */
  #logOdd(call: CallName, { details: { breach, sender, httpStatus = 0 } }: CallError, log: Logger): void {
    const subject = { backend: this.name, call };
    const reply = breach ? `${breach.path.replaceAll(/\d+/g, '*')} ${breach.rule}` : String(httpStatus);
    if ((!breach && !sender) || !this.#oddLogged.isDue(`${call} ${reply}`)) return;
    if (breach) log.event('backend.contract_broken', { ...subject, path: breach.path, rule: breach.rule });
    if (sender) log.event('backend.foreign_answer', { ...subject, status: httpStatus, ...sender });
  }

  #watched<T>(
    call: CallName,
    caller: Caller | undefined,
    ask: (onBreach: OnBreach) => Promise<T>,
    withToken = false,
  ): Promise<T> {
    const log = caller?.log ?? this.#settings.logger;
    const onBreach: OnBreach = (breach) => this.#logOdd(call, breach, log);
    const work = (): Promise<T> =>
      ask(onBreach).catch((error: unknown) => {
        if (error instanceof CallError) this.#logOdd(call, error, log);
        if (withToken && isUnauthorized(error) && this.#oddLogged.isDue('a token')) {
          log.event('backend.token_refused', { backend: this.name, call, ...(caller?.org && { org: caller.org }) });
        }
        throw error;
      });
    const start = { backend: this.name, baseUrl: this.#baseUrl, call, caller: caller?.kind, withToken };
    return observed(this.#settings.observer, 'call', start, work, (settled) =>
      'error' in settled ? { outcome: meaningOf(settled.error).outcome, error: settled.error } : { outcome: 'ok' },
    );
  }
}
