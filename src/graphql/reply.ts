/** A reply, ready to be sent. */
export interface GraphQLReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Media types of a reply (GraphQL over HTTP, "Media Types"). */
export type ReplyType = 'application/json' | 'application/graphql-response+json';

/** The same of what Yoga answers. */
export async function toReply(response: Response): Promise<GraphQLReply> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
