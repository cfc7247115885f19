import { loadPageAgain } from '../examples/front-end/outdated-page.js';

/** An error of a reply, as every client shows it. */
export interface ShownError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** The gateway refused a root field, or the request as a whole. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly errors: readonly ShownError[];

  constructor(errors: readonly ShownError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }

  /** True if the error has one of these codes, in any of its parts. */
  has(...codes: readonly string[]): boolean {
    return this.errors.some(({ extensions }) => codes.includes(String(extensions?.['code'])));
  }
}

/** A request has no answer of the gateway: the way to it is broken, or something in front of it answered. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Status of what answered in its place; undefined if nothing did. */
  readonly status: number | undefined;

  constructor(status?: number, options?: ErrorOptions) {
    super(status === undefined ? 'The gateway does not answer.' : `HTTP ${status} from something else.`, options);
    this.status = status;
  }

  /** True if an order may be sent again: a proxy that refuses it would do so each time. */
  get mayPass(): boolean {
    const { status = 0 } = this;
    return status < 400 || status >= 500 || [408, 425, 429].includes(status);
  }
}

const PAUSE_MS = 300;

/** While gateways are replaced one after another, the next one may know a hash. */
const TRIES_OF_HASH = 4;

/**
 * Sends a request as `fetch` does, for every client. Only this function knows what failed on the way, because a fault of
 * the page is a `TypeError` as well. Where no gateway knows the hash of an operation any more, the page is loaded again.
 *
 * @throws {NoAnswerError} there is no answer of the gateway
 */
export const fetchGateway: typeof fetch = async (input, init) => {
  for (let tries = 1; ; tries += 1) {
    const { text, headers, errors } = await fetchAnswer(input, init);
    const isListed = !errors.some(({ extensions }) => extensions?.['reason'] === 'OperationNotListed');
    if (!isListed && tries < TRIES_OF_HASH) {
      await pass(PAUSE_MS, init?.signal ?? undefined);
      continue;
    }
    if (!isListed) loadPageAgain();
    // The errors in the answer say more than its status, for which Apollo Client would not read them.
    return new Response(text, { headers });
  }
};

interface GatewayAnswer {
  readonly text: string;
  readonly headers: Headers;
  readonly errors: readonly ShownError[];
}

async function fetchAnswer(input: string | URL | Request, init?: RequestInit): Promise<GatewayAnswer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(input, init);
    text = await response.text();
  } catch (error) {
    if (init?.signal?.aborted === true) throw error;
    throw new NoAnswerError(undefined, { cause: error });
  }
  const { status, headers } = response;
  const errors = errorsIn(text);
  if (errors === undefined) throw new NoAnswerError(status);
  return { text, headers, errors };
}

/** Returns the errors in an answer of GraphQL; undefined if the text is none. */
function errorsIn(text: string): readonly ShownError[] | undefined {
  try {
    const answer = JSON.parse(text) as { data?: unknown; errors?: readonly ShownError[] } | null; // looked at below
    return answer?.data === undefined && answer?.errors === undefined ? undefined : (answer.errors ?? []);
  } catch {
    return undefined;
  }
}

const TRIES = 5;

/** Sends an order again as long as it has no answer, unless something in front of the gateway refuses it. */
export async function repeated<T>(send: () => Promise<T>, tries = TRIES): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await send();
    } catch (error) {
      if (left <= 1 || !(error instanceof NoAnswerError && error.mayPass)) throw error;
      await pass(PAUSE_MS);
    }
  }
}

/** Codes of refusals that pass by themselves: the job goes on meanwhile. */
const PASSING = ['ServiceUnavailable', 'TooManyRequests'];

/**
 * Returns the pause before the next poll, in milliseconds.
 *
 * @param error of the last poll; undefined if it had none
 * @param usualMs pause between polls
 * @returns undefined if polling ends: another poll would be refused as well, or the page has a fault
 */
export function pauseAfter(error: unknown, usualMs: number): number | undefined {
  if (error === undefined || error === null || error instanceof NoAnswerError) return usualMs;
  if (!(error instanceof RefusedError)) return undefined;
  if (!error.errors.every(({ extensions }) => PASSING.includes(String(extensions?.['code'])))) return undefined;
  const asked = error.errors.map(({ extensions }) => Number(extensions?.['retryAfterSeconds'] ?? 0) * 1_000);
  return Math.max(usualMs, ...asked);
}

/** Part of a status that polling reads. */
export interface Polled {
  readonly completed: boolean;
  readonly pollAfterSeconds: number;
}

export interface PollOptions {
  /** Ends the polls; the job goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Length of a second, for tests; 1,000 by default. */
  readonly secondMs?: number | undefined;
}

/** Longest pause after polls without an answer, as a multiple of the usual one. */
const MAX_BACK_OFF = 16;

/** Asks for a job until it is completed, as often as its status says. @throws the error that ended it */
export async function pollToEnd<Job extends Polled>(
  ask: () => Promise<{ readonly job?: Job | null | undefined; readonly error?: unknown }>,
  { signal, secondMs = 1_000 }: PollOptions = {},
): Promise<Job> {
  for (let backOff = 1; ;) {
    signal?.throwIfAborted();
    const { job, error } = await ask();
    signal?.throwIfAborted();
    if (job?.completed === true) return job;
    backOff = error instanceof NoAnswerError ? Math.min(2 * backOff, MAX_BACK_OFF) : 1;
    const waitMs = pauseAfter(error, (job?.pollAfterSeconds ?? 1) * secondMs * backOff);
    if (waitMs === undefined) throw error;
    await pass(waitMs, signal);
  }
}

/** Waits. @throws the reason of the signal as soon as it aborts */
export function pass(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error); // what `abort` was given
    });
  });
}
