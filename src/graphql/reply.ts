/** A reply, ready to be sent. */
export interface GraphQLReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Media types of a reply (GraphQL over HTTP, "Media Types"). */
export type ReplyType = 'application/json' | 'application/graphql-response+json';
