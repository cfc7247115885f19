import { createHash } from 'node:crypto';

/**
 * Creates the content security policy of a page that needs nothing from other hosts and that no page may frame.
 *
 * @param script the only inline script that may run
 * @param more further directives and script sources
 */
export function pagePolicy(
  script: string,
  more: { readonly scripts?: string; readonly directives?: readonly string[] } = {},
): string {
  const hash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${more.scripts === undefined ? '' : `${more.scripts} `}${hash}`,
    ...(more.directives ?? []),
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
