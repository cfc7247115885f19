import { MAX_AGE_MS, MAX_RECEIVES } from '../../job-record/sqs-delivery.js';
import type { SqsClient } from './queue-client.js';

export interface QueueFacts {
  /** URL of the dead-letter queue; undefined if the queue names none. */
  readonly deadLetterUrl: string | undefined;
  /** Number of receives after which a delayed message is sent anew. */
  readonly maxReceives: number;
  /** Age at which a delayed message is sent anew, in milliseconds. */
  readonly maxAgeMs: number;
}

export const NO_DEAD_LETTER_QUEUE =
  'The queue names no dead-letter queue. Set RedrivePolicy, with maxReceiveCount 1000 and the ARN of one.';

/** Time for which settings are cached; they may change while we run. */
const FRESH_MS = 5 * 60 * 1000;

export class KnownQueue {
  readonly #client: SqsClient;
  readonly #url: string;
  #facts: { readonly facts: Promise<QueueFacts>; readonly until: number } | undefined;

  constructor(client: SqsClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  facts(): Promise<QueueFacts> {
    const now = Date.now();
    if (this.#facts === undefined || this.#facts.until < now) {
      const facts = this.#ask();
      this.#facts = { facts, until: now + FRESH_MS };
      // The next caller asks again.
      facts.catch(() => (this.#facts = undefined));
    }
    return this.#facts.facts;
  }

  /** @throws {Error} when the queue names none */
  async requireDeadLetterUrl(): Promise<string> {
    const { deadLetterUrl } = await this.facts();
    if (deadLetterUrl === undefined) throw new Error(NO_DEAD_LETTER_QUEUE);
    return deadLetterUrl;
  }

  async #ask(): Promise<QueueFacts> {
    const { RedrivePolicy, MessageRetentionPeriod } = await this.#client.attributes(this.#url, [
      'RedrivePolicy',
      'MessageRetentionPeriod',
    ]);
    const policy = redrivePolicy(RedrivePolicy);
    return {
      deadLetterUrl: policy && (await this.#client.urlOf(policy.target)),
      maxReceives: policy ? Math.max(1, Math.min(MAX_RECEIVES, Math.floor(policy.maxReceives / 2))) : MAX_RECEIVES,
      maxAgeMs: Math.min(MAX_AGE_MS, (Number(MessageRetentionPeriod ?? Infinity) * 1000) / 2),
    };
  }
}

/** Parses a queue's rule for messages that were received too often; undefined without one. */
export function redrivePolicy(
  text: string | undefined,
): { readonly target: string; readonly maxReceives: number } | undefined {
  if (text === undefined || text === '') return undefined;
  const policy: unknown = JSON.parse(text);
  if (typeof policy !== 'object' || policy === null) return undefined;
  const { deadLetterTargetArn, maxReceiveCount } = Object.fromEntries(Object.entries(policy));
  // Both spellings of the number are in use: 5 and "5".
  return typeof deadLetterTargetArn === 'string'
    ? { target: deadLetterTargetArn, maxReceives: Number(maxReceiveCount) }
    : undefined;
}
