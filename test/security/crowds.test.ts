/** Crowds cost backends and stores little, are refused beyond a limit, and keep no other caller from being served. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FETCHES_PER_MINUTE } from '../../src/gateway/auth/public-keys.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { callBack, postJson, productionAt, startTestGateway } from '../support/gateway.js';
import { jobHeaders, MOBILES } from '../support/job-requests.js';
import { rawRequest, sendRaw, type RawReply } from '../support/raw-http.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, forEachTest } from '../support/resources.js';
import { startSharedGround } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

/** Far more than may hang at once. */
const VISITORS = 200;
/** Far more than can be answered within the time that an operation may wait. */
const CONNECTING = 400;
const TOKENS = 60;
const AT_ONCE = 20;

/** A request with a document that was never seen before, and takes milliseconds. */
function neverSeen(name: string): string {
  const node = 'id num name position { latitude longitude speedKmh address } voice { online talkGroup }';
  const pages = Array.from(
    { length: 10 },
    (_, page) => `page${page}: mobiles(first: ${page + 1}) { edges { node { ${node} } } }`,
  );
  return JSON.stringify({ query: `query Crowd${name} { ${pages.join(' ')} }` });
}

describe('a crowd of visitors whose calls hang at backend-api', () => {
  const gateway = forAllTests(() =>
    startTestGateway({
      TRUSTED_PROXIES: '1',
      // Calls hang for longer than a test may take, and a request behind one of them does.
      BACKEND_TIMEOUT_SECONDS: '3600',
      REQUEST_TIMEOUT_SECONDS: '3600',
    }),
  );
  const user = forAllTests(async () => ({ bearer: await gateway.bearer() }));

  /** One of many clients, each with an address of its own. */
  async function visit(index: number): Promise<void> {
    const query =
      index % 2 === 0
        ? 'mutation { userLogin(loginId: "demo", password: "wrong") { otpRequired } }'
        : `mutation { sendOtp(loginId: "otp-${index}") { sentTo } }`;
    const forwarded = { 'x-forwarded-for': `198.51.${Math.floor(index / 250)}.${index % 250}` };
    await (await postJson(`${gateway.url}/graphql`, { query }, forwarded)).text();
  }

  it('keep nobody waiting who asks for mobiles, and are no more than so many at once', async () => {
    const { journal, faults } = gateway.sandbox;
    const hanging = faults.hold({ match: ({ operation }) => operation === 'login' || operation === 'sendOtp' });
    const crowd = Promise.all(Array.from({ length: VISITORS }, (_, index) => visit(index)));
    // Sends of codes have 8 of their own.
    await hanging.held(32 + 8);
    try {
      for (let time = 1; time <= 5; time += 1) {
        const { data, errors } = await gateway.graphql(
          '{ mobiles(first: 1) { edges { node { id } } } }',
          {},
          user.bearer,
        );
        expect([data, errors]).toEqual([{ mobiles: { edges: [{ node: { id: '1' } }] } }, undefined]);
      }
      const [logins, sends] = [{ operation: 'login' }, { operation: 'sendOtp' }].map((one) => journal.requests(one));
      expect([logins?.length, sends?.length]).toEqual([32, 8]);
    } finally {
      hanging.release();
      await crowd;
    }
  });

  it('of codes keep nobody waiting who logs in', async () => {
    const hanging = gateway.sandbox.faults.hold({ operation: 'sendOtp' });
    const crowd = Array.from({ length: 100 }, async (_, index) => {
      const query = `mutation { sendOtp(loginId: "otp-${index}") { sentTo } }`;
      const forwarded = { 'x-forwarded-for': `198.52.0.${index}` };
      await (await postJson(`${gateway.url}/graphql`, { query }, forwarded)).text();
    });
    await hanging.held(8);
    try {
      const login = 'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }';
      const reply = await postJson(`${gateway.url}/graphql`, { query: login }, { 'x-forwarded-for': '198.53.0.1' });
      expect(await reply.json()).toEqual({ data: { userLogin: { otpRequired: false } } });
    } finally {
      hanging.release();
      await Promise.all(crowd);
    }
  });
});

