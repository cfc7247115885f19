/** Bounds on what one operation may ask for, and on how often somebody may guess. Each error names its limit. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildClientSchema, buildSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { createMemoryCounter } from '../../src/engines/memory-counter.js';
import { GatewayError, type ErrorCode } from '../../src/errors.js';
import { createAttemptLimits, type Attempt, type AttemptLimits } from '../../src/graphql/limits/attempt-limits.js';
import { readTypeDefs } from '../../src/graphql/schema.js';
import { JOB_KINDS } from '../../src/job-record/job-kinds.js';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { rawRequest, sendRaw } from '../support/raw-http.js';

describe('an operation', () => {
  let gateway: TestGateway;
  let bearer: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ GRAPHQL_MAX_BODY_BYTES: '20000' });
    bearer = await gateway.bearer();
  });
  afterAll(() => gateway.close());

  /** The one error of an operation for which nothing may be fetched, not even a key. */
  async function refusal(query: string): Promise<string | undefined> {
    gateway.sandbox.journal.clear();
    const { data, errors } = await gateway.graphql(query, {}, bearer);
    expect(data).toBeUndefined();
    expect(gateway.sandbox.journal.requests()).toEqual([]);
    expect(errors?.[0]?.extensions).toEqual({ code: 'BadInput', status: 400, path: [] });
    expect(errors).toHaveLength(1);
    return errors?.[0]?.message;
  }

  async function accepted(query: string): Promise<GraphQLReply> {
    const reply = await gateway.graphql(query, {}, bearer);
    expect(reply.errors).toBeUndefined();
    return reply;
  }

  const times = (count: number, part: (index: number) => string): string =>
    Array.from({ length: count }, (_, i) => part(i)).join(' ');
  /** A selection so many levels deep. */
  const deep = (levels: number): string =>
    `{ __type(name: "Query") ${'{ ofType '.repeat(levels - 2)}{ name }${' }'.repeat(levels - 2)} }`;

  it('may be 10 levels deep and no deeper', async () => {
    await accepted(deep(10));
    expect(await refusal(deep(11))).toBe('Query depth limit of 10 exceeded, found 11.');
  });

  it('cannot hide its depth in fragments', async () => {
    const parts = times(12, (i) => `fragment F${i} on __Type { ofType { ...F${i + 1} } }`);
    expect(await refusal(`{ __type(name: "Query") { ...F0 } } ${parts} fragment F12 on __Type { name }`)).toBe(
      'Query depth limit of 10 exceeded, found 14.',
    );
  });

  it('may have 15 aliases and no more, those of fragments included', async () => {
    await accepted(`{ me { ${times(15, (i) => `a${i}: Org`)} } }`);
    expect(await refusal(`{ me { ${times(16, (i) => `a${i}: Org`)} } }`)).toBe(
      'Aliases limit of 15 exceeded, found 16.',
    );
    expect(
      await refusal(`{ a: me { ...F } b: me { ...F } } fragment F on AuthUser { ${times(7, (i) => `a${i}: Org`)} }`),
    ).toBe('Aliases limit of 15 exceeded, found 16.');
  });

  it('may have 10 root fields and no more, those of fragments included', async () => {
    await accepted(`{ ${times(10, (i) => `a${i}: serviceVersion`)} }`);
    expect(await refusal(`{ ${times(11, (i) => `a${i}: serviceVersion`)} }`)).toBe(
      'Root field limit of 10 exceeded, found 11.',
    );
    const inFragments = `{ ...A ... on Query { ${times(5, (i) => `b${i}: serviceVersion`)} } c: serviceVersion }
      fragment A on Query { ...B } fragment B on Query { ${times(5, (i) => `a${i}: serviceVersion`)} }`;
    expect(await refusal(inFragments)).toBe('Root field limit of 10 exceeded, found 11.');
  });

  const START = 'startBulkUpdateMobile(items: []) { jobId }';

  it('may start 3 jobs and no more, wherever they stand and whatever directives say', async () => {
    await accepted(`mutation { ${times(3, (i) => `a${i}: ${START}`)} }`);
    const none = 'startDrivingReports(input: { date: "2024-05-17T00:00:00Z", drivers: [] }) { jobId }';
    for (const query of [
      `mutation { ${times(3, (i) => `a${i}: ${START}`)} ${none} }`,
      `mutation { ...A ... on Mutation { b: ${START} c: ${START} } d: ${START} } fragment A on Mutation { ...B }
       fragment B on Mutation { a: ${START} }`,
      `mutation { ${times(4, (i) => `a${i}: ${START.replace(' {', ' @skip(if: true) {')}`)} }`,
    ]) {
      expect(await refusal(query)).toBe('Job start limit of 3 exceeded, found 4.');
    }
  });

  it('that starts too many jobs is refused through the other door as well', async () => {
    const body = JSON.stringify({ query: `mutation { ${times(4, (i) => `a${i}: ${START}`)} }` });
    const headers = { 'content-type': 'application/json', authorization: bearer, 'transfer-encoding': 'chunked' };
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const reply = await sendRaw(gateway.url, rawRequest('POST /graphql HTTP/1.1', headers, chunked));
    expect(reply?.body).toContain('Job start limit of 3 exceeded, found 4.');
  });

  it('finds its job starts in the schema, where every field that starts one says so', () => {
    const mutations = buildSchema(readTypeDefs().join('\n')).getMutationType()?.getFields() ?? {};
    const starts = Object.values(mutations).filter(({ name }) => name.startsWith('start'));
    const marked = Object.values(mutations).filter(({ astNode }) =>
      astNode?.directives?.some(({ name }) => name.value === 'startsJob'),
    );
    expect(starts.map(({ name }) => name)).toHaveLength(JOB_KINDS.length);
    expect(marked).toEqual(starts);
  });

  it('may have 50 directives and no more', async () => {
    const fields = (count: number): string => `{ me { ${times(count, () => 'Org @include(if: true)')} } }`;
    await accepted(fields(50));
    expect(await refusal(fields(51))).toBe('Directives limit of 50 exceeded, found 51.');
  });

  it('may have 1000 tokens and no more', async () => {
    const query = (numbers: number): string =>
      `{ serviceVersion mobiles(tagIds: [${times(numbers, () => '1')}]) @skip(if: true) { edges { node { id } } } }`;
    await accepted(query(974));
    expect(await refusal(query(975))).toContain('more that 1000 tokens');
  });

  it('is answered at once however its fragments multiply, and however often it comes', async () => {
    const doubling = times(60, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`);
    for (let time = 1; time <= 8; time += 1) {
      const { data } = await accepted(`{ ...F0 } ${doubling} fragment F60 on Query { serviceVersion }`);
      expect(data).toEqual({ serviceVersion: '0.0.0-test' });
    }
  });

  it('is refused at once when its directives multiply with its fragments', async () => {
    const doubling = times(20, (i) => `fragment F${i} on Query { ...F${i + 1} @skip(if: false) ...F${i + 1} }`);
    expect(await refusal(`{ ...F0 } ${doubling} fragment F20 on Query { serviceVersion }`)).toContain(
      'Directives limit of 50 exceeded',
    );
  });

  it.each(['with', 'without'])(
    'whose body is over GRAPHQL_MAX_BODY_BYTES is refused with 413, %s a Content-Length',
    async (how) => {
      const body = JSON.stringify({ query: '{ serviceVersion }', variables: { x: 'x'.repeat(20_000) } });
      const type = { 'content-type': 'application/json' };
      const request =
        how === 'with'
          ? rawRequest('POST /graphql HTTP/1.1', { ...type, 'content-length': body.length }, body)
          : rawRequest(
              'POST /graphql HTTP/1.1',
              { ...type, 'transfer-encoding': 'chunked' },
              `${body.length.toString(16)}\r\n${body}\r\n`,
            );
      const reply = await sendRaw(gateway.url, request);
      expect([reply?.status, JSON.parse(reply?.body ?? '')]).toEqual([
        413,
        {
          errors: [
            {
              message: 'The request body is too large. The limit is 20000 bytes (GRAPHQL_MAX_BODY_BYTES).',
              path: [],
              extensions: { code: 'BadInput', status: 400, path: [] },
            },
          ],
        },
      ]);
    },
  );

  it('may be the whole introspection query of the playground in development', async () => {
    const query = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    const { data } = await accepted(query);
    const schema = buildClientSchema(data as unknown as IntrospectionQuery); // what the query asks for
    expect(schema.getQueryType()?.getFields()).toHaveProperty('mobiles');
  });
});

describe('each limit on operations', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      GRAPHQL_MAX_DEPTH: '2',
      GRAPHQL_MAX_ALIASES: '1',
      GRAPHQL_MAX_ROOT_FIELDS: '3',
      GRAPHQL_MAX_DIRECTIVES: '0',
      GRAPHQL_MAX_TOKENS: '15',
      GRAPHQL_MAX_JOB_STARTS: '0',
    });
  });
  afterAll(() => gateway.close());

  it.each([
    ['GRAPHQL_MAX_DEPTH', '{ mobile(id: 1) { tags { id } } }', 'Query depth limit of 2 exceeded, found 3.'],
    ['GRAPHQL_MAX_ALIASES', '{ a: serviceVersion b: serviceVersion }', 'Aliases limit of 1 exceeded, found 2.'],
    [
      'GRAPHQL_MAX_ROOT_FIELDS',
      '{ serviceVersion __typename me { Org } tags { id } }',
      'Root field limit of 3 exceeded, found 4.',
    ],
    ['GRAPHQL_MAX_DIRECTIVES', '{ serviceVersion @skip(if: true) }', 'Directives limit of 0 exceeded, found 1.'],
    [
      'GRAPHQL_MAX_JOB_STARTS',
      'mutation { startBulkUpdateMobile(items: []) { jobId } }',
      'Job start limit of 0 exceeded, found 1.',
    ],
    ['GRAPHQL_MAX_TOKENS', `{ ${'serviceVersion '.repeat(15)}}`, expect.stringContaining('15 tokens')],
  ])('is set by %s', async (_name, query, message) => {
    expect((await gateway.graphql(query)).errors?.map((error) => error.message)).toEqual([message]);
  });
});

describe('an operation that hangs', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ REQUEST_TIMEOUT_SECONDS: '1' });
  });
  afterEach(() => gateway.sandbox.faults.clear());
  afterAll(() => gateway.close());

  it.each([
    ['a protected query', '{ serviceVersion mobile(id: 1) { id } }', 'getMobile'],
    ['a login', 'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }', 'login'],
  ])('ends after REQUEST_TIMEOUT_SECONDS: %s', async (_what, query, operation) => {
    gateway.sandbox.faults.hold({ operation });
    const { errors, status } = await gateway.graphql(query, {}, await gateway.bearer());
    expect([status, errors]).toEqual([
      200,
      [
        {
          message: 'The operation took longer than 1 s. Try again later.',
          path: [],
          extensions: { code: 'ServiceUnavailable', status: 503, path: [] },
        },
      ],
    ]);
    expect(gateway.logged()).toContain('"reason":"the operation took longer than REQUEST_TIMEOUT_SECONDS"');
  });
});

/** Runs a mutation as if it came through a proxy for this address. */
async function from(gateway: TestGateway, address: string, query: string): Promise<(ErrorCode | 'ok')[]> {
  const reply = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ query }),
  });
  const { data, errors = [] } = (await reply.json()) as {
    data: object | null;
    errors?: { extensions: { code: ErrorCode } }[];
  };
  return errors.length === 0 && data !== null ? ['ok'] : errors.map(({ extensions }) => extensions.code);
}

const login = (loginId: string, password = 'wrong'): string =>
  `mutation { userLogin(loginId: "${loginId}", password: "${password}") { otpRequired } }`;
const verify = (loginId: string): string => `mutation { verifyOtp(loginId: "${loginId}", code: "0") { expiresIn } }`;
const sendOtp = (loginId: string): string => `mutation { sendOtp(loginId: "${loginId}") { sentTo } }`;

describe('guessing credentials', () => {
  let gateway: TestGateway;
  /** Where a test calls from; nobody has called from there before. */
  let address: string;
  let addresses = 0;
  beforeAll(async () => {
    gateway = await startTestGateway({ TRUSTED_PROXIES: '1' });
  });
  beforeEach(() => {
    addresses += 1;
    address = `192.0.2.${addresses}`;
    gateway.sandbox.journal.clear();
  });
  afterAll(() => gateway.close());

  async function failures(count: number, loginId: string): Promise<void> {
    for (let i = 0; i < count; i += 1)
      expect(await from(gateway, address, login(loginId))).toEqual(['InvalidCredentials']);
  }

  it('ends after 5 failures a minute for one account from one address, and backend-api is not asked any more', async () => {
    await failures(5, 'demo');
    gateway.sandbox.journal.clear();
    expect(await from(gateway, address, login('demo'))).toEqual(['TooManyRequests']);
    expect(await from(gateway, address, login('demo', 'demo-password'))).toEqual(['TooManyRequests']);
    expect(gateway.sandbox.journal.requests()).toEqual([]);
  });

  it('locks out neither another address nor another account', async () => {
    await failures(5, 'demo');
    expect(await from(gateway, '198.51.100.2', login('demo', 'demo-password'))).toEqual(['ok']);
    expect(await from(gateway, address, login('driver', 'driver-password'))).toEqual(['ok']);
  });

  it('ends after 20 failures a minute from one address, whatever the accounts', async () => {
    for (const account of ['a', 'b', 'c', 'd']) await failures(5, account);
    expect(await from(gateway, address, login('e'))).toEqual(['TooManyRequests']);
    expect(await from(gateway, address, login('demo', 'demo-password'))).toEqual(['TooManyRequests']);
    expect(await from(gateway, '198.51.100.9', login('demo', 'demo-password'))).toEqual(['ok']);
  });

  it('does not count successes, one after another or at the same time', async () => {
    const good = login('demo', 'demo-password');
    for (let i = 0; i < 12; i += 1) expect(await from(gateway, address, good)).toEqual(['ok']);
    await Promise.all(Array.from({ length: 12 }, () => from(gateway, address, good)));
    await failures(5, 'demo');
  });

  it('hardly counts failures that are no guess: a backend that is down', async () => {
    const off = gateway.sandbox.faults.set({ operation: 'login', fault: { kind: 'down' } });
    for (let i = 0; i < 7; i += 1) {
      expect(await from(gateway, address, login('demo', 'demo-password'))).toEqual(['ServiceUnavailable']);
    }
    off();
    expect(await from(gateway, address, login('demo', 'demo-password'))).toEqual(['ok']);
  });

  it('counts one-time passwords together with passwords', async () => {
    for (let i = 0; i < 3; i += 1) expect(await from(gateway, address, verify('otp'))).toEqual(['InvalidCredentials']);
    await failures(2, 'otp');
    expect(await from(gateway, address, verify('otp'))).toEqual(['TooManyRequests']);
  });

  it('lets no more through at the same time', async () => {
    await Promise.all(Array.from({ length: 12 }, () => from(gateway, address, login('demo'))));
    expect(gateway.sandbox.journal.requests({ operation: 'login' })).toHaveLength(5);
  });

  it('says whose limit it is, and the wait', async () => {
    await failures(5, 'demo');
    const { errors } = await gateway.graphql(login('demo'));
    expect(errors?.[0]?.extensions.code).toBe('InvalidCredentials');
    const reply = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ query: login('demo') }),
    });
    expect(await reply.json()).toMatchObject({
      errors: [
        {
          message: expect.stringMatching(
            /^There were too many attempts to log in to this account\. Try again in \d+ seconds?\.$/,
          ),
          extensions: { code: 'TooManyRequests', status: 429, path: ['userLogin'] },
        },
      ],
    });
  });
});

describe('sending one-time passwords', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ TRUSTED_PROXIES: '1' });
  });
  afterAll(() => gateway.close());

  it('is allowed once a minute for one account from one address', async () => {
    expect(await from(gateway, '192.0.2.1', sendOtp('otp'))).toEqual(['ok']);
    expect(await from(gateway, '192.0.2.1', sendOtp('otp'))).toEqual(['TooManyRequests']);
    expect(await from(gateway, '192.0.2.1', 'mutation { sendTestOtp(loginId: "otp") { sentTo } }')).toEqual([
      'TooManyRequests',
    ]);
    expect(await from(gateway, '192.0.2.1', sendOtp('driver'))).toEqual(['ok']);
    expect(await from(gateway, '192.0.2.2', sendOtp('otp'))).toEqual(['ok']);
    expect(gateway.sandbox.journal.requests({ operation: 'sendOtp' })).toHaveLength(3);
  });

  it('counts every alias of one operation', async () => {
    const aliases = Array.from({ length: 3 }, (_, i) => `a${i}: sendOtp(loginId: "otp") { sentTo }`).join(' ');
    const before = gateway.sandbox.journal.requests({ operation: 'sendOtp' }).length;
    expect(await from(gateway, '192.0.2.7', `mutation { ${aliases} }`)).toEqual(['TooManyRequests']);
    expect(gateway.sandbox.journal.requests({ operation: 'sendOtp' })).toHaveLength(before + 1);
  });

  it('hardly counts what could not be sent', async () => {
    const off = gateway.sandbox.faults.set({ operation: 'sendOtp', fault: { kind: 'status', status: 500 } });
    expect(await from(gateway, '192.0.2.3', sendOtp('otp'))).toEqual(['ServiceUnavailable']);
    off();
    expect(await from(gateway, '192.0.2.3', sendOtp('otp'))).toEqual(['ok']);
  });
});

describe('the counters of attempts', () => {
  const { signal } = new AbortController();
  const attempt: Attempt = { loginId: 'demo', address: '192.0.2.1', signal };
  const wrong = (): Promise<never> => Promise.reject(new GatewayError('InvalidCredentials', 'wrong'));
  const right = (): Promise<string> => Promise.resolve('right');
  let limits: AttemptLimits;

  beforeEach(() => {
    jest.useFakeTimers();
    limits = createAttemptLimits({ loginPerMinute: 5, otpSendPerMinute: 1 }, createMemoryCounter);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('forget failures after a minute, however often it was tried in between', async () => {
    for (let i = 0; i < 20; i += 1) await expect(limits.credentials(attempt, wrong)).rejects.toThrow();
    await expect(limits.credentials(attempt, right)).rejects.toThrow('There were too many attempts');
    jest.advanceTimersByTime(60_001);
    await expect(limits.credentials(attempt, right)).resolves.toBe('right');
  });

  it('allow 5 one-time passwords an hour, and the next one an hour later', async () => {
    for (let i = 0; i < 5; i += 1) {
      await expect(limits.otpSend(attempt, right)).resolves.toBe('right');
      jest.advanceTimersByTime(60_001);
    }
    await expect(limits.otpSend(attempt, right)).rejects.toThrow(
      /^One-time passwords were requested too often for this account\. Try again in \d+ minutes\.$/,
    );
    jest.advanceTimersByTime(3_600_000);
    await expect(limits.otpSend(attempt, right)).resolves.toBe('right');
  });

  it('count whoever changes addresses within a /64 as one, and an IPv4 address however it is written', async () => {
    const tries = async (addresses: readonly string[]): Promise<number> => {
      let guesses = 0;
      const guess = (): Promise<never> => {
        guesses += 1;
        return wrong();
      };
      for (const address of addresses)
        await limits.credentials({ loginId: 'demo', address, signal }, guess).catch(() => undefined);
      return guesses;
    };
    expect(await tries(Array.from({ length: 20 }, (_, host) => `2001:db8:1:2::${host.toString(16)}`))).toBe(5);
    expect(await tries(Array.from({ length: 20 }, (_, net) => `2001:db8:1:${(net + 16).toString(16)}::1`))).toBe(20);
    const mapped = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? '192.0.2.9' : '::ffff:192.0.2.9'));
    expect(await tries(mapped)).toBe(5);
  });

  it('let no more guesses through at the same time than one after another', async () => {
    let guesses = 0;
    const guess = (): Promise<never> => {
      guesses += 1;
      return wrong();
    };
    await Promise.allSettled(Array.from({ length: 50 }, () => limits.credentials(attempt, guess)));
    expect(guesses).toBe(5);
  });
});
