import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { generationOf, type OnKeyUsed } from '../../base/config/key-ring.js';
import {
  isAttemptAt,
  signingSecretOf,
  type CallbackSignature,
  type ReplayMemory,
  type SignedJob,
} from '../../jobs/record/callback-signature.js';
import { HttpProblem } from './http-problem.js';

/** Settings of the verification of callback signatures. */
export interface SignedCallbacksOptions {
  readonly secrets: readonly Uint8Array[];
  readonly replayMemory: ReplayMemory;
  readonly onKeyUsed: OnKeyUsed | undefined;
}

/** Largest clock difference to the sender, in milliseconds (Standard Webhooks, "Verifying webhook authenticity"). */
const TOLERANCE_MS = 300_000;

/** Time for which ids are remembered, in milliseconds: twice the tolerance, and once more for differing clocks. */
const REMEMBERED_MS = 3 * TOLERANCE_MS;

/** Format of signatures. Entries of unknown versions are allowed, and ignored. */
const SIGNATURES = /^(?:v\w+,[A-Za-z0-9+/]+={0,2})(?: v\w+,[A-Za-z0-9+/]+={0,2})*$/;
const SECONDS = /^[1-9]\d{0,11}$/;

/** Refusal of a callback with 401. Only the log has the reason, so that forgers learn nothing. */
export class RefusedCallback extends HttpProblem<'Unauthorized'> {
  constructor(readonly why: string) {
    super('Unauthorized');
  }
}

/**
 * Reads and checks the signature headers, before the body is read.
 *
 * @throws {RefusedCallback} a header is missing or malformed, or the timestamp is out of tolerance
 */
export function readSignature({ headers }: IncomingMessage): CallbackSignature {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
    throw new RefusedCallback('it is not signed: a webhook header is missing');
  }
  if (!SECONDS.test(timestamp)) throw new RefusedCallback('webhook-timestamp is not a number of seconds');
  if (!SIGNATURES.test(signature)) throw new RefusedCallback('webhook-signature is malformed');
  if (Math.abs(Number(timestamp) * 1000 - Date.now()) > TOLERANCE_MS) {
    throw new RefusedCallback('webhook-timestamp is more than 5 minutes from now: compare the clocks');
  }
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

/** Checks that the id belongs to an attempt at the job in the other headers. @throws {RefusedCallback} it does not */
export function requireSameJob({ 'webhook-id': id }: CallbackSignature, job: SignedJob): void {
  if (!isAttemptAt(job, id)) throw new RefusedCallback('webhook-id does not agree with x-org-id and x-job-id');
}

/**
 * Verifies the signature and rejects replays. Only signed ids are remembered, so strangers cannot fill memory.
 *
 * @throws {RefusedCallback} no signature is valid, or the id came before, here or at another replica
 * @throws {ServiceUnavailableError} the replay memory does not answer
 */
export async function verifySignature(
  { secrets, replayMemory, onKeyUsed }: SignedCallbacksOptions,
  signature: CallbackSignature,
  body: Uint8Array,
): Promise<void> {
  const index = signingSecretOf(secrets, signature, body);
  if (index < 0) throw new RefusedCallback('no signature is right');
  onKeyUsed?.('signing', generationOf(index));
  const id = hash('sha256', signature['webhook-id'], 'base64url');
  if (!(await replayMemory.remember(id, REMEMBERED_MS))) throw new RefusedCallback('webhook-id came before');
}
