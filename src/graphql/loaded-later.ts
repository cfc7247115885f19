import type { GraphQLServer } from './server.js';

/** What the HTTP layer asks of the GraphQL server. */
export type GraphQLAnswers = Pick<GraphQLServer, 'handleNodeRequestAndResponse'>;

/** A GraphQL server that need not be there yet; requests that come before it is wait for it. */
export interface LaterGraphQLServer extends GraphQLAnswers {
  /** Loads it. @throws whatever is wrong with it */
  load(): Promise<void>;
}

/**
 * Lets a process listen before its GraphQL server is loaded, which takes as long as everything else together: whoever
 * asks whether the process lives need not wait for it.
 */
export function loadedLater(create: () => Promise<GraphQLAnswers>): LaterGraphQLServer {
  let server: Promise<GraphQLAnswers> | undefined;
  const loaded = (): Promise<GraphQLAnswers> => (server ??= create());
  return {
    async load() {
      await loaded();
    },
    async handleNodeRequestAndResponse(request, response, ...context) {
      return (await loaded()).handleNodeRequestAndResponse(request, response, ...context);
    },
  };
}
