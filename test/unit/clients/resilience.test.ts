import { describe, expect, it } from '@jest/globals';
import { BackendOutage, BackendRefusal, CallCutOffError } from '../../../src/clients/call-errors.js';
import { createResilience, type Resilience } from '../../../src/clients/resilience.js';
import { ServiceUnavailableError } from '../../../src/errors.js';
import { createLogger } from '../../../src/logger.js';
import { waitFor } from '../../support/wait-for.js';

const logger = createLogger({ level: 'silent', pretty: false });
const outage = (): Promise<never> => Promise.reject(new ServiceUnavailableError('backend-api'));

function resilience(options: { retries?: number; halfOpenAfterMs?: number } = {}): Resilience {
  return createResilience({ backend: 'backend-api', logger, ...options });
}

/** Counts calls, the first of which fail. */
function failing(failures: readonly Error[]): { call: () => Promise<string>; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    call: () => {
      const failure = failures[calls];
      calls += 1;
      return failure === undefined ? Promise.resolve('answer') : Promise.reject(failure);
    },
  };
}

describe('reads', () => {
  it('are repeated twice when they fail in a way that may pass', async () => {
    const { call, calls } = failing([
      new ServiceUnavailableError('backend-api'),
      new BackendOutage('backend-api', 503),
    ]);
    await expect(resilience().read(call)).resolves.toBe('answer');
    expect(calls()).toBe(3);
  });

  it('are not repeated a third time', async () => {
    const { call, calls } = failing(Array.from({ length: 9 }, () => new BackendOutage('backend-api', 500)));
    await expect(resilience().read(call)).rejects.toThrow(BackendOutage);
    expect(calls()).toBe(3);
  });

  it('are repeated when the backend is busy, after the pause it asks for', async () => {
    const busy = new BackendRefusal('backend-api', 429, 'TooManyRequests', 'busy', 300);
    const { call } = failing([busy]);
    const startedAt = performance.now();
    await expect(resilience().read(call)).resolves.toBe('answer');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
  });

  it('are not repeated when the backend asks for a long pause', async () => {
    const { call, calls } = failing([new BackendOutage('backend-api', 503, 60_000)]);
    await expect(resilience().read(call)).rejects.toThrow(BackendOutage);
    expect(calls()).toBe(1);
  });

  it.each([
    ['refused', new BackendRefusal('backend-api', 404, 'NotFound', 'no such thing')],
    ['cut off by us', new CallCutOffError('backend-api')],
    ['broken by a mistake of ours', new TypeError('mistake')],
  ])('are not repeated when they are %s', async (_how, error) => {
    const { call, calls } = failing([error]);
    await expect(resilience().read(call)).rejects.toBe(error);
    expect(calls()).toBe(1);
  });
});

describe('writes', () => {
  it('are never repeated, because their effect is in doubt', async () => {
    const { call, calls } = failing([new ServiceUnavailableError('backend-api')]);
    await expect(resilience().write(call)).rejects.toThrow(ServiceUnavailableError);
    expect(calls()).toBe(1);
  });
});

describe('the circuit', () => {
  async function fail(target: Resilience, times: number, error = outage): Promise<void> {
    for (let count = 0; count < times; count += 1) await target.write(error).catch(() => undefined);
  }

  it('opens after 20 failed calls and then refuses without asking the backend', async () => {
    const target = resilience();
    await fail(target, 25);
    const { call, calls } = failing([]);
    await expect(target.write(call)).rejects.toThrow('backend-api is temporarily unavailable');
    await expect(target.read(call)).rejects.toThrow(ServiceUnavailableError);
    expect(calls()).toBe(0);
  });

  it('stays closed below that number', async () => {
    const target = resilience();
    await fail(target, 15);
    await expect(target.write(failing([]).call)).resolves.toBe('answer');
  });

  it('stays closed while less than half of the calls fail', async () => {
    const target = resilience();
    for (let count = 0; count < 40; count += 1) {
      await target.write(failing([]).call);
      if (count % 2 === 0) await fail(target, 1);
    }
    await expect(target.write(failing([]).call)).resolves.toBe('answer');
  });

  it('does not count refusals', async () => {
    const target = resilience();
    await fail(target, 40, () => Promise.reject(new BackendRefusal('backend-api', 422, 'BadInput', 'no')));
    await expect(target.write(failing([]).call)).resolves.toBe('answer');
  });

  it('lets a call through after a while, and closes when that is answered', async () => {
    const target = resilience({ halfOpenAfterMs: 50 });
    await fail(target, 25);
    const answer = await waitFor('the circuit to let a call through', () =>
      target.write(failing([]).call).catch(() => undefined),
    );
    expect(answer).toBe('answer');
    await expect(target.write(failing([]).call)).resolves.toBe('answer');
  });
});
