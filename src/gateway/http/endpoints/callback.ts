import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import readRawBody from 'raw-body';
import * as parameters from '../../../../generated/validators/gateway.js';
import { generationOf, type OnKeyUsed } from '../../../base/config/key-ring.js';
import { MAX_ORDER_BYTES, type Job, type Work } from '../../../jobs/job.js';
import type { JobReply } from '../../../jobs/run/job-reply.js';
import type { JobRunner, SeenJob } from '../../../jobs/run/job-runner.js';
import type { CallbackSignature } from '../../../jobs/record/callback-signature.js';
import type { JobIdentity } from '../../../jobs/record/job-record.js';
import { isKeyedJobId } from '../../../jobs/record/keyed-job-id.js';
import { WAIT_MS } from '../../../jobs/record/organisation-jobs.js';
import { present } from '../../../jobs/record/stored-fields.js';
import { percentDecoded, decodeUtf8 } from '../../../base/wire/decode-utf8.js';
import { isOrganisationCode, ORG_HEADER } from '../../../base/wire/organisation-code.js';
import { headerCount } from '../request-target.js';
import { HttpProblem } from '../http-problem.js';
import type { GatewayState, HttpContext } from '../request-log.js';
import { readSignature, requireSameJob, verifySignature, type SignedCallbacksOptions } from '../signed-callbacks.js';
import { yieldToEventLoop } from '../../../base/waits.js';
import { isJsonContent, jsonIn } from '../../../base/wire/json-content.js';

export interface CallbackOptions {
  readonly runner: Pick<JobRunner, 'look' | 'isExclusive' | 'handle'>;
  /** Largest size of a body without an order, in bytes. */
  readonly maxBodyBytes: number;
  /** Undefined: callbacks need not be signed. */
  readonly signed?: SignedCallbacksOptions | undefined;
  /**
   * Jobs of the kind that need a user's order: `all`, as the key of the callbacks alone must not make an administrator,
   * or those of an id that an idempotency key makes, which it must not take from the user; none if undefined.
   */
  readonly orderedOnly: 'all' | 'keyed' | undefined;
}

/** Time after which a job stopped by a shutdown may be delivered again, in milliseconds. */
const STOPPED_RETRY_MS = 1_000;

const ASCII = /^[ -~]*$/;

/**
 * Creates middleware that admits requests with one of the keys in `x-api-key` (specification, "API key (REST
 * callbacks)"). All other requests are 401, before the body is read. Keys are compared in constant time.
 */
export function requireApiKey(keys: readonly string[], onKeyUsed: OnKeyUsed | undefined): Middleware {
  const digests = keys.map(digest);
  return async (ctx, next) => {
    const given = digest(ctx.get('x-api-key'));
    const index = digests.map((key) => timingSafeEqual(key, given)).indexOf(true);
    if (index < 0) throw new HttpProblem('Unauthorized');
    onKeyUsed?.('callback', generationOf(index));
    await next();
  };
}

/** Hashes a key, because the comparison needs equal lengths. */
function digest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Job that the headers of a callback name. Without its header, the id is derived from the body. */
type NamedJob = Pick<JobIdentity, 'kind' | 'org'> & { readonly jobId: string | undefined };

/** Serves the callback of one kind of job (specification, "Endpoints"). {@link requireApiKey} has checked the key. */
export function callback(job: Job, options: CallbackOptions): Middleware<GatewayState> {
  return (ctx) => serveCallback(ctx, job, options);
}

