import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isPromise } from '@envelop/core';
import type { GraphQLReply } from '../graphql/doors/reply.js';
import { OperationNotes } from '../graphql/operation-notes.js';
import type { GraphQLServer } from '../graphql/server.js';
import type { AnswerHeaders } from './answer-headers.js';
import { sendReply } from './endpoints/graphql.js';
import type { GatewayState, RequestLog } from './request-log.js';
import type { HostCheck } from './require-target.js';

/** An unanswered request and its response. */
export type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

/** Time of a refusal: now or later. */
type Turn = true | Promise<true>;

/** Dependencies to refuse a request as Koa's middleware would. */
export interface EarlyRefusalOptions {
  /** Path of the endpoint without the base path (`route`) and with it (`path`). */
  readonly route: string;
  readonly path: string;
  readonly graphql: Pick<GraphQLServer, 'refuses' | 'refuse'>;
  /** True if scripts of other origins may call. */
  readonly allowsOrigins: boolean;
  /** Returns the client's address according to the trusted proxies. */
  readonly addressOf: (...exchange: Exchange) => string;
  readonly namesHost: HostCheck;
  readonly log: RequestLog;
  readonly answerHeaders: AnswerHeaders;
  /** Answers a request whose refusal failed with an error. */
  readonly fail: (error: unknown, state: GatewayState, exchange: Exchange) => void;
}

/**
 * Refuses plain GraphQL requests because of load before Koa handles them, because a refusal takes time from accepted
 * operations. All others reach the GraphQL server, which refuses them with the same text.
 *
 * @param otherwise answers all other requests
 */
export function refusingEarly(otherwise: RequestListener, options: EarlyRefusalOptions): RequestListener {
  const { route, path, graphql, allowsOrigins, addressOf, namesHost, log, answerHeaders, fail } = options;

  // Middleware answers requests with an origin, for its CORS headers.
  const isPlain = (request: IncomingMessage): boolean =>
    request.method === 'POST' &&
    request.url === path &&
    !(allowsOrigins && request.headers.origin !== undefined) &&
    namesHost(request);

  function refuse(turn: Turn, state: GatewayState, response: ServerResponse): Promise<void> | undefined {
    const notes = new OperationNotes();
    state.route = route;
    state.operation = notes;
    if (allowsOrigins) response.setHeader('Vary', 'Origin');
    const send = (reply: GraphQLReply): void => sendReply(response, reply, state.requestId, answerHeaders);
    const reply = graphql.refuse(turn, { requestId: state.requestId, notes });
    if (isPromise(reply)) return reply.then(send);
    send(reply);
    return undefined;
  }

  return (...exchange) => {
    const [request, response] = exchange;
    let turn: Turn | false;
    try {
      turn = isPlain(request) && graphql.refuses(() => addressOf(...exchange));
    } catch (error) {
      log.follow(request, response, (state) => fail(error, state, exchange));
      return;
    }
    if (turn === false) {
      otherwise(...exchange);
      return;
    }
    const isDue = turn;
    log.follow(request, response, (state) => {
      try {
        const refused = refuse(isDue, state, response);
        refused?.catch((error: unknown) => fail(error, state, exchange));
      } catch (error) {
        fail(error, state, exchange);
      }
    });
  };
}
