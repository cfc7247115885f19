/** The direct handler and Yoga give the same answer, however often the request has come before. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway } from '../support/gateway.js';
import { writeOperations } from '../support/persisted-operations.js';
import { forAllTests } from '../support/resources.js';
import { chooseSeed } from '../support/seed.js';
import { LARGE_BODY_BYTES, PERSISTED, requests, type Credentials, type GeneratedRequest } from './graphql-requests.js';

/** Operations that are generated for each way to run; `npm run test:soak` makes more. */
const RUNS = Number(process.env['TWO_HANDLERS_REQUESTS'] ?? 200);
/** After fewer an operation is compiled. */
const TIMES = 6;
jest.setTimeout(600_000);

/** The parts of an answer by which callers can tell it from another. */
interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

describe.each([
  ['production', true, undefined],
  ['development', false, 'allow'],
  ['production with a list of operations', true, 'only'],
])('in %s, GraphQL', (environment, production, mode) => {
  const file = forAllTests(() => writeOperations(PERSISTED));
  const gateway = forAllTests(() => {
    const operations = mode && { PERSISTED_OPERATIONS_FILE: file.path, PERSISTED_OPERATIONS: mode };
    return startTestGateway({ REQUEST_TIMEOUT_SECONDS: '60', ...operations }, { production });
  });
  let credentials: Credentials;

  beforeAll(async () => {
    const hour = 3_600;
    const now = Math.floor(Date.now() / 1000);
    const valid = await gateway.bearer();
    credentials = {
      valid,
      expired: await gateway.bearer({ claims: { exp: now - hour } }),
      early: await gateway.bearer({ claims: { nbf: now + hour } }),
      forged: `${valid.slice(0, -6)}AAAAAA`,
      torn: valid.slice(0, 40),
      basic: 'Basic eA==',
      empty: 'Bearer ',
    };
  });

  /** @param chunked without a length, which is a matter for Yoga */
  async function send({ body, headers }: GeneratedRequest, chunked: boolean): Promise<Answer> {
    const bytes = Buffer.from(body);
    const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length };
    const sent = httpRequest(`${gateway.url}/graphql`, { method: 'POST', headers: { ...headers, ...length } });
    sent.end(bytes);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    // Whether an answer before the end of the body closes the connection depends on the known length of the rest.
    const { date: _date, connection: _closes, 'keep-alive': _lives, 'x-request-id': id, ...same } = reply.headers;
    const keptId = id === headers['x-request-id'];
    return { status: reply.statusCode, headers: { ...same, keptId }, body: await text(reply) };
  }

  it('answers the same through Yoga and directly, interpreted and compiled', async () => {
    const seed = chooseSeed(`two handlers, ${environment}`);
    let large = 0;
    await fc.assert(
      fc.asyncProperty(requests(credentials), async (request) => {
        if (Buffer.byteLength(request.body) >= LARGE_BODY_BYTES) large += 1;
        const throughYoga = await send(request, true);
        // An operation that is refused before it runs is never compiled, but remembered.
        const times = throughYoga.body.includes('"data":') ? TIMES : 2;
        const directly: Answer[] = [];
        for (let time = 1; time <= times; time += 1) directly.push(await send(request, false));
        const answers = [...directly, await send(request, true)];
        expect(answers).toEqual(answers.map(() => throughYoga));
      }),
      { numRuns: RUNS, seed },
    );
    // Some 8 % are; none of them would make this a test of small requests alone.
    expect(large).toBeGreaterThan(RUNS / 100);
  });
});