async function serveCallback(ctx: HttpContext, job: Job, options: CallbackOptions): Promise<void> {
  const { runner, signed } = options;
  const signature = signed && readSignature(ctx.req);
  const { jobId, org, queuedAt } = readJobHeaders(ctx);
  const named = { kind: job.kind, org, jobId };
  const { log } = ctx.state;
  const jobFields = { kind: job.kind, ...present({ org, jobId }) };
  ctx.state.job = jobFields;
  ctx.state.log = log.child(jobFields);
  if (signature !== undefined) requireSameJob(signature, named);
  requireTurn(runner);
  // This is checked before the body is read, because many waiting jobs may be delivered again and again.
  const seen = await runner.look(named);
  if (seen.waitMs > 0) throw retryLater('OrganisationBusy');
  const body = await parseJsonBody(await receiveJobBody(ctx, named, seen, signature, options));
  const work = readWork(job, body, seen);
  // Validation may block the event loop as long as parsing.
  await yieldToEventLoop();
  // A claim beside a job that has begun to run alone meanwhile would lose its lease with it.
  requireTurn(runner);
  const reply = await runner.handle({ job, org, jobId, queuedAt, body, work, log });
  ctx.state.job = { ...jobFields, jobId: reply.jobId };
  writeReply(ctx, reply);
}

/** Reads the headers that name the job. A known job id is in every answer. @throws {HttpProblem} 400 */
function readJobHeaders(ctx: Context) {
  const idRule = 'must be 1 to 128 of the characters A-Z a-z 0-9 . _ : -';
  const jobId = readRequestHeader(ctx, 'x-job-id', (value) => (parameters.JobId(value) ? value : undefined), idRule);
  if (jobId !== undefined) ctx.set('x-job-id', jobId);
  const orgRule = 'must be an organisation code of 1 to 256 characters, not blank, percent-encoded beyond ASCII';
  const org = readRequestHeader(ctx, ORG_HEADER, organisationIn, orgRule);
  const queuedAt = readRequestHeader(ctx, 'x-job-queued-at', timeIn, 'must be a time such as 2026-11-27T09:00:00Z');
  return { jobId, org, queuedAt };
}

function organisationIn(value: string): string | undefined {
  // Raw bytes beyond ASCII could be Latin-1 or UTF-8, and a wrong guess could name another organisation.
  const org = ASCII.test(value) ? percentDecoded(value) : undefined;
  return isOrganisationCode(org) ? org : undefined;
}

