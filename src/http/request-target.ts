import type { IncomingMessage } from 'node:http';

/** Visible ASCII without `#`: targets have no fragment, and bytes beyond ASCII have no agreed encoding. */
const PATH_AND_QUERY = /^\/[!"$-~]*$/;

const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)(.*)$/i;

/** What names, addresses and ports are written with. */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]+$/;

/**
 * Path and query that a request asks for, whichever form its target has (RFC 9112, section 3.2), or `*`. Whatever is
 * read of it later may rely on it: URL parsers throw on some targets that Node's HTTP parser lets through.
 *
 * @returns undefined when the target is none
 */
export function readTarget({ method, url = '' }: IncomingMessage): string | undefined {
  if (url === '*') return method === 'OPTIONS' ? url : undefined;
  const target = url.startsWith('/') ? url : pathOfAbsoluteForm(url);
  return target !== undefined && PATH_AND_QUERY.test(target) ? target : undefined;
}

/** Without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

function pathOfAbsoluteForm(url: string): string | undefined {
  const [, authority = '', rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  if (!isHost(authority)) return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether a text is a host with or without a port (RFC 3986, section 3.2), so that URLs can be made of it. */
export function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`);
}
