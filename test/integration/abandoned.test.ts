/** Clients that go away before they have their answer: that is no failure of anything, and hides none. */
import { request, type ClientRequest } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { Scrape } from '../support/scraped-metrics.js';
import { JSON_TYPE } from '../support/graphql-handlers.js';
import { forAllTests, gatewayForAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

const OPERATIONS = 'gateway_graphql_operation_duration_seconds_count';
const ERRORS = 'gateway_graphql_errors_total';
const CALLS = 'gateway_backend_call_duration_seconds_count';
const REQUESTS = 'http_server_request_duration_seconds_count';

const gateway = gatewayForAllTests({ METRICS_PORT: '0', BACKEND_TIMEOUT_SECONDS: '240' });
const user = forAllTests(async () => ({ authorization: await gateway.bearer() }));

const SEARCH = 'query Search($word: String) { mobiles(search: $word) { edges { node { id tags { name } } } } }';

type Way = 'POST' | 'chunked POST';

/** Sends a request whose answer may never come. */
function send(way: Way, body: string): ClientRequest {
  const length = way === 'POST' ? { 'content-length': Buffer.byteLength(body) } : { 'transfer-encoding': 'chunked' };
  const headers = { ...JSON_TYPE, ...user, ...length };
  const sent = request(`${gateway.url}/graphql`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  return sent;
}

/** By how much all samples of a metric have grown, by the value of a label. */
function growth(before: Scrape, after: Scrape, name: string, label: string): Readonly<Record<string, number>> {
  const grown = after.values(name, label).map((value): [string, number] => {
    const labels = { [label]: value };
    return [value, (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0)];
  });
  return Object.fromEntries(grown.filter(([, by]) => by > 0));
}

/** Counts of what is done until this many operations have ended. */
async function counted(operations: number, work: () => Promise<void>) {
  const before = await gateway.scrape();
  const logged = gateway.logged().length;
  await work();
  const after = await waitFor('the operations to end', async () => {
    const now = await gateway.scrape();
    return (now.value(OPERATIONS) ?? 0) - (before.value(OPERATIONS) ?? 0) === operations && now;
  });
  return {
    outcomes: growth(before, after, OPERATIONS, 'outcome'),
    errors: growth(before, after, ERRORS, 'code'),
    calls: growth(before, after, CALLS, 'outcome'),
    statuses: growth(before, after, REQUESTS, 'http_response_status_code'),
    log: gateway.logged().slice(logged),
  };
}

describe.each(['POST', 'chunked POST'] as const)('an operation whose client goes away, by %s,', (way) => {
  it('is abandoned: no error, no warning, no failed call, and 499 in the access log', async () => {
    const { outcomes, errors, calls, statuses, log } = await counted(5, async () => {
      const hold = gateway.sandbox.faults.hold({ operation: 'listMobiles' });
      const sent = ['t', 'tr', 'tru', 'truc', 'truck'].map((word) => {
        const body = JSON.stringify({ query: SEARCH, variables: { word } });
        return send(way, body).end(body);
      });
      await hold.held(5);
      for (const asked of sent) asked.destroy();
    });
    expect([outcomes, errors]).toEqual([{ abandoned: 5 }, {}]);
    expect(calls).toEqual({ ok: expect.any(Number), cut_off: 5 });
    expect(statuses).toEqual({ '499': 5 });
    expect(log).not.toMatch(/"level":"(warn|error)".*"requestId"/);
    expect([...log.matchAll(/"status":499.*"event":"request\.cut_short"/g)]).toHaveLength(5);
  });

  it('counts an error that had another cause', async () => {
    const { outcomes, errors, log } = await counted(1, async () => {
      gateway.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'garbage' } });
      const hold = gateway.sandbox.faults.hold({ operation: 'listMobiles' });
      const before = await gateway.scrape();
      const body = JSON.stringify({ query: '{ tags { name } mobiles { edges { node { id } } } }' });
      const asked = send(way, body).end(body);
      await hold.held();
      await waitFor('the other one to fail', async () => {
        const outcomes = growth(before, await gateway.scrape(), CALLS, 'outcome');
        return Object.keys(outcomes).some((each) => each !== 'ok');
      });
      asked.destroy();
    });
    expect([outcomes, errors]).toEqual([{ failed: 1 }, { ServiceUnavailable: 1 }]);
    expect(log).toContain('"event":"operation.refused"');
    expect(log).not.toContain('disconnected');
  });

  it('is abandoned as well while it still sends its body', async () => {
    const { outcomes, errors } = await counted(1, async () => {
      const active = 'http_server_active_requests';
      const asked = send(way, JSON.stringify({ query: SEARCH }));
      asked.write('{ "query": "');
      await waitFor('its arrival', async () => ((await gateway.scrape()).value(active) ?? 0) > 0);
      asked.destroy();
    });
    expect([outcomes, errors]).toEqual([{ abandoned: 1 }, {}]);
  });
});

