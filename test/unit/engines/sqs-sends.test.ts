/** Messages that are sent to Amazon SQS, and the doubt whether they arrived: one try is enough for it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '../../../src/errors.js';
import { SendInDoubtError, SqsClient } from '../../../src/engines/sqs/queue-client.js';
import { captureLog } from '../../support/captured-log.js';
import { closeAfterTest, forAllTests, processVariables } from '../../support/resources.js';
import { SQS_ENVIRONMENT } from '../../support/sqs-environment.js';

/** Outcome of a try: an HTTP status, or a connection that is cut once the request is there. */
type Try = number | 'cut';

/** Answer of SQS to a message with this body, which its client checks. */
const BODY = 'body';
const TAKEN = JSON.stringify({ MessageId: '1', MD5OfMessageBody: createHash('md5').update(BODY).digest('hex') });

forAllTests(() => Promise.resolve(processVariables(SQS_ENVIRONMENT)));

/** Sends a message, whose tries end as given. @returns the error, and the number of tries */
async function sendError(...tries: readonly Try[]): Promise<{ readonly error: unknown; readonly tried: number }> {
  let tried = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const next = tries[tried] ?? 'cut';
    tried += 1;
    request.resume().on('end', () => {
      if (next === 'cut') request.socket.destroy();
      else response.writeHead(next, { 'content-type': 'application/x-amz-json-1.0' }).end(next === 200 ? TAKEN : '{}');
      // There is nobody for the tries after the last one that was given.
      if (tried === tries.length) server.close();
    });
  };
  const server = createServer({ keepAlive: false }, (request, response) => {
    response.setHeader('connection', 'close');
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  if (tries.length === 0) server.close();
  const url = `http://127.0.0.1:${address.port}/000000000000/jobs`;
  const client = closeAfterTest(new SqsClient(url, captureLog().logger));
  const error: unknown = await client.send(url, BODY, 'mobiles').catch((thrown: unknown) => thrown);
  server.close();
  return { error, tried };
}

describe('A message for SQS', () => {
  it.each<[outcome: string, what: string, tries: readonly Try[]]>([
    ['surely not sent', 'refuses connections', []],
    ['surely not sent', 'refuses the request', [403]],
    ['in doubt', 'cuts the connection before the answer', ['cut', 'cut']],
    ['in doubt', 'cuts it, and refuses the second request', ['cut', 403]],
    ['in doubt', 'cuts it, and there is no second connection', ['cut']],
    ['in doubt', 'answers 500, and refuses the second request', [500, 403]],
  ])('is %s when SQS %s', async (outcome, _what, tries) => {
    const { error, tried } = await sendError(...tries);
    expect(tried).toBe(tries.length);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error instanceof SendInDoubtError).toBe(outcome === 'in doubt');
  });

  it('is sent when the second try is answered', async () => {
    expect(await sendError('cut', 200)).toEqual({ error: undefined, tried: 2 });
  });
});
