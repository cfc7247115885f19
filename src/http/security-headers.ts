import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/** Headers by name, in the order in which they are written. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * What every answer tells browsers and caches, whoever gives it; a route that means something else says so itself.
 * Answers are data, never pages: nothing of them is to be loaded, framed, guessed at or kept.
 *
 * @param production whether TLS is in front, which browsers are then told to insist on (RFC 6797)
 */
export function securityHeaders(production: boolean): HeaderList {
  // They are the same for every answer, so helmet is asked once. What it has besides is about pages.
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

/** What helmet goes on with, at once. */
function refuse(error?: unknown): void {
  if (error instanceof Error) throw error;
}
