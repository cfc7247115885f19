import type { EndOf, Observation, Observer, StartOf, WorkKind } from '../../base/observation.js';

/** Functions that make the observation of each kind of work at its start; undefined for a kind that is not observed. */
export type Observations<Kinds extends WorkKind = WorkKind> = {
  readonly [Kind in Kinds]: ((start: StartOf<Kind>) => Observation<EndOf<Kind>>) | undefined;
};

const METHODS: ReadonlySet<string> = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '));

/** Returns a method as a label; one that a client invented is `_OTHER` (OpenTelemetry semantic conventions). */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/** Makes an observer of a table; a program without work of a kind may leave it out. */
export function observerOf(observations: Partial<Observations>): Observer {
  return { started: (kind, start) => observations[kind]?.(start) };
}

/** Combines two observers. Observations of the first are around those of the second. */
export function combined(one: Observer | undefined, another: Observer | undefined): Observer | undefined {
  if (one === undefined || another === undefined) return one ?? another;
  return {
    started(kind, start) {
      const [outer, inner] = [one.started(kind, start), another.started(kind, start)];
      if (outer === undefined || inner === undefined) return outer ?? inner;
      return {
        within: (work) => outer.within(() => inner.within(work)),
        finish(end) {
          inner.finish(end);
          outer.finish(end);
        },
      };
    },
  };
}
