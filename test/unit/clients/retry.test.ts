import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { contractBreach, meaningOf, type CallError } from '../../../src/clients/call-error.js';
import { withRetries } from '../../../src/clients/retry.js';
import { ServiceUnavailableError } from '../../../src/base/errors.js';
import { cutOffError, heldBackError, outageError, refusalError } from '../../support/failed-calls.js';

const busy = (retryAfterMs?: number): CallError => refusalError(429, 'busy', retryAfterMs);

/** Counts attempts, the first of which fail. */
function failing(failures: readonly Error[]): { attempt: () => Promise<string>; attempts: () => number } {
  let attempts = 0;
  return {
    attempts: () => attempts,
    attempt: () => {
      const failure = failures[attempts];
      attempts += 1;
      return failure === undefined ? Promise.resolve('answer') : Promise.reject(failure);
    },
  };
}

describe('what fails', () => {
  it('a third time is not repeated', async () => {
    const { attempt, attempts } = failing(Array.from({ length: 9 }, () => outageError()));
    await expect(withRetries(attempt)).rejects.toMatchObject({ end: 'failed' });
    expect(attempts()).toBe(3);
  });

  it('because the backend is busy is repeated after the pause it asks for', async () => {
    const { attempt } = failing([busy(300)]);
    const startedAt = performance.now();
    await expect(withRetries(attempt)).resolves.toBe('answer');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
  });

  it('is not repeated when the backend asks for a long pause', async () => {
    const { attempt, attempts } = failing([outageError({ httpStatus: 503, retryAfterMs: 60_000 })]);
    await expect(withRetries(attempt)).rejects.toMatchObject({ end: 'failed' });
    expect(attempts()).toBe(1);
  });

  it.each([
    ['another refusal', refusalError(409, 'no'), false],
    ['a breach of the contract', contractBreach('backend-api', 'no JSON'), false],
    ['our own refusal', heldBackError(), true],
    ['a call that we cut off', cutOffError(), false],
    ['a missing key', new ServiceUnavailableError('backend-api'), false],
    ['a mistake of ours', new TypeError('mistake'), false],
  ])('because of %s is not repeated, and a job knows whether it may pass', async (_how, error, passes) => {
    const { attempt, attempts } = failing([error]);
    await expect(withRetries(attempt)).rejects.toBe(error);
    expect([attempts(), meaningOf(error).isTransient === true]).toEqual([1, passes]);
  });

  it('does not keep anybody waiting who is no longer interested', async () => {
    const operation = new AbortController();
    const attempt = (): Promise<never> => {
      queueMicrotask(() => operation.abort());
      return Promise.reject(operation.signal.aborted ? cutOffError() : busy(5_000));
    };
    const failure = withRetries(attempt, operation.signal).catch((error: unknown) => error);
    expect(await Promise.race([failure, delay(1_000, undefined, { ref: false })])).toMatchObject({ end: 'cut off' });
  });
});

it('an outage and a busy backend may pass, and what is no error may not', () => {
  expect([outageError(), busy(), 'text'].map((error) => meaningOf(error).isTransient)).toEqual([true, true, undefined]);
});
