import { mapRefusal, unavailable, type CallName } from './call-errors.js';
import { readRawReply, receive, sendOver, type Route } from './exchange.js';
import { PlainRequest } from './plain-exchange.js';
import type { OnBreach, ReplyReader } from './read-reply.js';

/** Address and limits of a resource. */
export interface ConditionalFetchOptions<T> extends Pick<Route, 'backend' | 'connections' | 'currentTrace'> {
  readonly call: CallName;
  readonly url: string;
  readonly read: ReplyReader<T>;
  /** Maximum time, from the request to the end of the reply. */
  readonly timeoutMs: number;
}

/**
 * Makes a function that requests a resource that is needed often and seldom changes. Requests are conditional (RFC
 * 9110, section 13.1.2); text is parsed only after a change, and the value is identical until then. The function throws
 * a `ServiceUnavailableError` for a refusal (4xx), and errors of `exchange`.
 */
export function conditionalFetch<T>(options: ConditionalFetchOptions<T>): (onBreach?: OnBreach) => Promise<T> {
  const { backend, call, url, read, connections, timeoutMs, currentTrace } = options;
  let last: { readonly text: unknown; readonly value: T } | undefined;
  let request = new PlainRequest(url, {});
  return (onBreach) => {
    const [known, sent] = [last, request];
    const ask = async (): Promise<T> => {
      const route = { backend, connections, party: [''], timeoutMs, currentTrace };
      const response = await sendOver(route, sent);
      if (response.status === 304 && known !== undefined) return known.value;
      const exchanged = receive(response);
      const readReply: ReplyReader<T> = (text, name) =>
        known !== undefined && known.text === text ? known.value : read(text, name, onBreach);
      const value = readRawReply(exchanged, readReply, { backend, call, onBreach, withKey: false });
      const etag = response.headers.get('etag');
      const headers: Readonly<Record<string, string>> = etag === null ? {} : { 'if-none-match': etag };
      const isSame = headers['if-none-match'] === sent.headers['if-none-match'];
      request = isSame ? sent : new PlainRequest(url, { headers });
      last = { text: exchanged.data, value };
      return value;
    };
    return mapRefusal(ask(), unavailable);
  };
}
