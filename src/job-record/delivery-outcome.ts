interface DeliveryRow {
  /** Effect on the message; see {@link DeliveryOutcome}. */
  readonly outcome: 'done' | 'final' | 'retry' | 'delay';
  /**
   * Statuses of the callback that lead to this outcome; if absent, {@link DeliveryRow.when} describes the condition.
   */
  readonly statuses?: readonly number[];
  /** Condition other than a list of statuses. */
  readonly when?: string;
  readonly meaning: string;
}

/**
 * All outcomes of a delivery by code, as used in metrics, the log and records. The table in `openapi/README.md` is
 * generated from this one. An outcome is final only for a fault of the message itself, and uses up an attempt only
 * after a failure that may crash the gateway. All other outcomes concern the network or the moment.
 */
export const DELIVERY_OUTCOMES = {
  handled: { outcome: 'done', statuses: [200], meaning: 'the job was handled; failures of single items are inside' },
  message_refused: {
    outcome: 'final',
    statuses: [400, 413, 415, 422],
    meaning:
      'the message itself is wrong: its body, `x-job-id` or `x-org-id` does not match the OpenAPI file (`errors` ' +
      'says where), it is too large, no JSON, or its job id came with a different body before',
  },
  unreadable: { outcome: 'final', when: 'no call', meaning: 'it is no message, or one that was tampered with' },
  failed: { outcome: 'retry', statuses: [500], meaning: 'a fault of the gateway' },
  no_reply: {
    outcome: 'retry',
    when: 'connection lost after the request was sent',
    meaning: 'the gateway ended, or the reply is not its own',
  },
  not_reached: {
    outcome: 'delay',
    when: 'no connection',
    meaning: 'it was refused, its name is not known, TLS failed, or it was reset before anything was sent',
  },
  come_again: {
    outcome: 'delay',
    when: '503 with `Retry-After`',
    meaning:
      'the gateway asks to come again: a store is down, the bucket or backend-api refuses, it is shutting down, or ' +
      'the organisation runs `JOBS_MAX_RUNNING_PER_ORG` jobs while another one has work; its log says which',
  },
  unavailable: { outcome: 'delay', statuses: [502, 503, 504], meaning: 'the proxy in front finds no gateway' },
  running: { outcome: 'delay', statuses: [409], meaning: 'the job runs already, said before its body is looked at' },
  not_authorized: {
    outcome: 'delay',
    statuses: [401, 403],
    meaning:
      '`x-api-key` is missing or wrong, or the signature is (`callback.refused` in the log of the gateway says why), ' +
      'or something in between refuses',
  },
  wrong_address: {
    outcome: 'delay',
    statuses: [404, 405, 421],
    meaning: 'there is no callback at this address: look at `GATEWAY_URL` and `BASE_PATH`',
  },
  not_taken: {
    outcome: 'delay',
    statuses: [408, 425, 429],
    meaning: 'the request took longer than `REQUEST_TIMEOUT_SECONDS` to arrive, or was cut short, or too many came',
  },
  unexpected: {
    outcome: 'delay',
    when: 'any other status',
    meaning: 'no answer of the gateway; a redirection is never followed, as the key would go with it',
  },
  key_unknown: {
    outcome: 'delay',
    when: 'no call: its key is unknown',
    meaning: 'it was sealed with a key that is not in `JOB_ENCRYPTION_KEY` here',
  },
  newer_format: { outcome: 'delay', when: 'no call: its format is newer', meaning: 'a newer program wrote it' },
  stopping: { outcome: 'delay', when: 'the function ends', meaning: 'the gateway goes on with the job' },
} as const satisfies Readonly<Record<string, DeliveryRow>>;

export type DeliveryCode = keyof typeof DELIVERY_OUTCOMES;

const ROWS: readonly (readonly [string, DeliveryRow])[] = Object.entries(DELIVERY_OUTCOMES);
const CODES = new Map(ROWS.flatMap(([code, { statuses = [] }]) => statuses.map((status) => [status, code] as const)));

/** Returns the code for the status of a callback. @param asksAgain true if the answer has a retry time */
export function codeOfStatus(status: number, asksAgain: boolean): DeliveryCode {
  if (status === 503 && asksAgain) return 'come_again';
  const code = CODES.get(status);
  return code !== undefined && isDeliveryCode(code) ? code : 'unexpected';
}

export function isDeliveryCode(text: string): text is DeliveryCode {
  return Object.hasOwn(DELIVERY_OUTCOMES, text);
}

interface Explained {
  readonly code: DeliveryCode;
  /** Last status of the callback; 503 without a reply, 500 without a call. */
  readonly status: number;
  readonly reason: string;
}

export type DeliveryOutcome =
  /** 200: the job was handled. */
  | { readonly kind: 'done' }
  /** The callback is called again later, and no attempt is used up: the reason lies outside the job. */
  | ({ readonly kind: 'delay'; readonly delayMs: number } & Explained)
  /** The next attempt may succeed. This one is used up, because the call may also have crashed the gateway. */
  | ({ readonly kind: 'retry' } & Explained)
  /** The call can never succeed, or was delayed for longer than messages wait. */
  | ({ readonly kind: 'final' } & Explained);
