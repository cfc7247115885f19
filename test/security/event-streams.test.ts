/** Asking for a stream gets one answer, in JSON or none: no socket is held for more to come. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { bodyOf, converse } from '../support/raw-conversation.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const STREAMS = [
  'text/event-stream',
  'multipart/mixed',
  'multipart/mixed; deferSpec=20220824',
  'text/event-stream, multipart/mixed',
];

const JSON_AS_WELL = [
  'text/event-stream, application/json',
  'multipart/mixed, application/json;q=0.1',
  'multipart/mixed; boundary="-", text/event-stream, application/graphql-response+json',
  'text/event-stream, */*',
];

const BODY = '{"query":"{ serviceVersion }"}';

/** A request by each way into GraphQL. */
const WAYS: Readonly<Record<string, (accept: string) => string>> = {
  'a POST': (accept) =>
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`,
  'a chunked POST': (accept) =>
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nContent-Type: application/json\r\n` +
    `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  'a GET': (accept) =>
    `GET /graphql?query={serviceVersion} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`,
};

describe.each(Object.entries(WAYS))('%s', (_way, request) => {
  it.each(STREAMS)('that accepts %s is 406 in JSON', async (accept) => {
    const conversation = await converse(gateway.url, request(accept));
    expect(conversation.statuses).toEqual([406]);
    expect(conversation.text).toMatch(/^content-type: application\/json/im);
    expect(conversation.text).toMatch(/^content-length: \d+/im);
    expect(JSON.parse(bodyOf(conversation))).toMatchObject({ errors: [{ extensions: { code: 'BadInput' } }] });
  });

  it.each(JSON_AS_WELL)('that accepts %s gets JSON, once', async (accept) => {
    const conversation = await converse(gateway.url, request(accept));
    expect(conversation.statuses).toEqual([200]);
    expect(conversation.text).toMatch(/^content-type: application\/(graphql-response\+)?json/im);
    expect(conversation.text).toMatch(/^content-length: \d+/im);
    expect(JSON.parse(bodyOf(conversation))).toEqual({ data: { serviceVersion: '0.0.0-test' } });
  });
});

it('a mutation whose answer would not be accepted is not run', async () => {
  gateway.sandbox.journal.clear();
  const reply = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'mutation { userLogin(loginId: "a", password: "b") { otpRequired } }' }),
  });
  expect(reply.status).toBe(406);
  expect(gateway.sandbox.journal.requests()).toEqual([]);
});