describe('a crowd that connects anew for each request, with more than can be answered in time', () => {
  const gateway = forAllTests(() => startTestGateway({ MAX_EVENT_LOOP_DELAY_MS: '100' }));

  function ask(index: number): Promise<RawReply | undefined> {
    const body = neverSeen(String(index));
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, Connection: 'close' };
    return sendRaw(gateway.url, rawRequest('POST /graphql HTTP/1.1', headers, body));
  }

  it('has what is too much refused, and the rest answered', async () => {
    const replies = await Promise.all(Array.from({ length: CONNECTING }, (_, index) => ask(index)));
    const answered = replies.filter((reply) => reply?.status === 200);
    const refused = replies.filter((reply) => reply?.status === 503);
    expect(answered.length + refused.length).toBe(CONNECTING);
    expect(answered.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(CONNECTING / 4);
    for (const reply of answered) expect(reply?.body).toContain('Authorization header not set');
    for (const reply of refused) expect(reply?.headers.get('retry-after')).toBe('1');
  });
});

describe('a crowd that asks again as soon as it is answered', () => {
  const ITEMS = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, name: `Renamed ${index}` }));
  /** As many connections. */
  const CROWD = 40;
  const programs = forAllTests(() => BuiltPrograms.open());
  const ground = forAllTests(startSharedGround);
  const gateway = forAllTests(() => {
    const environment = { ...productionAt(ground.sandbox) };
    return programs.startGateway({ ...environment, DATA_DIR: ground.dataDir });
  });
  let isOver = false;
  let answered = 0;
  forAllTests(
    () => ({ gone: Promise.all(Array.from({ length: CROWD }, (_, member) => askAgainAndAgain(member))) }),
    (crowd) => {
      isOver = true;
      return crowd.gone;
    },
  );

  async function askAgainAndAgain(member: number): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      const reply = await postJson(`${gateway.url}/graphql`, neverSeen(`${member}x${number}`));
      expect(await reply.text()).toContain('Authorization header not set');
      answered += 1;
    }
  }

  it('lets a job go on, whose items wait for few operations each', async () => {
    await waitFor('the crowd to be there', () => answered > 3 * CROWD);
    const before = answered;
    const reply = await callBack(`${gateway.url}${MOBILES}`, ITEMS, jobHeaders(randomUUID()));
    expect(await reply.json()).toEqual({ status: 'Success' });
    // With operations in each turn of the event loop it is six and more.
    expect((answered - before) / ITEMS.length).toBeLessThan(4);
  });
});

describe('a flood of tokens of made-up keys', () => {
  let bearer: string;
  const gateway = forEachTest(() => startTestGateway({ PUBLIC_KEY_MAX_AGE_SECONDS: '600' }));
  beforeEach(async () => {
    bearer = await gateway.bearer();
    expect(await outcomeOf(bearer)).toBe('accepted');
  });

  async function outcomeOf(authorization: string): Promise<string> {
    const { errors } = await gateway.graphql('{ me { Org } }', {}, authorization);
    return errors?.[0]?.extensions.code ?? 'accepted';
  }

  it.each([
    ['serves', undefined, 'UnAuthenticated'],
    ['is down, which is no fault of a caller', { kind: 'status', status: 500 }, 'ServiceUnavailable'],
  ] as const)(
    'costs backend-api five fetches a minute, and keeps nobody out, while it %s',
    async (_how, fault, code) => {
      if (fault) gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault });
      gateway.sandbox.journal.clear();
      const [outcomes, beside] = [new Set<string>(), new Set<string>()];
      const startedAt = performance.now();
      for (let sent = 0; sent < TOKENS; sent += AT_ONCE) {
        const tokens = await Promise.all(
          Array.from({ length: AT_ONCE }, () => gateway.bearer({ header: { kid: randomUUID() } })),
        );
        for (const outcome of await Promise.all(tokens.map(outcomeOf))) outcomes.add(outcome);
        beside.add(await outcomeOf(bearer));
      }
      const fetches = gateway.sandbox.journal.requests({ operation: 'getPublicKeys' }).length;
      const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
      expect(fetches).toBeLessThanOrEqual(minutes * FETCHES_PER_MINUTE);
      expect([code, 'ServiceUnavailable']).toEqual(expect.arrayContaining([...outcomes]));
      expect([outcomes.has(code), [...beside]]).toEqual([true, ['accepted']]);
    },
  );
});

const JWKS = '/.well-known/jwks.json';
const READY = '/health/ready';

/** Longer than two answers are shared. */
const FLOOD_MS = 2_200;
const FLOOD_PAUSE_MS = 20;

/** Asks again and again, for longer on a machine that is too busy for it to be enough. @returns for how many seconds */
async function flood(urls: readonly string[], isEnough = (): boolean => true): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < FLOOD_MS || !isEnough()) {
    const some = await Promise.all(urls.flatMap((url) => Array.from({ length: 5 }, () => fetch(url))));
    for (const reply of some) await reply.text();
    expect(new Set(some.map(({ status }) => status))).toEqual(new Set([200]));
    await new Promise((resolve) => setTimeout(resolve, FLOOD_PAUSE_MS));
  }
  return (performance.now() - startedAt) / 1000;
}

