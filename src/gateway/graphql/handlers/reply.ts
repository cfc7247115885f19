export interface GraphQLReply {
  readonly status: number;
  /** Alternating names and values, without the length of the body. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Length of the body in bytes, if known. */
  readonly bytes?: number;
}

/** Media types of a reply (GraphQL over HTTP, "Media Types"). */
export type ReplyType = 'application/json' | 'application/graphql-response+json';

export const TYPE_HEADERS: Readonly<Record<ReplyType, readonly [name: string, value: string]>> = {
  'application/json': ['content-type', 'application/json; charset=utf-8'],
  'application/graphql-response+json': ['content-type', 'application/graphql-response+json; charset=utf-8'],
};

export async function toReply(response: Response): Promise<GraphQLReply> {
  const headers = [...response.headers].filter(([name]) => name !== 'content-length').flat();
  return { status: response.status, headers, body: await response.text() };
}
