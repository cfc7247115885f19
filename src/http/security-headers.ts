/** Headers by name, in the order in which they are written. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/**
 * What every answer tells browsers and caches, whoever gives it; a route that means something else says so itself.
 * Answers are data, never pages: nothing of them is to be loaded, framed, guessed at or kept.
 *
 * @param production whether TLS is in front, which browsers are then told to insist on (RFC 6797)
 */
export function securityHeaders(production: boolean): HeaderList {
  return [
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
    ...(production ? [['Strict-Transport-Security', 'max-age=31536000'] as const] : []),
  ];
}
