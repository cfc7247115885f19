import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { generationOf, type OnKeyUsed } from '../config/key-use.js';
import {
  isAttemptAt,
  signingSecretOf,
  type CallbackSignature,
  type ReplayMemory,
  type SignedJob,
} from '../job-record/callback-signature.js';
import { HttpProblem } from './http-problem.js';

/** How the signatures of callbacks are judged. */
export interface SignedCallbacksOptions {
  /** Any of them may have signed. */
  readonly secrets: readonly Uint8Array[];
  readonly replayMemory: ReplayMemory;
  /** Is told which one had signed, the current one being the first. */
  readonly onKeyUsed?: OnKeyUsed | undefined;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
}

/** How far the clock of the sender may be from ours (Standard Webhooks, "Verifying webhook authenticity"). */
const TOLERANCE_MS = 300_000;

/** An id can come again for twice the tolerance; once more is for replicas whose clocks differ. */
const REMEMBERED_MS = 3 * TOLERANCE_MS;

/** Entries of versions that nobody here knows are passed over. */
const SIGNATURES = /^(?:v\w+,[A-Za-z0-9+/]+={0,2})(?: v\w+,[A-Za-z0-9+/]+={0,2})*$/;
const SECONDS = /^[1-9]\d{0,11}$/;

/** A callback is 401, and the reason is for the log: whoever forges one learns nothing of it. */
export class RefusedCallback extends HttpProblem {
  constructor(readonly reason: string) {
    super(401, 'Unauthorized');
  }
}

/** Judges whether callbacks come from whom they say, now, and for the first time. */
export class SignedCallbacks {
  readonly #secrets: readonly Uint8Array[];
  readonly #replayMemory: ReplayMemory;
  readonly #onKeyUsed: OnKeyUsed | undefined;
  readonly #now: () => number;

  constructor({ secrets, replayMemory, onKeyUsed, now = Date.now }: SignedCallbacksOptions) {
    this.#onKeyUsed = onKeyUsed;
    this.#secrets = secrets;
    this.#replayMemory = replayMemory;
    this.#now = now;
  }

  /**
   * What can be judged before the body is read.
   *
   * @throws {RefusedCallback} a header is missing or malformed, or the time is not now
   */
  readSignature({ headers }: IncomingMessage): CallbackSignature {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
      throw new RefusedCallback('it is not signed: a webhook header is missing');
    }
    if (!SECONDS.test(timestamp)) throw new RefusedCallback('webhook-timestamp is not a number of seconds');
    if (!SIGNATURES.test(signature)) throw new RefusedCallback('webhook-signature is malformed');
    if (Math.abs(Number(timestamp) * 1000 - this.#now()) > TOLERANCE_MS) {
      throw new RefusedCallback('webhook-timestamp is more than 5 minutes from now: compare the clocks');
    }
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  }

  /** @throws {RefusedCallback} the id is not one of an attempt at the job that the other headers name */
  requireSameJob({ 'webhook-id': id }: CallbackSignature, job: SignedJob): void {
    if (!isAttemptAt(job, id)) throw new RefusedCallback('webhook-id does not agree with x-org-id and x-job-id');
  }

  /**
   * The rest. Only an id that was signed is remembered: strangers fill no memory.
   *
   * @throws {RefusedCallback} no signature is right, or the id came before, here or at another replica
   * @throws {ServiceUnavailableError} nobody can tell whether it came before
   */
  async requireFirst(signature: CallbackSignature, body: Uint8Array): Promise<void> {
    const index = signingSecretOf(this.#secrets, signature, body);
    if (index < 0) throw new RefusedCallback('no signature is right');
    this.#onKeyUsed?.('signing', generationOf(index));
    const id = hash('sha256', signature['webhook-id'], 'base64url');
    if (!(await this.#replayMemory.remember(id, REMEMBERED_MS))) throw new RefusedCallback('webhook-id came before');
  }
}
