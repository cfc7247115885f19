import type { BodyFault } from '../jobs/body-faults.js';

/** A REST request that is answered with an error the caller may see. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  /**
   * @param status HTTP status
   * @param message text for the caller
   * @param details.errors the faults of a body or header, for 400
   * @param details.retryAfterMs when to try again, for 409 and 503
   */
  constructor(
    readonly status: number,
    message: string,
    readonly details: { readonly errors?: readonly BodyFault[]; readonly retryAfterMs?: number } = {},
  ) {
    super(message);
  }
}
