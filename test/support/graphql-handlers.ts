import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { reasonsIn } from './published-errors.js';

/** An answer of GraphQL, whatever it holds. */
export interface HandlerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Parameters of a request, or its body or query string as it stands. */
export type Asked = Readonly<Record<string, unknown>> | string;

/** Request that reaches one of the handlers. @param url of the gateway, without `/graphql` */
export type Handler = (url: string, asked: Asked, headers?: OutgoingHttpHeaders) => Promise<HandlerAnswer>;

/** Requests for the direct handler, and for Yoga: a body of unknown length, and a query string. */
export const HANDLERS: Readonly<Record<'POST' | 'chunked POST' | 'GET', Handler>> = {
  POST: (url, asked, headers) => {
    const body = bodyOf(asked);
    return send(`${url}/graphql`, 'POST', { ...JSON_TYPE, 'content-length': body.length, ...headers }, body);
  },
  'chunked POST': (url, asked, headers) =>
    send(`${url}/graphql`, 'POST', { ...JSON_TYPE, 'transfer-encoding': 'chunked', ...headers }, bodyOf(asked)),
  GET: (url, asked, headers) => send(`${url}/graphql?${searchOf(asked)}`, 'GET', { ...headers }),
};

const USUAL = [
  '{ serviceVersion }',
  '{ me { Org } }',
  '{ mobiles(first: 50) { edges { node { id name position { address } voice { online } } } } }',
  '{ fetchBulkUpdateMobileStatus(jobId: "none") { state } }',
  'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }',
];

/** Sends so many usual operations at once, each on a connection of its own. @returns what became of each, and when */
export async function burst(url: string, count: number, authorization: string) {
  const operations = Array.from({ length: count }, async (_, index) => {
    const sentAt = performance.now();
    const { status } = await HANDLERS.POST(url, { query: USUAL[index % USUAL.length] }, { authorization });
    return { status, ms: performance.now() - sentAt };
  });
  return Promise.all(operations);
}

/** Header of JSON bodies. */
export const JSON_TYPE = { 'content-type': 'application/json' };

function bodyOf(asked: Asked): Buffer {
  return Buffer.from(typeof asked === 'string' ? asked : JSON.stringify(asked));
}

function searchOf(asked: Asked): string {
  if (typeof asked === 'string') return asked;
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return new URLSearchParams(texts).toString();
}

/** Sends a request as it stands. @throws {Error} a reason in the answer is not as published */
export async function send(url: string, method: string, headers: object, body?: Buffer): Promise<HandlerAnswer> {
  const sent = request(url, { method, headers: { ...headers } });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const lines = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await text(reply);
  if (answer !== '' && /\bjson\b/.test(reply.headers['content-type'] ?? '')) reasonsIn(JSON.parse(answer));
  return { status: reply.statusCode ?? 0, headers: new Headers(lines), text: answer };
}