describe('a client that goes away while its session is made', () => {
  const SESSION = '{ accessToken refreshToken }';

  /** Logs in. @returns the refresh token or the challenge */
  async function logIn(loginId: string): Promise<string> {
    const credentials = `loginId: "${loginId}", password: "${loginId}-password"`;
    const { data } = await gateway.graphql(`mutation { userLogin(${credentials}) { session ${SESSION} challenge } }`);
    const login = data?.['userLogin'] as { session: { refreshToken: string } | null; challenge: string }; // as selected
    return login.session?.refreshToken ?? login.challenge;
  }

  const ASKED: Readonly<Record<'login' | 'refreshToken' | 'verifyOtp', () => Promise<string>>> = {
    login: () => Promise.resolve(`userLogin(loginId: "demo", password: "demo-password") { session ${SESSION} }`),
    refreshToken: async () => `refreshUserToken(refreshToken: "${await logIn('demo')}") ${SESSION}`,
    async verifyOtp() {
      const challenge = await logIn('otp');
      await gateway.graphql('mutation { sendOtp(loginId: "otp") { sentTo } }');
      const code = gateway.sandbox.otps.last('otp');
      return `verifyOtp(loginId: "otp", code: "${code}", challenge: "${challenge}") ${SESSION}`;
    },
  };

  it.each(['login', 'refreshToken', 'verifyOtp'] as const)(
    'does not end the call for it, and a repetition gets what it gave: %s',
    async (operation) => {
      const query = `mutation { made: ${await ASKED[operation]()} }`;
      gateway.sandbox.journal.clear();
      let made: unknown;
      await counted(2, async () => {
        const logged = gateway.logged().length;
        const hold = gateway.sandbox.faults.hold({ operation });
        const asked = send('POST', JSON.stringify({ query })).end(JSON.stringify({ query }));
        await hold.held();
        asked.destroy();
        await waitFor('its disconnection', () => gateway.logged().slice(logged).includes('request.cut_short'));
        const again = gateway.graphql(query);
        hold.release();
        made = await again;
      });
      expect(made).toMatchObject({ data: { made: expect.any(Object) }, errors: undefined });
      expect(gateway.sandbox.journal.requests({ operation })).toHaveLength(operation === 'login' ? 2 : 1);
    },
  );

  it('is not told to use up a token or a code again that may be used up', async () => {
    const queries = [await ASKED.refreshToken(), `verifyOtp(loginId: "demo", code: "0") ${SESSION}`];
    gateway.sandbox.faults.set({ fault: { kind: 'status', status: 503 } });
    for (const query of queries) {
      const { errors } = await gateway.graphql(`mutation { ${query} }`);
      expect(errors).toMatchObject([{ message: expect.not.stringContaining('again later') }]);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'ServiceUnavailable', reason: 'SessionUnknown' });
    }
  });

  it('gets the refusal of a refresh token from memory, and counts it once', async () => {
    const query = 'mutation { refreshUserToken(refreshToken: "unknown") { accessToken } }';
    for (let time = 0; time < 400; time += 1) {
      const { errors } = await gateway.graphql(query);
      expect(errors?.[0]?.extensions).toMatchObject({ reason: 'WrongRefreshToken' });
    }
    expect(gateway.sandbox.journal.requests({ operation: 'refreshToken' })).toHaveLength(1);
  });
});
