import type { BodyFault } from '../jobs/body-faults.js';

/** An error of a REST request that the caller may see. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';

  /**
   * @param status HTTP status
   * @param message text for the caller
   * @param details.errors the faults of a body or header, for 400
   * @param details.retryAfterMs time until a retry in milliseconds, for 409 and 503
   */
  constructor(
    readonly status: number,
    message: string,
    readonly details: { readonly errors?: readonly BodyFault[]; readonly retryAfterMs?: number } = {},
  ) {
    super(message);
  }
}
