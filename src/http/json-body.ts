import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'koa';
import readRawBody from 'raw-body';
import { HttpProblem } from './http-problem.js';

/** Limit on the size of a body, and the variable that sets it. */
export interface BodyLimit {
  readonly variable: string;
  readonly bytes: number;
}

/**
 * Reads a JSON body.
 *
 * @throws {HttpProblem} 415 not JSON by its content type, 413 too large, 400 not JSON, not UTF-8 or cut short
 */
export async function readJsonBody(ctx: Context, limit: BodyLimit): Promise<unknown> {
  const encoding = ctx.get('content-encoding');
  const mediaType = ctx.request.type.trim().toLowerCase();
  if (mediaType !== 'application/json' || (encoding !== '' && encoding !== 'identity')) {
    throw new HttpProblem(415, 'Content-Type must be application/json, without Content-Encoding.');
  }
  const body = parse(await readText(ctx, limit));
  // To parse it may have taken as long as others should wait.
  await turn();
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson('The request body is not JSON.');
  }
}

async function readText(ctx: Context, limit: BodyLimit): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readRawBody(ctx.req, { limit: limit.bytes, length: ctx.get('content-length') || null });
  } catch (error) {
    if (isTooLarge(error)) {
      // What is left of the body is not read, so the connection cannot be used again.
      ctx.set('Connection', 'close');
      throw new HttpProblem(
        413,
        `The request body is too large. The limit is ${limit.bytes} bytes (${limit.variable}).`,
      );
    }
    throw notJson('The request body was cut short.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notJson('The request body is not UTF-8.');
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function notJson(message: string): HttpProblem {
  return new HttpProblem(400, message, { errors: [{ path: '', message: 'must be JSON' }] });
}