function timeIn(value: string): number | undefined {
  const time = parameters.QueuedAt(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the value of a header; undefined if absent. @throws {HttpProblem} 400 malformed, or given more than once */
function readRequestHeader<T>(
  ctx: Context,
  name: Lowercase<string>,
  parse: (text: string) => T | undefined,
  rule: string,
): T | undefined {
  if (ctx.req.headers[name] === undefined) return undefined;
  const isRepeated = headerCount(ctx.req, name) > 1;
  const value = isRepeated ? undefined : parse(ctx.get(name));
  if (value !== undefined) return value;
  const message = isRepeated ? 'must be given once' : rule;
  throw new HttpProblem('InvalidHeader', { name, fault: message }, { errors: [{ path: name, message }] });
}

/** @throws {HttpProblem} 503 while another job runs alone */
function requireTurn({ isExclusive }: CallbackOptions['runner']): void {
  if (isExclusive) throw retryLater('JobRunsAlone');
}

/** Receives the body of a job that may run, and verifies its signature, if any. @throws {HttpProblem} */
async function receiveJobBody(
  ctx: HttpContext,
  named: NamedJob,
  seen: SeenJob,
  signature: CallbackSignature | undefined,
  options: CallbackOptions,
): Promise<Uint8Array> {
  const { maxBodyBytes, signed } = options;
  if (signature === undefined) requireRunnable(named, seen, options);
  // The limits of an ordered job were judged when a user ordered it, and may be others now.
  const most = seen.isOrdered || signature !== undefined ? Math.max(maxBodyBytes, MAX_ORDER_BYTES) : maxBodyBytes;
  const bytes = await receiveJsonBody(ctx, maxBodyBytes, most);
  if (signed === undefined || signature === undefined) return bytes;
  await verifySignature(signed, signature, bytes);
  // A sender without a valid signature must not learn whether a job is running, or was ordered.
  requireRunnable(named, seen, options);
  if (bytes.length > maxBodyBytes && !seen.isOrdered) throw bodyTooLarge(maxBodyBytes);
  return bytes;
}

/** @throws {HttpProblem} 409 while the job is running, 422 if it needs an order and has none */
function requireRunnable({ jobId }: NamedJob, seen: SeenJob, { orderedOnly }: CallbackOptions): void {
  if (seen.runningMs > 0) throw retryLater('JobRunning', seen.runningMs);
  const isKeyed = jobId !== undefined && isKeyedJobId(jobId);
  const needsOrder = orderedOnly === 'all' || (orderedOnly === 'keyed' && isKeyed);
  if (needsOrder && !seen.isOrdered) {
    throw new HttpProblem(orderedOnly === 'all' ? 'JobNotOrdered' : 'KeyNotOrdered');
  }
}

function readWork(job: Job, body: unknown, { isOrdered }: SeenJob): Work {
  const judged = job.accept(body);
  const accepted = judged.kind === 'too many' && isOrdered ? job.accept(body, true) : judged;
  switch (accepted.kind) {
    case 'work':
      return accepted.work;
    case 'too many':
      throw new HttpProblem('TooManyItems', accepted.values);
    case 'faults': {
      const errors = accepted.faults.map(({ path, message }) => ({ path, message }));
      throw new HttpProblem('InvalidBody', {}, { errors });
    }
  }
}

function writeReply(ctx: Context, reply: JobReply): void {
  ctx.set('x-job-id', reply.jobId);
  switch (reply.outcome) {
    case 'handled':
      if (reply.replayed) ctx.set('x-job-replayed', 'true');
      ctx.status = reply.result.status;
      ctx.type = 'application/json';
      // The stored text itself is sent, so that a replay has the same bytes.
      ctx.body = reply.result.body;
      return;
    case 'running':
      throw retryLater('JobRunning', reply.retryAfterMs);
    case 'unknown key':
      throw retryLater('JobKeyUnknown', reply.retryAfterMs);
    case 'must wait':
      throw retryLater(reply.runsAlone ? 'JobRunsAlone' : 'OrganisationBusy', reply.retryAfterMs);
    case 'given up':
      throw new HttpProblem('JobGivenUp');
    case 'conflict':
      throw new HttpProblem('JobIdReused');
    case 'refused':
      throw new HttpProblem('StartRefused');
    case 'outdated':
      throw new HttpProblem('MessageOutdated');
    case 'stopped':
      throw retryLater('JobStopped', STOPPED_RETRY_MS);
  }
}

type Passing = 'JobRunsAlone' | 'OrganisationBusy' | 'JobRunning' | 'JobKeyUnknown' | 'JobStopped';

function retryLater(problem: Passing, retryAfterMs = WAIT_MS): HttpProblem {
  return new HttpProblem(problem, {}, { retryAfterMs });
}

/**
 * Receives the body of a callback, which must be declared as JSON.
 *
 * @param limit largest size in bytes, as it is told
 * @param most largest size that is received; equal if absent
 * @throws {HttpProblem} 415 other content type, 413 too large, 408 cut short
 */
async function receiveJsonBody(ctx: Context, limit: number, most = limit): Promise<Uint8Array> {
  if (!isJsonContent(ctx.get('content-type'), ctx.get('content-encoding'))) throw new HttpProblem('NotJsonContent');
  try {
    return await readRawBody(ctx.req, { limit: most, length: ctx.get('content-length') || null });
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
      throw bodyTooLarge(limit);
    }
    throw new HttpProblem('BodyCutShort');
  }
}

function bodyTooLarge(limit: number): HttpProblem {
  return new HttpProblem('BodyTooLarge', { limit, variable: 'CALLBACK_MAX_BODY_BYTES' });
}

/** Parses a body and then yields to the event loop, which parsing may block. @throws {HttpProblem} 400 */
async function parseJsonBody(bytes: Uint8Array): Promise<unknown> {
  const text = await decodeUtf8(bytes);
  if (text === undefined) throw notJson('BodyNotUtf8');
  const body = jsonIn(text);
  await yieldToEventLoop();
  if (body === undefined) throw notJson('BodyNotJson');
  return body;
}

function notJson(reason: 'BodyNotUtf8' | 'BodyNotJson'): HttpProblem {
  return new HttpProblem(reason, {}, { errors: [{ path: '', message: 'must be JSON' }] });
}
