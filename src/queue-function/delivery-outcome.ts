/** What became of one call of a callback. */
export type DeliveryOutcome =
  /** 200: the job was handled. */
  | { readonly kind: 'done' }
  /** The gateway asked to come again later, or this process ends before its reply, while it goes on with the job. */
  | {
      readonly kind: 'delay';
      readonly delayMs: number;
      readonly status: number;
      readonly reason: string;
      readonly interrupted?: true;
    }
  /** It may work next time. `status` is the last one, 503 when there was none. */
  | { readonly kind: 'retry'; readonly status: number; readonly reason: string }
  /** It will never work. */
  | { readonly kind: 'final'; readonly status: number; readonly reason: string };
