import { isIP } from 'node:net';
import type { Middleware } from 'koa';
import { headerCount, isHost } from './request-target.js';
import { HttpProblem } from './http-problem.js';
import type { GatewayState } from './request-log.js';

/**
 * Creates middleware that admits requests with a valid target and `Host` and at most one `Authorization`, and passes
 * the target on as path and query (RFC 9112, section 3.2). All other requests are 400, on every route, and 501 with a
 * transfer coding besides `chunked` (section 6.1).
 *
 * @param hosts names that are answered besides loopback names and numeric addresses; other names, through which a page
 *   elsewhere could reach a development gateway, are 421. All names are answered if absent
 */
export function requireTarget(hosts: ReadonlySet<string> | undefined): Middleware<GatewayState> {
  // Usually all requests name the same host, or none.
  let lastHost = '';
  return (ctx, next) => {
    const { req, res } = ctx;
    const { target } = ctx.state;
    if (target === undefined) throw new HttpProblem('InvalidTarget');
    // The header is empty if the client knows no name, and may be absent in HTTP/1.0.
    const { host = '' } = req.headers;
    const isMissing = req.headers.host === undefined && req.httpVersion === '1.1';
    if (isMissing || (host !== '' && host !== lastHost && !isHost(host)) || headerCount(req, 'host') > 1) {
      // Such a client is not trusted to mark where its next request begins.
      res.setHeader('Connection', 'close');
      throw new HttpProblem('InvalidHost');
    }
    if (hosts !== undefined && host !== '' && host !== lastHost && !isOwn(host, hosts)) {
      throw new HttpProblem('UnknownHost');
    }
    const { 'transfer-encoding': coding = 'chunked' } = req.headers;
    if (coding.toLowerCase() !== 'chunked') {
      res.setHeader('Connection', 'close');
      throw new HttpProblem('TransferCodingUnknown');
    }
    // Node passes on the first one only, and a proxy may have judged another one.
    if (headerCount(req, 'authorization') > 1) {
      throw new HttpProblem('InvalidHeader', { name: 'Authorization', fault: 'must be given once' });
    }
    lastHost = host;
    req.url = target;
    return next();
  };
}

function isOwn(host: string, hosts: ReadonlySet<string>): boolean {
  // In lower case, and without the port.
  const { hostname: name } = new URL(`http://${host}`);
  return /(?:^|\.)localhost\.?$/.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || hosts.has(name);
}
