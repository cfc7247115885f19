import type { Middleware } from 'koa';
import { timesGiven } from './header-lines.js';
import { HttpProblem } from './http-problem.js';
import type { GatewayState } from './request-log.js';
import { isHost } from './request-target.js';

/**
 * Lets requests pass whose target and `Host` can be used, and hands the target on as path and query (RFC 9112,
 * section 3.2). Everything else is 400, on every route.
 */
export function requireTarget(): Middleware<GatewayState> {
  // As a rule all requests name the same one, or none.
  let lastHost = '';
  return (ctx, next) => {
    const { req, res } = ctx;
    const { target } = ctx.state;
    if (target === undefined) {
      throw new HttpProblem(400, 'The request target must be a path in visible ASCII; percent-encode everything else.');
    }
    // Empty where the client knows no name, and absent in HTTP/1.0.
    const { host = '' } = req.headers;
    const isMissing = req.headers.host === undefined && req.httpVersion === '1.1';
    if (isMissing || (host !== '' && host !== lastHost && !isHost(host)) || timesGiven(req, 'host') > 1) {
      // Whoever writes such requests is not to be trusted with where the next one begins.
      res.setHeader('Connection', 'close');
      throw new HttpProblem(400, 'The Host header must be given once and name a host, with or without a port.');
    }
    lastHost = host;
    req.url = target;
    return next();
  };
}
