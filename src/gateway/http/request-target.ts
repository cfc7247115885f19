import type { IncomingMessage } from 'node:http';

/** Path of visible ASCII without `#`. Targets have no fragment, and bytes beyond ASCII have no agreed encoding. */
const PATH_AND_QUERY = /^\/[!"$-~]*$/;

const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)(.*)$/i;

/** Characters of host names, addresses and ports. */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]+$/;

/**
 * Reads path and query of a target in any form (RFC 9112, section 3.2), or `*`. The result is safe for URL parsers,
 * which throw on some targets that Node's HTTP parser accepts.
 *
 * @returns undefined if the target is invalid
 */
export function readTarget({ method, url = '' }: IncomingMessage): string | undefined {
  if (url === '*') return method === 'OPTIONS' ? url : undefined;
  const target = url.startsWith('/') ? url : pathOfAbsoluteForm(url);
  return target !== undefined && PATH_AND_QUERY.test(target) ? target : undefined;
}

/** Returns the path of a target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

function pathOfAbsoluteForm(url: string): string | undefined {
  const [, authority = '', rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (!isHost(authority)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns true for a host with or without a port (RFC 3986, section 3.2) that is valid in a URL. */
export function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`);
}

/** Counts the lines of a header; Node joins the values of some, and keeps only the first of others. */
export function headerCount({ rawHeaders }: IncomingMessage, name: Lowercase<string>): number {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index];
    if (given?.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times;
}
