/**
 * Kinds of observed work, for metrics and traces. Each part of the code declares its own kinds here by merging.
 *
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- grows by declaration merging
export interface ObservedWork {}

export interface Observed<Start, End> {
  readonly start: Start;
  readonly end: End;
}

export type WorkKind = keyof ObservedWork;
export type StartOf<Kind extends WorkKind> = ObservedWork[Kind]['start'];
export type EndOf<Kind extends WorkKind> = ObservedWork[Kind]['end'];

export interface Observation<End> {
  /** Runs work as part of the observation, with all that it starts. */
  within<T>(work: () => T): T;
  /** Reports the end; call once. */
  finish(end: End): void;
}

/** Receives the start and end of all work. Observed code does not know its observers. */
export interface Observer {
  /** @returns undefined if nothing observes work of this kind */
  started<Kind extends WorkKind>(kind: Kind, start: StartOf<Kind>): Observation<EndOf<Kind>> | undefined;
}

export type Settled<T> = { readonly value: T } | { readonly error: unknown };

export type Success = 'ok' | 'failed';

/** Translates an outcome to {@link Success}. */
export function successOf(settled: Settled<unknown>): Success {
  return 'error' in settled ? 'failed' : 'ok';
}

/** Runs work under observation, if there is an observer; `endOf` translates the outcome for this kind of work. */
export function observed<Kind extends WorkKind, T>(
  observer: Observer | undefined,
  kind: Kind,
  start: StartOf<Kind>,
  work: () => Promise<T>,
  endOf: (settled: Settled<T>) => EndOf<Kind>,
): Promise<T> {
  const observation = observer?.started(kind, start);
  if (observation === undefined) return work();
  // An async function would allocate more objects, and a request makes several such calls.
  return observation.within(work).then(
    (value) => {
      observation.finish(endOf({ value }));
      return value;
    },
    (error: unknown) => {
      observation.finish(endOf({ error }));
      throw error;
    },
  );
}

/** Wraps a port whose methods return promises, such as a store. @param observe runs the work of a method */
export function watchedPort<Port extends object>(
  port: Port,
  observe: (method: keyof Port, work: () => Promise<unknown>) => Promise<unknown>,
): Port {
  return new Proxy(port, {
    get(_, name) {
      const method: unknown = Reflect.get(port, name);
      if (typeof method !== 'function') return method;
      // The only properties of a port are methods that return promises.
      const work = (args: unknown[]) => Reflect.apply(method, port, args) as Promise<unknown>;
      return (...args: unknown[]) => observe(name as keyof Port, () => work(args));
    },
  });
}
