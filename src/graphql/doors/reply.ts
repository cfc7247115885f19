/** A reply, ready to be sent. */
export interface GraphQLReply {
  readonly status: number;
  /** Names and values in turn, without the length of the body. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Length of the body, where it is known. */
  readonly bytes?: number;
}

/** Media types of a reply (GraphQL over HTTP, "Media Types"). */
export type ReplyType = 'application/json' | 'application/graphql-response+json';

/** What the head of a reply says of each type. */
export const TYPE_HEADERS: Readonly<Record<ReplyType, readonly string[]>> = {
  'application/json': ['content-type', 'application/json; charset=utf-8'],
  'application/graphql-response+json': ['content-type', 'application/graphql-response+json; charset=utf-8'],
};

/** A reply of what Yoga answers. */
export async function toReply(response: Response): Promise<GraphQLReply> {
  const headers = [...response.headers].filter(([name]) => name !== 'content-length').flat();
  return { status: response.status, headers, body: await response.text() };
}
