import { turn } from '../turn.js';
import type { GraphQLServer } from './server.js';

/** A GraphQL server that need not be there yet; requests that come before it is wait for it. */
export interface LaterGraphQLServer extends GraphQLServer {
  /** Loads it. @throws whatever is wrong with it */
  load(): Promise<void>;
}

/**
 * Lets a process listen before its GraphQL server is loaded, which takes as long as everything else together: whoever
 * asks whether the process lives need not wait for it.
 */
export function loadedLater(create: () => Promise<GraphQLServer>): LaterGraphQLServer {
  let creating: Promise<GraphQLServer> | undefined;
  let server: GraphQLServer | undefined;
  const loaded = async (): Promise<GraphQLServer> => (server ??= await (creating ??= created()));
  const created = async (): Promise<GraphQLServer> => {
    const made = await create();
    // It kept the process from everything else, which is not to be told from having too much to do.
    await turn();
    return made;
  };
  return {
    async load() {
      await loaded();
    },
    // What comes before it is there waits for it and for nobody else.
    refuses: (address) => server?.refuses(address) ?? false,
    refuse: (turn, client) =>
      server === undefined ? loaded().then((there) => there.refuse(turn, client)) : server.refuse(turn, client),
    answer: (request, response, client) =>
      server === undefined
        ? loaded().then((there) => there.answer(request, response, client))
        : server.answer(request, response, client),
  };
}
