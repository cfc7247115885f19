interface DeliveryRow {
  /** Effect on the message; see {@link DeliveryOutcome}. */
  readonly outcome: 'done' | 'final' | 'retry' | 'delay';
  /** Statuses of the callback that lead to this outcome. */
  readonly statuses?: readonly number[];
  /** Condition other than a list of statuses. */
  readonly when?: string;
  readonly meaning: string;
}

/**
 * All outcomes of a delivery by code, as used in metrics, the log and records. The table in `openapi/README.md` is
 * generated from this one. An outcome is final only for a fault of the message itself, and uses up an attempt only
 * after a failure of the gateway itself. All other outcomes concern the network or the moment; the record of a job
 * counts the gateways that it has crashed.
 */
export const DELIVERY_OUTCOMES = {
  handled: {
    outcome: 'done',
    statuses: [200],
    meaning: 'the job was handled; the reply lists failures of single items',
  },
  message_refused: {
    outcome: 'final',
    statuses: [400, 413, 415, 422],
    meaning:
      'the message itself is wrong: its body, `x-job-id` or `x-org-id` does not match the OpenAPI file ' +
      '(`errors` says where), the body is too large or not JSON, the job id came with a different body ' +
      'before, the start of the job was refused, the message is no newer than the end of its job (`x-job-queued-at`), ' +
      'or the job was given up because several gateways ended or lost their lease with it',
  },
  outdated: {
    outcome: 'done',
    when: 'no call, because the message is no newer than the end of its job',
    meaning: 'it is a copy that comes late. Only `dist/queue-function.js` sees this before the call',
  },
  unreadable: {
    outcome: 'final',
    when: 'no call, because the message is unreadable',
    meaning: 'the message cannot be read, or it was changed',
  },
  failed: { outcome: 'retry', statuses: [500], meaning: 'the gateway had an unexpected error' },
  no_reply: {
    outcome: 'delay',
    when: 'connection lost after the request was sent',
    meaning:
      'the gateway ended, or something in front of it closed the connection or sent the reply. While this goes on, ' +
      'a loss uses up an attempt, once in ten minutes at most',
  },
  not_reached: {
    outcome: 'delay',
    when: 'no connection',
    meaning:
      'the connection was refused, the host name is unknown, TLS failed, or the connection was reset ' +
      'before anything was sent',
  },
  come_again: {
    outcome: 'delay',
    when: '503 with `Retry-After`',
    meaning:
      'the gateway asks for a later delivery, and its log says why: a store is down, the bucket or ' +
      'backend-api refuses requests, the gateway is shutting down, a job has to run alone, or the organisation ' +
      'already runs `JOBS_MAX_RUNNING_PER_ORG` jobs while another organisation has work',
  },
  unavailable: {
    outcome: 'delay',
    statuses: [502, 503, 504],
    meaning: 'the proxy in front of the gateways finds no gateway',
  },
  running: {
    outcome: 'delay',
    statuses: [409],
    meaning: 'the job is already running; the gateway answers this before it reads the body',
  },
  not_authorized: {
    outcome: 'delay',
    statuses: [401, 403],
    meaning:
      '`x-api-key` or the signature is missing or wrong, or a proxy refuses the request. For a signature, ' +
      '`callback.refused` in the log of the gateway says why',
  },
  wrong_address: {
    outcome: 'delay',
    statuses: [404, 405, 421],
    meaning: 'there is no callback at this address; check `GATEWAY_URL` and `BASE_PATH`',
  },
  not_taken: {
    outcome: 'delay',
    statuses: [408, 425, 429],
    meaning:
      'the request took longer than `REQUEST_TIMEOUT_SECONDS` to arrive or ended too early, or there were ' +
      'too many requests',
  },
  foreign: {
    outcome: 'delay',
    when: 'any other status, and 200, 400, 409, 413, 415, 422 and 500 without the `x-job-id` that was sent',
    meaning:
      'something in front of the gateway answered, which says nothing about the job; let it pass `x-job-id` on, and ' +
      'take bodies of `CALLBACK_MAX_BODY_BYTES`. A redirection is never followed, because the key would go with it',
  },
  key_unknown: {
    outcome: 'delay',
    when: 'no call, because the key of the message is unknown',
    meaning: 'the message was encrypted with a key that `JOB_ENCRYPTION_KEY` of this function lacks',
  },
  newer_format: {
    outcome: 'delay',
    when: 'no call, because the format of the message is newer',
    meaning: 'a newer program wrote the message',
  },
  stopping: {
    outcome: 'delay',
    when: 'the queue function ends during the call',
    meaning: 'the gateway continues the job',
  },
} as const satisfies Readonly<Record<string, DeliveryRow>>;

export type DeliveryCode = keyof typeof DELIVERY_OUTCOMES;

const ROWS = Object.entries(DELIVERY_OUTCOMES) as readonly [DeliveryCode, DeliveryRow][]; // entries loses the names

/** Codes of statuses that are believed from the gateway alone; the others ask for a delay, whoever sends them. */
const ITS_WORD: readonly DeliveryCode[] = ['handled', 'message_refused', 'failed', 'running'];

/**
 * Returns the code for the answer of a callback.
 *
 * @param isOwn true if the gateway itself answered: the answer carries the job id that was sent
 * @param asksAgain true if the answer has a retry time
 */
export function codeOfAnswer(status: number, isOwn: boolean, asksAgain: boolean): DeliveryCode {
  if (status === 503 && isOwn && asksAgain) return 'come_again';
  const code = ROWS.find(([, { statuses }]) => statuses?.includes(status))?.[0] ?? 'foreign';
  return !isOwn && ITS_WORD.includes(code) ? 'foreign' : code;
}

interface Explained {
  readonly code: DeliveryCode;
  /** Last status of the callback; 503 without a reply, 500 without a call. */
  readonly status: number;
  readonly reason: string;
}

/**
 * Outcome of a delivery.
 *
 * - `done`: 200, the job was handled
 * - `delay`: the callback is called again later, and no attempt is used up: the reason lies outside the job
 * - `retry`: the next attempt may succeed, and this one is used up
 * - `final`: the call can never succeed, or was delayed for longer than messages wait
 */
export type DeliveryOutcome =
  | { readonly kind: 'done' }
  | ({ readonly kind: 'delay'; readonly delayMs: number } & Explained)
  | ({ readonly kind: 'retry' } & Explained)
  | ({ readonly kind: 'final' } & Explained);
