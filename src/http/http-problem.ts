import { ERRORS, textOf, type Filling, type HttpReason, type Parts } from '../error-table.js';
import type { BodyFault } from '../jobs/body-faults.js';

/** Details of a problem beside its text. */
export interface ProblemDetails {
  /** Faults of a body or header, for 400. */
  readonly errors?: readonly BodyFault[];
  /** Time until a retry in milliseconds, for 409 and 503. */
  readonly retryAfterMs?: number;
}

/** Parts of a text, if it has any, and details. */
type Arguments<Name extends HttpReason> =
  Filling<Name> extends []
    ? [parts?: Record<string, never>, details?: ProblemDetails]
    : [parts: Parts<Name>, details?: ProblemDetails];

/** An error of a REST request that the caller may see. */
export class HttpProblem<Name extends HttpReason = HttpReason> extends Error {
  override readonly name = 'HttpProblem';
  /** HTTP status. */
  readonly status: number;
  readonly details: ProblemDetails;

  /** @param reason row of the table; decides text and status @param given parts of the text, and details */
  constructor(
    readonly reason: Name,
    ...given: Arguments<Name>
  ) {
    const [parts, details = {}] = given;
    super(textOf(reason, ...([parts] as unknown as Filling<Name>))); // as checked by `Arguments`
    this.status = ERRORS[reason].status;
    this.details = details;
  }
}
