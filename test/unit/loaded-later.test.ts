import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loadedLater, type GraphQLAnswers } from '../../src/graphql/loaded-later.js';

const request = new IncomingMessage(new Socket());
const response = new ServerResponse(request);
// Whatever passes it on does not look at it.
const context = {} as never;

describe('a GraphQL server that is loaded later', () => {
  it('is loaded once, and answers what came before', async () => {
    let loads = 0;
    let arrive = (_server: GraphQLAnswers): void => undefined;
    const server = loadedLater(() => {
      loads += 1;
      return new Promise((resolve) => (arrive = resolve));
    });
    const early = server.handleNodeRequestAndResponse(request, response, context);
    const loading = server.load();
    const reply = new Response('answer');
    arrive({ handleNodeRequestAndResponse: () => reply });
    await loading;
    expect([await early, await server.handleNodeRequestAndResponse(request, response, context)]).toEqual([
      reply,
      reply,
    ]);
    expect(loads).toBe(1);
  });

  it('tells whoever loads it what is wrong with it', async () => {
    const server = loadedLater(() => Promise.reject(new Error('Unknown type "Mobil".')));
    await expect(server.load()).rejects.toThrow('Unknown type "Mobil".');
  });
});
