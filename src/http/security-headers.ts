import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Headers by name, in order of output. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Creates the default headers of all answers for browsers and caches; routes can override them. Answers are data, not
 * pages: browsers must not load resources for them, frame, sniff or store them.
 *
 * @param production true if TLS is in front, which browsers then must require (RFC 6797)
 */
export function securityHeaders(production: boolean): HeaderList {
  // The headers are constant, so helmet runs once. Its other headers are for pages.
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
    xContentTypeOptions: true,
    strictTransportSecurity: production && { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xPoweredBy: false,
  })(response.req, response, refuse);
  const headers = response.getHeaderNames().map((name) => [name, String(response.getHeader(name))] as const);
  return [...headers, ['Cache-Control', 'no-store']];
}

/** Callback for helmet, which calls it synchronously. */
function refuse(error?: unknown): void {
  if (error instanceof Error) throw error;
}
