/** Whoever opens a connection for each request is refused as others are, and does not wait where nobody sees it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { rawRequest, sendRaw, type RawReply } from '../support/raw-http.js';

/** Far more than can be answered within the time that an operation may wait. */
const CROWD = 600;

describe('a crowd that connects anew for each request, with more than can be answered in time', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ MAX_EVENT_LOOP_DELAY_MS: '100' });
  });
  afterAll(() => gateway.close());

  /** A document that was never seen before, and takes milliseconds. */
  function ask(index: number): Promise<RawReply | undefined> {
    const node = 'id num name position { latitude longitude speedKmh address } voice { online talkGroup }';
    const pages = Array.from(
      { length: 10 },
      (_, page) => `page${page}: mobiles(first: ${page + 1}) { edges { node { ${node} } } }`,
    );
    const body = JSON.stringify({ query: `query Crowd${index} { ${pages.join(' ')} }` });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close' };
    return sendRaw(gateway.url, rawRequest('POST /graphql HTTP/1.1', headers, body));
  }

  it('has what is too much refused, and the rest answered', async () => {
    const replies = await Promise.all(Array.from({ length: CROWD }, (_, index) => ask(index)));
    const answered = replies.filter((reply) => reply?.status === 200);
    const refused = replies.filter((reply) => reply?.status === 503);
    expect(answered.length + refused.length).toBe(CROWD);
    expect(answered.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(CROWD / 4);
    for (const reply of answered) expect(reply?.body).toContain('Authorization header not set');
    for (const reply of refused) expect(reply?.headers.get('retry-after')).toBe('1');
  });
});
