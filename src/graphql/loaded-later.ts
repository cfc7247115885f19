import { turn } from '../turn.js';
import type { GraphQLServer } from './server.js';

/** A GraphQL server that loads later; earlier requests wait for it. */
export interface LaterGraphQLServer extends GraphQLServer {
  /** Loads the server. @throws {unknown} the error of its creation */
  load(): Promise<void>;
}

/**
 * Lets a process listen before its GraphQL server is loaded, so that liveness probes need not wait. Loading takes as
 * long as the rest of the start together.
 */
export function loadedLater(create: () => Promise<GraphQLServer>): LaterGraphQLServer {
  let creating: Promise<GraphQLServer> | undefined;
  let server: GraphQLServer | undefined;
  const loaded = async (): Promise<GraphQLServer> => (server ??= await (creating ??= created()));
  const created = async (): Promise<GraphQLServer> => {
    const made = await create();
    // Creation blocks the event loop, which looks like overload to load shedding.
    await turn();
    return made;
  };
  return {
    async load() {
      await loaded();
    },
    // Requests before the server exists wait for it alone.
    refuses: (address) => server?.refuses(address) ?? false,
    refuse: (turn, client) =>
      server === undefined ? loaded().then((there) => there.refuse(turn, client)) : server.refuse(turn, client),
    answer: (request, response, client) =>
      server === undefined
        ? loaded().then((there) => there.answer(request, response, client))
        : server.answer(request, response, client),
  };
}
