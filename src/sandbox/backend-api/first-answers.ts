import canonicalize from 'canonicalize';
import { BackendFailure } from '../operation-types.js';

/** A request that may be a repetition. */
export interface RepeatableRequest<T> {
  /** Without a key every request is new. */
  readonly key: string | undefined;
  readonly body: unknown;
  /** Does the work; what it returns or throws is the first answer. */
  readonly run: () => T;
  /** Called instead of `run` when there is a first answer already. */
  readonly onReplay: () => void;
}

type Outcome<T> = { readonly value: T } | { readonly failure: BackendFailure };

/** First answers by key: a repetition has no effect and gets the first answer, refusals included. */
export class FirstAnswers<T> {
  readonly #digest: (body: string) => string;
  readonly #answers = new Map<string, { readonly digest: string; readonly outcome: Outcome<T> }>();

  /** @param digest one-way digest; bodies may hold passwords */
  constructor(digest: (body: string) => string) {
    this.#digest = digest;
  }

  /** The answer to a request. Throws a 422 failure when its key came with another body before. */
  answer({ key, body, run, onReplay }: RepeatableRequest<T>): T {
    if (key === undefined) return run();
    const digest = this.#digest(canonicalize(body) ?? '');
    const first = this.#answers.get(key);
    if (first === undefined) return unwrapped(this.#keep(key, digest, outcomeOf(run)));
    if (first.digest !== digest) {
      throw new BackendFailure(422, 'This Idempotency-Key was used before with another body.');
    }
    onReplay();
    return unwrapped(first.outcome);
  }

  #keep(key: string, digest: string, outcome: Outcome<T>): Outcome<T> {
    this.#answers.set(key, { digest, outcome });
    return outcome;
  }
}

function outcomeOf<T>(run: () => T): Outcome<T> {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof BackendFailure) return { failure: error };
    throw error;
  }
}

function unwrapped<T>(outcome: Outcome<T>): T {
  if ('failure' in outcome) throw outcome.failure;
  return outcome.value;
}
