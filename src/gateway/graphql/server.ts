import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPromise } from '@envelop/core';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { GatewayError } from '../../base/errors.js';
import { observed, type Observer } from '../../base/observation.js';
import { LARGE_BODY } from './execution/compiled-execution.js';
import { RequestContext, type ClientContext, type ParsedBody, type Services } from './context.js';
import { hasClientLeft } from './cut-off.js';
import { createDirectHandler } from './handlers/direct-handler.js';
import { asGraphQLError, toRequestError } from './error-mapping.js';
import type { LoadShedding } from './limits/load-shedding.js';
import type { OperationLog } from './operation-log.js';
import { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.js';
import {
  isPlainRequest,
  replyTypeFor,
  cutShort,
  parseBody,
  parseLargeBody,
  receiveBody,
} from './handlers/request-body.js';
import { toReply, TYPE_HEADERS, type GraphQLReply, type ReplyType } from './handlers/reply.js';

/** GraphQL over HTTP: one pipeline with two handlers, the direct one and Yoga. */
export interface GraphQLServer {
  /** Reads and answers a request. The direct handler answers plain requests, and Yoga all others. */
  answer(request: IncomingMessage, response: ServerResponse, client: ClientContext): Reply;
}

type Reply = GraphQLReply | Promise<GraphQLReply>;

export interface GraphQLServerOptions extends PipelineOptions {
  readonly services: Services;
  readonly load: Pick<LoadShedding, 'refuses' | 'turn' | 'began'>;
  readonly observer?: Observer | undefined;
}

const TOO_BUSY = new GatewayError('Busy');

/** Reply under overload. */
const busyReply = refusal(503, toRequestError(TOO_BUSY), ['retry-after', '1']);

const NOT_ACCEPTABLE_ERROR = toRequestError(new GatewayError('NotAcceptable'));

/** Constant reply to requests that accept no JSON; their body is neither read nor run. */
const NOT_ACCEPTABLE = refusal(406, NOT_ACCEPTABLE_ERROR)(undefined);

/** Makes a reply whose body is constant, in the type that an `Accept` header prefers. */
function refusal(status: number, error: GraphQLError, headers: readonly string[] = []) {
  const body = JSON.stringify({ errors: [error] });
  const bytes = Buffer.byteLength(body);
  return (accept: string | undefined): GraphQLReply => {
    const type = TYPE_HEADERS[replyTypeFor(accept) ?? 'application/json'];
    return { status, headers: [...type, ...headers], body, bytes };
  };
}

/** Server of one gateway. It guards the schema's protected fields in place, so pass a fresh schema. */
export class PipelineServer implements GraphQLServer {
  readonly #options: GraphQLServerOptions;
  readonly #pipeline: Pipeline;
  readonly #direct: ReturnType<typeof createDirectHandler>;

  constructor(options: GraphQLServerOptions) {
    this.#options = options;
    this.#pipeline = createPipeline(options);
    this.#direct = createDirectHandler(this.#pipeline);
  }

  answer(request: IncomingMessage, response: ServerResponse, client: ClientContext): Reply {
    const { observer } = this.#options;
    if (observer === undefined) return this.#answerUnlessBusy(request, response, client);
    const work = async (): Promise<GraphQLReply> => {
      const reply = await this.#answerUnlessBusy(request, response, client);
      if (client.operationLog.isUnlisted) await this.#judgeToken(client);
      return reply;
    };
    return observed(observer, 'operation', undefined, work, (settled) => {
      const end = client.operationLog.end(hasClientLeft(response));
      return 'error' in settled
        ? { ...end, codes: ['InternalError'], reasons: ['InternalError'], incomplete: false }
        : end;
    });
  }

  /** Tells observers whether an operation that is not listed came from a user, and not from a stranger. */
  async #judgeToken({ authorization, operationLog }: ClientContext): Promise<void> {
    const user = await this.#options.authenticate(authorization).catch(() => undefined);
    operationLog.org = user?.Org;
  }

  #answerUnlessBusy(request: IncomingMessage, response: ServerResponse, client: ClientContext): Reply {
    const isRefused = this.#options.load.refuses(client.address);
    if (isRefused === false) return this.#runInTurn(request, response, client);
    return isPromise(isRefused) ? isRefused.then(() => busy(request, client)) : busy(request, client);
  }

  /** Chooses the handler, and for the direct one receives the body and waits for the turn of the request. */
  async #runInTurn(request: IncomingMessage, response: ServerResponse, client: ClientContext): Promise<GraphQLReply> {
    const { operationLog } = client;
    const { accept } = request.headers;
    // Other methods get 405 for any `Accept`.
    const isAnswered = request.method === 'POST' || request.method === 'GET';
    const replyType = replyTypeFor(accept) ?? (isAnswered ? undefined : 'application/json');
    if (replyType === undefined) {
      operationLog.answered([NOT_ACCEPTABLE_ERROR]);
      return NOT_ACCEPTABLE;
    }
    // Yoga would choose a stream type that is listed first, and keep the connection open for it.
    if (accept !== undefined && accept !== replyType) request.headers.accept = replyType;
    const { graphqlMaxBodyBytes: maxBytes } = this.#options.limits;
    if (!isPlainRequest(request, maxBytes)) return this.#runYoga(request, response, this.#contextOf(client, response));
    const body = await receiveBody(request, maxBytes);
    if (body === undefined)
      return this.#direct.reply({ errors: [cutShort()] }, replyType, this.#contextOf(client, response));
    const turn = this.#options.load.turn(client.address);
    if (turn !== true && !(await turn)) return busy(request, client);
    // The client has disconnected during the wait and receives no reply.
    if (turn !== true && request.socket.destroyed) return busyReply(accept);
    const end = this.#options.load.began(client.address);
    try {
      return await this.#runPlain(body, replyType, this.#contextOf(client, response));
    } finally {
      end();
    }
  }

  #contextOf(client: ClientContext, response: ServerResponse): RequestContext {
    return new RequestContext(client, this.#options.services, response);
  }

  /**
   * Runs a plain request. It is separate from the waiting function, which must not refer to the context: the garbage
   * collector would move the context to the old generation, and keep a whole document alive for long.
   */
  #runPlain(body: Buffer, replyType: ReplyType, context: RequestContext): Reply {
    context.bodyBytes = body.length;
    const run = (parsed: ParsedBody): Reply => {
      const result = this.#direct.run(parsed, context);
      const reply = (settled: ExecutionResult): Reply => this.#direct.reply(settled, replyType, context);
      return isPromise(result) ? result.then(reply) : reply(result);
    };
    return body.length > LARGE_BODY ? parseLargeBody(body).then(run) : run(parseBody(body));
  }

  async #runYoga(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<GraphQLReply> {
    const { load, limits } = this.#options;
    let end = (): void => undefined;
    try {
      if (request.method === 'POST') {
        context.receive = () => receiveBody(request, limits.graphqlMaxBodyBytes);
        // The operation needs a turn only once its body has arrived.
        context.turn = async () => {
          if (!(await load.turn(context.address))) throw refusedAsBusy(context.operationLog);
          if (request.socket.destroyed) throw cutShort();
          end = load.began(context.address);
        };
      } else {
        if (!(await load.turn(context.address))) return busy(request, context);
        if (request.socket.destroyed) return busyReply(request.headers.accept);
        end = load.began(context.address);
      }
      return await toReply(await this.#pipeline.yoga.handleNodeRequestAndResponse(request, response, context));
    } finally {
      end();
    }
  }
}

function busy({ headers }: IncomingMessage, { operationLog }: ClientContext): GraphQLReply {
  operationLog.refusedAsBusy();
  return busyReply(headers.accept);
}

/** Makes the error by which Yoga refuses a request while it reads the body. */
function refusedAsBusy(operationLog: OperationLog): GraphQLError {
  operationLog.refusedAsBusy();
  return asGraphQLError(TOO_BUSY, { extensions: { http: { status: 503, headers: { 'retry-after': '1' } } } });
}
