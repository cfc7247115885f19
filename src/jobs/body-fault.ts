/** One fault of a request body. */
export interface BodyFault {
  /** JSON pointer into the body (RFC 6901). */
  readonly path: string;
  readonly message: string;
}
