import { GraphQLError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';

/**
 * Reads the body of a GraphQL request: JSON in UTF-8, of which nothing is replaced or guessed (RFC 8259, section 8.1).
 *
 * @throws {GraphQLError} it is none, it is cut short, or it is over the server's limit
 */
export async function readGraphQLBody(request: Request): Promise<GraphQLParams> {
  const body = parseJson(decodeText(await readBytes(request)));
  if (typeof body === 'object' && body !== null) return body; // looked through by the server before it is used
  throw refusal(`POST body is expected to be object but received ${body === null ? 'null' : typeof body}`);
}

async function readBytes(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch (error) {
    if (error instanceof GraphQLError) throw error;
    throw refusal('POST body was cut short.');
  }
}

function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal('POST body is not UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refusal('POST body sent invalid JSON.');
  }
}

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { http: { status: 400 } } });
}
