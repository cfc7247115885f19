import { ERRORS, textOf, type ErrorArguments, type HttpReason } from '../../base/error-table.js';

/** Details of a problem beside its text. */
export interface ProblemDetails {
  /** Faults of a body or header, for 400. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** Time until a retry in milliseconds, for 409 and 503. */
  readonly retryAfterMs?: number;
}

/** An error of a REST request that the caller may see. */
export class HttpProblem<Name extends HttpReason = HttpReason> extends Error {
  override readonly name = 'HttpProblem';
  /** HTTP status. */
  readonly status: number;
  readonly details: ProblemDetails;

  /** @param reason row of the table; decides text and status */
  constructor(
    readonly reason: Name,
    ...[values, details = {}]: ErrorArguments<Name, ProblemDetails>
  ) {
    super(textOf(reason, values));
    this.status = ERRORS[reason].status;
    this.details = details;
  }
}
