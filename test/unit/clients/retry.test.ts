import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  BackendOutage,
  BackendRefusal,
  CallCutOffError,
  CallRefusedError,
  ContractBreach,
  isTransient,
} from '../../../src/clients/call-errors.js';
import { withRetries } from '../../../src/clients/retry.js';
import { ServiceUnavailableError } from '../../../src/base/errors.js';

const busy = (retryAfterMs?: number): BackendRefusal =>
  new BackendRefusal('backend-api', 429, 'TooManyRequests', 'busy', retryAfterMs);

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
    const { attempt, attempts } = failing(Array.from({ length: 9 }, () => new BackendOutage('backend-api')));
    await expect(withRetries(attempt)).rejects.toThrow(BackendOutage);
    expect(attempts()).toBe(3);
  });

  it('because the backend is busy is repeated after the pause it asks for', async () => {
    const { attempt } = failing([busy(300)]);
    const startedAt = performance.now();
    await expect(withRetries(attempt)).resolves.toBe('answer');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
  });

  it('is not repeated when the backend asks for a long pause', async () => {
    const { attempt, attempts } = failing([
      new BackendOutage('backend-api', { httpStatus: 503, retryAfterMs: 60_000 }),
    ]);
    await expect(withRetries(attempt)).rejects.toThrow(BackendOutage);
    expect(attempts()).toBe(1);
  });

  it.each([
    ['another refusal', new BackendRefusal('backend-api', 409, 'BadInput', 'no'), false],
    ['a breach of the contract', new ContractBreach('backend-api', 'no JSON'), false],
    ['our own refusal', new CallRefusedError('backend-api'), true],
    ['a call that we cut off', new CallCutOffError('backend-api'), false],
    ['a missing key', new ServiceUnavailableError('backend-api'), false],
    ['a mistake of ours', new TypeError('mistake'), false],
  ])('because of %s is not repeated, and a job knows whether it may pass', async (_how, error, passes) => {
    const { attempt, attempts } = failing([error]);
    await expect(withRetries(attempt)).rejects.toBe(error);
    expect([attempts(), isTransient(error)]).toEqual([1, passes]);
  });

  it('does not keep anybody waiting who is no longer interested', async () => {
    const operation = new AbortController();
    const attempt = (): Promise<never> => {
      queueMicrotask(() => operation.abort());
      return Promise.reject(operation.signal.aborted ? new CallCutOffError('backend-api') : busy(5_000));
    };
    const failure = withRetries(attempt, operation.signal).catch((error: unknown) => error);
    expect(await Promise.race([failure, delay(1_000, undefined, { ref: false })])).toBeInstanceOf(CallCutOffError);
  });
});

it('an outage and a busy backend may pass, and what is no error may not', () => {
  expect([new BackendOutage('backend-api'), busy(), 'text'].map(isTransient)).toEqual([true, true, false]);
});
