import { describe, expect, it } from '@jest/globals';
import { LoadShedding } from '../../../src/gateway/graphql/limits/load-shedding.js';
import { lazyGraphQLServer } from '../../../src/programs/app/servers.js';
import type { GraphQLServer } from '../../../src/gateway/graphql/server.js';
import { block } from '../../support/blocking.js';
import { captureLog } from '../../support/captured-log.js';
import { deferred } from '../../support/wait-for.js';

// Whatever passes these on does not look at them.
const request = [{}, {}, {}] as unknown as Parameters<GraphQLServer['answer']>;
const REPLY = { status: 200, headers: [], body: 'answer' };

describe('a GraphQL server that is loaded later', () => {
  it('is loaded once, and answers what came before', async () => {
    let loads = 0;
    const arriving = deferred<GraphQLServer>();
    const server = lazyGraphQLServer(() => {
      loads += 1;
      return arriving.promise;
    });
    const early = server.answer(...request);
    const loading = server.load();
    arriving.resolve({ answer: () => REPLY });
    await loading;
    expect([await early, await server.answer(...request)]).toEqual([REPLY, REPLY]);
    expect(loads).toBe(1);
  });

  it('does not have what came before refused because loading took long', async () => {
    const shedding = new LoadShedding(500, captureLog().logger);
    let isRefused: boolean | Promise<boolean> | undefined;
    const server = lazyGraphQLServer(async () => {
      // As modules are loaded, in a turn of the event loop of their own.
      await new Promise(setImmediate);
      block(1_000);
      return {
        answer() {
          isRefused = shedding.refuses(() => '192.0.2.1');
          return REPLY;
        },
      };
    });
    await server.answer(...request);
    shedding.close();
    expect(isRefused).toBe(false);
  });

  it('rejects its loading with the fault that it has', async () => {
    const server = lazyGraphQLServer(() => Promise.reject(new Error('Unknown type "Mobil".')));
    await expect(server.load()).rejects.toThrow('Unknown type "Mobil".');
  });
});
