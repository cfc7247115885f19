import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a GraphQL request: JSON in UTF-8, of which nothing is replaced or guessed (RFC 8259, section 8.1).
 *
 * @param context is told how large it is
 * @throws {GraphQLError} it is none, it is cut short, or it is over the server's limit
 */
export async function readGraphQLBody(request: Request, context: { bodyBytes: number }): Promise<GraphQLParams> {
  const bytes = await readBytes(request);
  context.bodyBytes = bytes.length;
  const body = parseBody(bytes);
  if (typeof body === 'object' && body !== null) return body; // looked through by the server before it is used
  throw refusal(`POST body is expected to be object but received ${body === null ? 'null' : typeof body}`);
}

/** @throws {GraphQLError} it is no JSON in UTF-8 */
export function parseBody(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    throw refusal('POST body is not UTF-8.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refusal('POST body sent invalid JSON.');
  }
}

/**
 * Receives a body whole.
 *
 * @returns undefined when it was cut short
 */
export function receiveBody(request: IncomingMessage): Promise<Buffer | undefined> {
  // By events: iterating over a request costs several times as much.
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('close', () => resolve(undefined));
    request.on('error', () => resolve(undefined));
  });
}

async function readBytes(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    if (error instanceof GraphQLError) throw error;
    throw cutShort();
  }
}

/** The body did not come whole. */
export function cutShort(): GraphQLError {
  return refusal('POST body was cut short.');
}

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { http: { status: 400 } } });
}
