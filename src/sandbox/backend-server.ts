import { once, setMaxListeners } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Logger } from '../base/logging/logger.js';
import { faultReply, faultTarget, survives, textIn, type FaultRules } from './faults.js';
import type { ReadRequest } from './openapi-contract.js';
import { BackendFailure, failure, type BackendReply } from './operation-types.js';
import type { SandboxBackend, SandboxEffect, SandboxRequest, SandboxWatch } from './watched-requests.js';

export interface SandboxContext extends SandboxWatch {
  readonly logger: Logger;
  readonly faults: FaultRules;
}

interface Identity extends Pick<SandboxRequest, 'apiKey'>, Partial<Pick<SandboxRequest, 'org' | 'user'>> {
  /** Passed to the operation's handler. */
  readonly caller?: unknown;
  readonly failure?: BackendFailure | undefined;
  /** Credentials that this backend must never receive. */
  readonly violation?: string | undefined;
}

/** Identifies the sender of a request; `isPublic` if its operation needs no credentials. */
export type Identification = (headers: IncomingHttpHeaders, isPublic: boolean) => Identity | Promise<Identity>;

export interface BackendOptions {
  /** Also the name of its OpenAPI file. */
  readonly name: SandboxBackend;
  /** 0 takes any free port. */
  readonly port: number;
  /** By operationId. The parameter of a handler depends on its operation; `never` admits all of them. */
  readonly handlers: Readonly<Record<string, (call: never) => BackendReply | Promise<BackendReply>>>;
  readonly identify: Identification;
}

/** Starts one backend on loopback: it checks every request against the contract, and then answers it. */
export async function startBackend(context: SandboxContext, options: BackendOptions) {
  const closing = new AbortController();
  // Any number of slow answers may listen to it.
  setMaxListeners(0, closing.signal);
  const server = createServer((request, response) => {
    serveRequest(context, options, request, response, closing.signal).catch((error: unknown) => {
      // A client may disconnect while it sends; any other error is a fault of the sandbox.
      const event =
        closing.signal.aborted || !request.complete ? 'sandbox.request_cut_short' : 'sandbox.request_failed';
      context.logger.event(event, { err: error, backend: options.name });
      response.destroy();
    });
  });
  // Only clients close idle connections, because a client could reuse a connection just when it is closed here.
  server.keepAliveTimeout = 0;
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`${options.name} has no TCP port.`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async (): Promise<void> => {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serveRequest(
  context: SandboxContext,
  options: BackendOptions,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const received = await readRequest(context, options, request);
  const { entry, read } = received;
  const fault = context.faults.take(faultTarget(entry, read));
  entry.fault = fault?.kind;
  if (await survives(fault, 'request', closing)) {
    const reply = faultReply(fault) ?? (await answer(context, options, received));
    if (await survives(fault, 'reply', closing)) {
      entry.status = reply.status;
      send(response, reply, fault?.kind === 'halfBody');
      return;
    }
  }
  response.destroy();
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the contract has no such operation. */
  readonly read: ReadRequest | undefined;
  readonly identity: Identity;
  readonly entry: SandboxRequest;
}

async function readRequest(
  { onRequest, logger }: SandboxContext,
  { name, identify }: BackendOptions,
  request: IncomingMessage,
): Promise<Received> {
  const { method = '', headers } = request;
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const path = url.pathname;
  // Loaded at the first request, because it takes half as long as the start of the gateway, which calls no backend.
  const [contract, body] = await Promise.all([import('./openapi-contract.js'), text(request)]);
  const read = contract.readContractRequest(name, method, url, headers, body);
  const identity = await identify(headers, read?.operation.isPublic ?? true);
  const violations = read === undefined ? [`${method} ${path} is not documented`] : [...read.violations];
  if (identity.violation !== undefined) violations.push(identity.violation);
  const contractViolation = violations.length > 0 ? `${name}: ${violations.join('; ')}` : undefined;
  if (contractViolation !== undefined) logger.event('sandbox.contract_broken', { contractViolation });
  const entry: SandboxRequest = {
    backend: name,
    operation: read?.operation.operationId,
    method,
    path,
    query: read?.query ?? {},
    authorization: headers.authorization !== undefined,
    apiKey: identity.apiKey,
    org: identity.org,
    user: identity.user,
    idempotencyKey: textIn(headers['idempotency-key']),
    traceparent: textIn(headers['traceparent']),
    contractViolation,
    replayed: false,
  };
  onRequest?.(entry);
  return { headers, read, identity, entry };
}

async function answer(
  { onEffect }: SandboxContext,
  { name, handlers }: BackendOptions,
  { headers, read, identity, entry }: Received,
): Promise<BackendReply> {
  if (read === undefined) return failure(404, entry.contractViolation ?? 'not documented');
  if (entry.contractViolation !== undefined) return failure(400, entry.contractViolation);
  const { operationId } = read.operation;
  const handler = handlers[operationId];
  if (handler === undefined) throw new Error(`${name} has no handler for ${operationId}, which its contract names.`);
  try {
    if (identity.failure !== undefined) throw identity.failure;
    const { path, query, header, body } = read;
    const { caller } = identity;
    const record = (effect: SandboxEffect): void => onEffect?.(effect);
    const call = { path, query, header, body, headers, caller, record, markReplayed: () => (entry.replayed = true) };
    // The request matches the contract, from which the type of the parameter is generated.
    return await handler(call as never);
  } catch (error) {
    if (error instanceof BackendFailure) return failure(error.status, error.message);
    throw error;
  }
}

/** Writes an answer; a truncated one declares its full length, and the connection is cut after half of it. */
function send(response: ServerResponse, reply: BackendReply, isTruncated: boolean): void {
  const { status, body, text: plain = body === undefined ? '' : JSON.stringify(body), headers = {} } = reply;
  const content = Buffer.from(plain);
  if (content.length === 0) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length, ...headers });
  if (!isTruncated) response.end(content);
  else response.write(content.subarray(0, content.length / 2), () => response.destroy());
}
