import type { Logger } from '../../logging/logger.js';
import { LeaseLostError } from '../job.js';

/** Lease that is renewed every third of its length. */
export interface KeptLease {
  /** Stops renewing. */
  end(): void;
}

/**
 * Keeps a lease until it is ended or lost. A store that does not answer does not lose it: the lease stands until it
 * expires.
 *
 * @param options.renew false when another process has taken over
 * @param options.onLost called once, when the lease is lost or could not be renewed for its whole length
 */
export function keepLease({
  leaseMs,
  renew,
  onLost,
  logger,
}: {
  readonly leaseMs: number;
  readonly renew: () => Promise<boolean>;
  readonly onLost: (reason: LeaseLostError) => void;
  readonly logger: Logger;
}): KeptLease {
  let renewedAt = performance.now();

  const timer = setInterval(() => {
    const askedAt = performance.now();
    renew().then(
      (kept) => {
        if (kept) renewedAt = askedAt;
        else lose(new LeaseLostError('The job was taken over.'));
      },
      (err: unknown) => {
        logger.event('job.lease_not_renewed', { err });
        if (performance.now() - renewedAt < leaseMs) return;
        lose(new LeaseLostError('The lease ran out while the store did not answer.'));
      },
    );
  }, leaseMs / 3);

  function lose(reason: LeaseLostError): void {
    clearInterval(timer);
    onLost(reason);
  }

  return { end: () => clearInterval(timer) };
}
