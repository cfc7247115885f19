import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { timesGiven, isHost } from './request-target.js';
import { HttpProblem } from './http-problem.js';
import type { GatewayState } from './request-log.js';

/**
 * Admits requests with valid target and `Host`, and passes the target on as path and query (RFC 9112, section 3.2). All
 * others are 400, on every route.
 */
export function requireTarget(): Middleware<GatewayState> {
  const namesHost = hostCheck();
  return (ctx, next) => {
    const { req, res } = ctx;
    const { target } = ctx.state;
    if (target === undefined) {
      throw new HttpProblem('InvalidTarget');
    }
    if (!namesHost(req)) {
      // Such a client is not trusted to mark where its next request begins.
      res.setHeader('Connection', 'close');
      throw new HttpProblem('InvalidHost');
    }
    req.url = target;
    return next();
  };
}

/** Creates a check that a request names a valid host once, or none where none is required. */
function hostCheck(): (request: IncomingMessage) => boolean {
  // Usually all requests name the same host, or none.
  let lastHost = '';
  return (request) => {
    // Empty if the client knows no name, and absent in HTTP/1.0.
    const { host = '' } = request.headers;
    const isMissing = request.headers.host === undefined && request.httpVersion === '1.1';
    if (isMissing || (host !== '' && host !== lastHost && !isHost(host)) || timesGiven(request, 'host') > 1)
      return false;
    lastHost = host;
    return true;
  };
}