describe('a flood of requests', () => {
  /** Each path, what it asks backends for, and how many of them. */
  const SHARED = [
    [JWKS, 'getPublicKeys', 1],
    [READY, 'getHealth', 3],
  ] as const;
  const gateway = forAllTests(() => startTestGateway({}, { sharesAnswers: true }));
  afterEach(() => gateway.sandbox.faults.clear());

  const askedFor = (operation: string): number => gateway.sandbox.journal.requests({ operation }).length;

  it('for the public keys and readiness asks each backend once a second', async () => {
    for (const [path] of SHARED) await fetch(`${gateway.url}${path}`);
    gateway.sandbox.journal.clear();
    const rounds = (): number[] => SHARED.map(([, operation, backends]) => askedFor(operation) / backends);
    const urls = SHARED.map(([path]) => `${gateway.url}${path}`);
    const seconds = await flood(urls, () => rounds().every((count) => count >= 2));
    for (const count of rounds()) expect(count).toBeLessThanOrEqual(Math.ceil(seconds));
  });

  it.each(SHARED)('for %s that hangs at the backends waits for one call to each', async (path, operation, backends) => {
    await waitFor('an answer that is shared', async () => {
      gateway.sandbox.journal.clear();
      await (await fetch(`${gateway.url}${path}`)).text();
      return askedFor(operation) === 0;
    });
    const startedAt = performance.now();
    const hanging = gateway.sandbox.faults.hold({ operation });
    const crowd: Promise<Response>[] = [];
    await waitFor('calls that hang', () => {
      crowd.push(fetch(`${gateway.url}${path}`));
      return askedFor(operation) > 0 || crowd.length > 400;
    });
    for (let more = 0; more < 50; more += 1) crowd.push(fetch(`${gateway.url}${path}`));
    await hanging.held(backends);
    hanging.release();
    for (const reply of await Promise.all(crowd)) expect(reply.status).toBe(200);
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    const asked = askedFor(operation) / backends;
    expect(asked).toBeLessThanOrEqual(1 + seconds);
    expect(crowd.length / asked).toBeGreaterThan(10);
  });

  it('for the public keys while backend-api is down gets the last good set, and asks no more often', async () => {
    const good = await (await fetch(`${gateway.url}${JWKS}`)).text();
    gateway.sandbox.faults.set({ operation: 'getPublicKeys', fault: { kind: 'down' } });
    gateway.sandbox.journal.clear();
    const seconds = await flood([`${gateway.url}${JWKS}`]);
    const asked = askedFor('getPublicKeys');
    expect(asked).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    expect(await (await fetch(`${gateway.url}${JWKS}`)).text()).toBe(good);
    expect(gateway.logged().split('jwks.last_good_served').length - 1).toBeLessThanOrEqual(asked + 2);
  });
});

describeWith(['redis-server'], 'a flood of requests for readiness, with stores in Redis', () => {
  it('asks each store once a second', async () => {
    const redis = closeAfterTest(await startRedis());
    const client = closeAfterTest(redis.client(), (each) => each.disconnect());
    const monitor = closeAfterTest(await client.monitor(), (each) => each.disconnect());
    const commands: string[] = [];
    monitor.on('monitor', (_time: string, [name = '', key = '']: readonly string[]) =>
      commands.push(`${name.toLowerCase()} ${key}`),
    );
    const flooded = closeAfterTest(await startTestGateway({ REDIS_URL: redis.url }, { sharesAnswers: true }));
    const { body } = await flooded.rest('GET', READY);
    expect(body).toMatchObject({ Stores: { 'job-store': 'OK', queue: 'OK', 'object-store': 'OK' } });
    const probesOf = (key: string) => (): number =>
      commands.filter((command) => command === `exists ${key}` || command === `set ${key}`).length;
    const counts = ['job:{check}', '{gateway}:check'].map(probesOf);
    await waitFor('the first round', () => counts.every((count) => count() > 0));
    commands.length = 0;
    const seconds = await flood([`${flooded.url}${READY}`], () => counts.every((count) => count() >= 2));
    // Heard after everything that was sent before it.
    await client.echo('over');
    await waitFor('the commands', () => commands.includes('echo over'));
    for (const count of counts) expect(count()).toBeLessThanOrEqual(Math.ceil(seconds));
  });
});
