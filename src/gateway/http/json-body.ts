import type { Context } from 'koa';
import readRawBody from 'raw-body';
import { HttpProblem } from './http-problem.js';
import { decodeUtf8 } from '../../base/wire/decode-utf8.js';
import { isJsonContent, jsonIn } from '../../base/wire/json-content.js';
import { yieldToEventLoop } from '../../base/waits.js';

/**
 * Receives the body of a callback, which must be declared as JSON.
 *
 * @param limit largest size in bytes, as it is told
 * @param most largest size that is received; equal if absent
 * @throws {HttpProblem} 415 other content type, 413 too large, 408 cut short
 */
export async function receiveJsonBody(ctx: Context, limit: number, most = limit): Promise<Uint8Array> {
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

export function bodyTooLarge(limit: number): HttpProblem {
  return new HttpProblem('BodyTooLarge', { limit, variable: 'CALLBACK_MAX_BODY_BYTES' });
}

/** Parses a body and then yields to the event loop, which parsing may block. @throws {HttpProblem} 400 */
export async function parseJsonBody(bytes: Uint8Array): Promise<unknown> {
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
