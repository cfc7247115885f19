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
import { ServiceUnavailableError } from '../../../src/errors.js';

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
    ['refused', new BackendRefusal('backend-api', 404, 'NotFound', 'no such thing')],
    ['answered in breach of the contract', new ContractBreach('backend-api', 'no JSON')],
    ['refused by ourselves', new CallRefusedError('backend-api')],
    ['cut off by us', new CallCutOffError('backend-api')],
    ['broken by a mistake of ours', new TypeError('mistake')],
  ])('because it is %s is not repeated', async (_how, error) => {
    const { attempt, attempts } = failing([error]);
    await expect(withRetries(attempt)).rejects.toBe(error);
    expect(attempts()).toBe(1);
  });

  it('does not keep anybody waiting who is no longer interested', async () => {
    const operation = new AbortController();
    const attempted: number[] = [];
    const attempt = (): Promise<never> => {
      attempted.push(performance.now());
      queueMicrotask(() => operation.abort());
      return Promise.reject(operation.signal.aborted ? new CallCutOffError('backend-api') : busy(5_000));
    };
    const startedAt = performance.now();
    await expect(withRetries(attempt, operation.signal)).rejects.toThrow(CallCutOffError);
    expect(performance.now() - startedAt).toBeLessThan(4_500);
  });
});

it.each([
  ['an outage', new BackendOutage('backend-api'), true],
  ['our own refusal', new CallRefusedError('backend-api'), true],
  ['a busy backend', busy(), true],
  ['another refusal', new BackendRefusal('backend-api', 409, 'BadInput', 'no'), false],
  ['a breach of the contract', new ContractBreach('backend-api', 'no JSON'), false],
  ['a call that we cut off', new CallCutOffError('backend-api'), false],
  ['a missing key', new ServiceUnavailableError('backend-api'), false],
  ['a mistake of ours', new TypeError('mistake'), false],
  ['no error', 'text', false],
])('whether %s may pass is known', (_what, error, expected) => {
  expect(isTransient(error)).toBe(expected);
});
