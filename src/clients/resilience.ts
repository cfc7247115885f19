import {
  BrokenCircuitError,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  SamplingBreaker,
  wrap,
} from 'cockatiel';
import { ServiceUnavailableError } from '../errors.js';
import type { Logger } from '../logger.js';
import { BackendOutage, BackendRefusal, CallCutOffError } from './call-errors.js';

/** How often and how fast is tried again; times in milliseconds. */
export interface ResilienceOptions {
  /** Who is called, for errors and the log. */
  readonly backend: string;
  readonly logger: Logger;
  /** Repetitions of a failed read; 2 by default. */
  readonly retries?: number;
  /** How long an open circuit refuses calls before it lets one through; 5,000 by default. */
  readonly halfOpenAfterMs?: number;
}

/** Runs calls to one backend. */
export interface Resilience {
  /** Runs a call that changes nothing: repeated when it fails in a way that may pass. */
  read<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Runs a call that may change something: never repeated, because its effect is in doubt. */
  write<T>(call: () => Promise<T>): Promise<T>;
}

const RETRIES = 2;
const SHORTEST_CEILING_MS = 100;
const LONGEST_CEILING_MS = 1_000;
/** A backend that asks for a longer pause is not asked again within this call. */
const LONGEST_RETRY_AFTER_MS = 5_000;

const FAILURE_SHARE = 0.5;
const SAMPLE_MS = 10_000;
/** Fewer calls within the sample prove nothing. */
const LEAST_CALLS = 20;
const HALF_OPEN_AFTER_MS = 5_000;

/**
 * Retries for reads inside and a circuit breaker around every attempt. The circuit opens at 50 % failures of at
 * least 20 calls within 10 s; refusals (4xx) are answers and never count, nor do calls that we cut off ourselves.
 */
export function createResilience(options: ResilienceOptions): Resilience {
  const { backend, logger, retries = RETRIES, halfOpenAfterMs = HALF_OPEN_AFTER_MS } = options;
  const breaker = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: halfOpenAfterMs,
    breaker: new SamplingBreaker({
      threshold: FAILURE_SHARE,
      duration: SAMPLE_MS,
      minimumRps: LEAST_CALLS / (SAMPLE_MS / 1000),
    }),
  });
  breaker.onBreak(() => logger.event('circuit.opened', { backend }));
  breaker.onReset(() => logger.event('circuit.closed', { backend }));
  const repeated = wrap(
    retry(handleWhen(mayPass), { maxAttempts: retries, backoff: new DelegateBackoff(pauseBefore) }),
    breaker,
  );

  const named = async <T>(run: Promise<T>): Promise<T> => {
    try {
      return await run;
    } catch (error) {
      throw error instanceof BrokenCircuitError ? new ServiceUnavailableError(backend, { cause: error }) : error;
    }
  };
  return {
    read: (call, signal) => named(repeated.execute(call, signal)),
    write: (call) => named(breaker.execute(call)),
  };
}

function isOutage(error: Error): boolean {
  return error instanceof ServiceUnavailableError && !(error instanceof CallCutOffError);
}

function mayPass(error: Error): boolean {
  const busy = error instanceof BackendRefusal && error.httpStatus === 429;
  return (busy || isOutage(error)) && (retryAfterOf(error) ?? 0) <= LONGEST_RETRY_AFTER_MS;
}

/** What the backend asked for, or full jitter below a ceiling that doubles from 100 ms to 1 s. */
function pauseBefore({ attempt, result }: { attempt: number; result: { error?: Error } | object }): number {
  const asked = 'error' in result ? retryAfterOf(result.error) : undefined;
  const ceiling = Math.min(LONGEST_CEILING_MS, SHORTEST_CEILING_MS * 2 ** (attempt - 1));
  return asked ?? Math.random() * ceiling;
}

function retryAfterOf(error: Error | undefined): number | undefined {
  if (error instanceof BackendRefusal || error instanceof BackendOutage) return error.retryAfterMs;
  return undefined;
}
