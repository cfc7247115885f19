import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPromise } from '@envelop/core';
import { GraphQLError, type ExecutionResult } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import { badInput, GatewayError } from '../errors.js';
import { observed } from '../observation.js';
import { LARGE_BODY } from './execution/compiled-execution.js';
import type { ClientContext, Services } from './context.js';
import { createDirectDoor } from './doors/direct-door.js';
import { toRequestError } from './error-mapping.js';
import {
  createFindDocument,
  namesDocument,
  type PersistedOperationsOptions,
} from './documents/persisted-operations.js';
import type { LoadShedding } from './limits/load-shedding.js';
import type { OperationNotes } from './operation-notes.js';
import type { OperationObserver } from './operation-observer.js';
import { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.js';
import { areParams, isPlainRequest, replyTypeFor } from './doors/plain-request.js';
import { toReply, TYPE_HEADERS, type GraphQLReply, type ReplyType } from './doors/reply.js';
import { RequestContext } from './request-context.js';
import { cutShort, parseBody, parseLargeBody, receiveBody, type ParsedBody } from './doors/request-body.js';

/** The GraphQL server. It has one pipeline and two doors. */
export interface GraphQLServer {
  /**
   * Whether a request that comes now is to be refused because of the load, which counts it. `answer` asks as well,
   * so nobody has to; who does can be done with a request before anything is made of it.
   *
   * @param address tells where it comes from
   * @returns a promise when it has to wait for its turn to be refused
   */
  refuses(address: ClientContext['address']): boolean | Promise<true>;
  /** The reply to a request that is refused. @param turn what `refuses` has returned */
  refuse(turn: true | Promise<true>, client: RefusedClient): GraphQLReply | Promise<GraphQLReply>;
  /**
   * Answers a request, whose body it reads itself. Plain ones run directly through the pipeline; for all others Yoga
   * speaks HTTP. What is refused because of the load is so at once, as a rule.
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    client: ClientContext,
  ): GraphQLReply | Promise<GraphQLReply>;
}

/** What is known of who is refused before anything is made of the request. */
export type RefusedClient = Pick<ClientContext, 'requestId' | 'notes'>;

/** How it behaves. */
export interface GraphQLServerOptions extends Omit<PipelineOptions, 'findDocument'> {
  readonly services: Services;
  /** Undefined: operations are accepted as they are written. */
  readonly persistedOperations?: PersistedOperationsOptions | undefined;
  readonly load: Pick<LoadShedding, 'refuses' | 'turn'>;
  /** Absent: nobody watches operations. */
  readonly observer?: OperationObserver | undefined;
}

const TOO_BUSY = new GatewayError('ServiceUnavailable', 'The gateway is busy. Try again in a second.');

const BUSY_BODY = JSON.stringify({ errors: [toRequestError(TOO_BUSY)] });

/** The one reply to whatever comes when there is more than can be done. */
const BUSY: GraphQLReply = {
  status: 503,
  headers: [...TYPE_HEADERS['application/json'], 'retry-after', '1'],
  body: BUSY_BODY,
  bytes: Buffer.byteLength(BUSY_BODY),
};

const NOT_ACCEPTABLE_ERROR = toRequestError(
  badInput('Accept must allow application/json or application/graphql-response+json.'),
);

/** The one reply to whoever takes no JSON; nothing was read or run. */
const NOT_ACCEPTABLE: GraphQLReply = {
  status: 406,
  headers: TYPE_HEADERS['application/json'],
  body: JSON.stringify({ errors: [NOT_ACCEPTABLE_ERROR] }),
};

/** Creates the GraphQL server. The schema's protected fields are guarded here, so pass a fresh schema. */
export function createGraphQLServer(options: GraphQLServerOptions): GraphQLServer {
  const findDocument = createFindDocument(options.persistedOperations);
  const pipeline = createPipeline({ ...options, findDocument });
  const maxBodyBytes = options.limits.graphqlBodyBytes;
  const output = { maxBodyBytes, privateSchema: options.privateSchema };
  const direct = createDirectDoor({ pipeline, output, findDocument });

  const contextOf = (client: ClientContext, response: ServerResponse): RequestContext =>
    new RequestContext(client, options.services, response);

  const refuses = (address: ClientContext['address']): boolean | Promise<true> => options.load.refuses(address);

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    client: ClientContext,
  ): GraphQLReply | Promise<GraphQLReply> {
    const turn = refuses(client.address);
    return turn === false ? answerAdmitted(request, response, client) : refuse(turn, client);
  }

  async function answerAdmitted(
    request: IncomingMessage,
    response: ServerResponse,
    client: ClientContext,
  ): Promise<GraphQLReply> {
    const { notes } = client;
    const { accept } = request.headers;
    // Other methods are not allowed, whatever is accepted.
    const replyType = replyTypeFor(accept) ?? (isAnswered(request) ? undefined : 'application/json');
    if (replyType === undefined) return notAcceptable(notes);
    // Yoga would choose a stream that stands first, hold the connection for it, and run what nobody will read.
    if (accept !== undefined && accept !== replyType) request.headers.accept = replyType;
    if (!isPlainRequest(request, maxBodyBytes)) return answerByYoga(request, response, contextOf(client, response));
    const body = await receiveBody(request);
    if (body === undefined) return direct.reply({ errors: [cutShort()] }, replyType, client);
    const turn = options.load.turn(client.address);
    if (turn !== true && !(await turn)) return busy(notes);
    // Who went away while it waited would not hear what became of the operation, nor hears this.
    if (turn !== true && request.socket.destroyed) return BUSY;
    return runPlain(body, replyType, request, contextOf(client, response));
  }

  /**
   * With a context of its own, and nothing of it in the function that has waited: what waits counts as old to the
   * garbage collector, and what it comes to hold, a whole document, would be kept until the old are looked through.
   */
  function runPlain(
    body: Buffer,
    replyType: ReplyType,
    request: IncomingMessage,
    context: RequestContext,
  ): GraphQLReply | Promise<GraphQLReply> {
    context.bodyBytes = body.length;
    const run = (parsed: ParsedBody): GraphQLReply | Promise<GraphQLReply> => {
      const params = paramsOf(parsed);
      if (params === undefined) {
        context.parsedBody = parsed;
        return again(pipeline, request, context, options.endpoint);
      }
      const result = direct.run(params, context);
      const reply = (settled: ExecutionResult): GraphQLReply | Promise<GraphQLReply> =>
        direct.reply(settled, replyType, context);
      return isPromise(result) ? result.then(reply) : reply(result);
    };
    return body.length > LARGE_BODY ? parseLargeBody(body).then(run) : run(parseBody(body));
  }

  async function answerByYoga(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ): Promise<GraphQLReply> {
    if (request.method === 'POST') {
      // Nobody knows when the body will be there; only then there is something to run.
      context.turn = async () => {
        if (!(await options.load.turn(context.address))) throw refusedAsBusy(context.notes);
        if (request.socket.destroyed) throw cutShort();
      };
    } else {
      if (!(await options.load.turn(context.address))) return busy(context.notes);
      if (request.socket.destroyed) return BUSY;
    }
    return toReply(await pipeline.yoga.handleNodeRequestAndResponse(request, response, context));
  }

  const { observer } = options;
  if (observer === undefined) return { refuses, refuse, answer };
  const watched = ({ requestId, notes }: RefusedClient, work: () => Promise<GraphQLReply>): Promise<GraphQLReply> =>
    observed(observer.started({ requestId }), work, (settled) =>
      'error' in settled ? { ...notes.end(), codes: ['InternalError'] } : notes.end(),
    );
  return {
    refuses,
    refuse: (turn, client) => watched(client, async () => refuse(turn, client)),
    answer: (request, response, client) => watched(client, async () => answer(request, response, client)),
  };
}

function refuse(turn: true | Promise<true>, { notes }: RefusedClient): GraphQLReply | Promise<GraphQLReply> {
  return isPromise(turn) ? turn.then(() => busy(notes)) : busy(notes);
}

function busy(notes: OperationNotes): GraphQLReply {
  notes.refusedAsBusy();
  return BUSY;
}

/** The same where Yoga reads the body, and can be told by an error alone. */
function refusedAsBusy(notes: OperationNotes): GraphQLError {
  notes.refusedAsBusy();
  return new GraphQLError(TOO_BUSY.message, {
    originalError: TOO_BUSY,
    extensions: { http: { status: BUSY.status, headers: { 'retry-after': '1' } } },
  });
}

function notAcceptable(notes: OperationNotes): GraphQLReply {
  notes.answered([NOT_ACCEPTABLE_ERROR]);
  return NOT_ACCEPTABLE;
}

function isAnswered({ method }: IncomingMessage): boolean {
  return method === 'POST' || method === 'GET';
}

/** Undefined when there is something to say about the body, which Yoga does. */
function paramsOf(parsed: ParsedBody): GraphQLParams | undefined {
  if ('fault' in parsed || !areParams(parsed.value)) return undefined;
  return parsed.value.query != null || namesDocument(parsed.value) ? parsed.value : undefined;
}

/** The same request for Yoga; its body stands in the context. */
async function again(
  { yoga }: Pipeline,
  { headers: { accept } }: IncomingMessage,
  context: RequestContext,
  endpoint: string,
): Promise<GraphQLReply> {
  const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
  return toReply(await yoga.fetch(`http://gateway${endpoint}`, { method: 'POST', headers, body: '{}' }, context));
}
