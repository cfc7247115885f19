/** What fails for one caller, and what everybody else sees of it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault, FaultTarget } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { waitFor } from '../support/wait-for.js';
import { bulkReply, DRIVING_REPORT, jobHeaders, MOBILES } from '../support/job-requests.js';

const BACKEND_TIMEOUT_SECONDS = 2;

/** More than there are connections for one organisation. */
const CROWD = 100;

const ofAcme = ({ org }: FaultTarget): boolean => org === 'acme';

let gateway: TestGateway;
let acme: string;
let globex: string;
async function start(timeoutSeconds: number): Promise<void> {
  gateway = await startTestGateway({ BACKEND_TIMEOUT_SECONDS: String(timeoutSeconds), TRUSTED_PROXIES: '1' });
  acme = await gateway.bearer();
  globex = await gateway.bearer({ loginId: 'globex-admin' });
}

interface Entry {
  readonly time: number;
  readonly event: string;
  readonly errors?: number;
  readonly scope?: string;
}

function entries(log: string): readonly Entry[] {
  return log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry); // the gateway's own
}

/** For tests that open circuits, of which the next one must not know. */
function withGatewayForEach(): void {
  beforeEach(() => start(BACKEND_TIMEOUT_SECONDS));
  afterEach(() => gateway.close());
}

/** For tests that show that no circuit opens, whatever came before. */
function withOneGateway(): void {
  beforeAll(() => start(60));
  beforeEach(() => {
    gateway.sandbox.faults.clear();
    gateway.sandbox.journal.clear();
  });
  afterAll(() => gateway.close());
}

const ask = (query: string, bearer: string): Promise<GraphQLReply> => gateway.graphql(query, {}, bearer);
const crowd = (query: string, bearer: string, size = CROWD): Promise<GraphQLReply>[] =>
  Array.from({ length: size }, () => ask(query, bearer));
const codesOf = (replies: readonly GraphQLReply[]): (string | undefined)[] =>
  replies.map(({ errors }) => errors?.[0]?.extensions.code);

describe('While the calls of one organisation hang for long', () => {
  beforeEach(() => start(60));
  afterEach(() => gateway.close());

  it('the health check, the key fetch and the calls of another one are answered as always', async () => {
    const held = gateway.sandbox.faults.hold({ backend: 'backend-api', operation: 'listTags', match: ofAcme });
    const hanging = crowd('{ tags { id } }', acme);
    await held.held(64);

    let isOver = false;
    void Promise.race(hanging).then(() => (isOver = true));
    const [me, tags] = await Promise.all([
      ask('{ me { Org } }', acme),
      ask('{ tags { id } mobiles(first: 1) { edges { node { id } } } }', globex),
    ]);
    expect(me.data).toEqual({ me: { Org: 'acme' } });
    expect(tags.errors).toBeUndefined();
    await waitFor('the health check', async () => {
      const { body } = await gateway.rest('GET', '/health/ready');
      return (body as { Status: string }).Status === 'OK'; // as the contract of the reply has it
    });
    expect(isOver).toBe(false);
    held.release();
    await Promise.all(hanging);
  });
});

describe('While the calls of one organisation hang', () => {
  withGatewayForEach();

  it('each of those calls ends within its limit, whether it has a connection or waits for one', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'listTags' });
    const replies = await Promise.all(crowd('{ tags { id } }', acme));
    expect(new Set(codesOf(replies))).toEqual(new Set(['ServiceUnavailable']));
    held.release();
  });

  it('those of another one go on being answered after the limit, when failures are counted', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'listTags', match: ofAcme });
    await Promise.all(crowd('{ tags { id } }', acme, 80));
    expect(codesOf([await ask('{ tags { id } }', acme)])).toEqual(['ServiceUnavailable']);
    expect(codesOf(await Promise.all(crowd('{ tags { id } }', globex, 10)))).toEqual(Array(10).fill(undefined));
    held.release();
  });
});

describe('While the calls of one organisation fail', () => {
  withGatewayForEach();

  it('they are refused after a while, and those of another organisation are not', async () => {
    const off = gateway.sandbox.faults.set({ match: ofAcme, fault: { kind: 'status', status: 500 } });
    for (let count = 0; count < 10; count += 1) await ask('{ tags { id } }', acme);
    off();
    // Its own circuit is open although the backend would answer.
    expect(codesOf([await ask('{ tags { id } }', acme)])).toEqual(['ServiceUnavailable']);
    expect(codesOf(await Promise.all(crowd('{ tags { id } }', globex, 5)))).toEqual(Array(5).fill(undefined));
    expect(gateway.logged()).toMatch(/"caller":"user","mode":"read","scope":"one party","org":"acme"/);
  });

  it('its jobs go on, and logging in', async () => {
    const off = gateway.sandbox.faults.set({ match: ofAcme, fault: { kind: 'down' } });
    for (let count = 0; count < 10; count += 1) await ask('{ tags { id } }', acme);
    off();
    expect(codesOf([await ask('{ tags { id } }', acme)])).toEqual(['ServiceUnavailable']);

    const update = await gateway.callback(MOBILES, [{ id: 1, name: 'Truck' }], jobHeaders('update'));
    expect(bulkReply(update)).toEqual({ status: 'Success' });
    const drivers = [{ mobileId: '1', employeeCode: 'E-1', employeeName: 'Driver' }];
    const body = { date: '2026-11-19T12:34:56+09:00', drivers };
    expect(await gateway.callback(DRIVING_REPORT, body, jobHeaders('report'))).toMatchObject({
      body: { errorList: null },
    });
    expect((await logIn('demo', '192.0.2.1')).errors).toBeUndefined();
  });

  it('and those of another one from an address that has not logged in, everybody else can log in', async () => {
    const off = gateway.sandbox.faults.set({
      operation: 'login',
      loginId: 'poison',
      fault: { kind: 'status', status: 500 },
    });
    // Enough to open the circuit, and not so many that the account is over its limit.
    for (let count = 0; count < 22; count += 1) await logIn('poison', '192.0.2.66');
    off();
    expect((await logIn('poison', '192.0.2.66')).errors?.[0]?.extensions.code).toBe('ServiceUnavailable');
    expect((await logIn('demo', '192.0.2.1')).errors).toBeUndefined();
  });

  async function logIn(loginId: string, address: string): Promise<Pick<GraphQLReply, 'errors'>> {
    const query = `mutation { userLogin(loginId: "${loginId}", password: "demo-password") { otpRequired } }`;
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as Pick<GraphQLReply, 'errors'>; // a test's view
  }
});

describe('Calls that come to nothing but are no outage', () => {
  withOneGateway();

  const BROKEN: Fault = { kind: 'status', status: 200, body: { id: 'one' } };

  it.each<[string, Fault]>([
    ['answered with garbage', { kind: 'garbage' }],
    ['answered in breach of the contract', BROKEN],
    ['refused as bad', { kind: 'status', status: 400 }],
    ['refused as not found', { kind: 'status', status: 404 }],
    ['refused as too large', { kind: 'status', status: 413 }],
    ['refused for too large headers', { kind: 'status', status: 431 }],
  ])('because they are %s are neither repeated nor counted', async (_how, fault) => {
    const off = gateway.sandbox.faults.set({ operation: 'getMobile', fault });
    const failed = await Promise.all(crowd('{ mobile(id: 1) { id } }', acme, 60));
    for (const { errors } of failed) expect(errors).toHaveLength(1);
    expect(gateway.sandbox.journal.requests({ operation: 'getMobile' })).toHaveLength(60);
    off();
    expect((await ask('{ mobile(id: 1) { id } }', acme)).data).toEqual({ mobile: { id: 1 } });
  });
});

describe('Visitors whose logins fail', () => {
  withGatewayForEach();

  it.each([2, 20])('from %d addresses keep nobody out who is answered', async (addresses) => {
    gateway.sandbox.faults.set({ operation: 'login', loginId: 'poison', fault: { kind: 'status', status: 500 } });
    const login = async (loginId: string, password: string, address: string): Promise<string | undefined> => {
      const query = `mutation { userLogin(loginId: "${loginId}", password: "${password}") { otpRequired } }`;
      const reply = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ query }),
      });
      const { errors } = (await reply.json()) as Pick<GraphQLReply, 'errors'>; // as every reply of this route
      return errors?.[0]?.extensions.code;
    };
    const good = (): Promise<string | undefined> => login('demo', 'demo-password', '203.0.113.200');
    for (let round = 0; round < 22; round += 1) {
      const poisoned = Array.from({ length: addresses }, (_, each) => login('poison', 'p', `192.0.2.${each + 1}`));
      expect(await good()).toBeUndefined();
      expect(new Set(await Promise.all(poisoned))).toEqual(new Set(['ServiceUnavailable']));
    }
    let answeredAt = -Infinity;
    for (const { time, event, errors, scope } of entries(gateway.logged())) {
      if (event === 'request.handled' && errors === 0) answeredAt = time;
      // On a busy machine it may happen that nobody is answered for 2 s, which is told a little later.
      if (event === 'circuit.opened' && scope === 'everybody') expect(time - answeredAt).toBeGreaterThan(1_000);
    }
  });
});

describe('A request so large that the backend hangs up on it', () => {
  withOneGateway();

  it('fails by itself: it is neither repeated nor counted', async () => {
    const query = 'query($tagIds: [Int!]) { mobiles(tagIds: $tagIds) { edges { node { id } } } }';
    const tagIds = Array.from({ length: 1_000 }, (_, index) => 2_147_000_000 + index);
    const off = gateway.sandbox.faults.set({ operation: 'listMobiles', fault: { kind: 'down' } });
    const failed = await Promise.all(Array.from({ length: 60 }, () => gateway.graphql(query, { tagIds }, acme)));
    expect(codesOf(failed)).toEqual(Array(60).fill('ServiceUnavailable'));
    expect(gateway.sandbox.journal.requests({ operation: 'listMobiles' })).toHaveLength(60);
    off();
    expect((await ask('{ mobiles(first: 1) { edges { node { id } } } }', acme)).errors).toBeUndefined();
    expect(gateway.logged()).not.toContain('circuit.opened');
  });

  it('is Node’s own 431 to too many headers, too', async () => {
    const padded = await gateway.bearer({ claims: { padding: 'x'.repeat(7_000) } });
    const query = `{ mobiles(search: "${'😀'.repeat(256)}", after: "${'x'.repeat(8_000)}") { edges { node { id } } } }`;
    const [failed] = await Promise.all(crowd(query, padded, 30));
    expect(codesOf(failed ? [failed] : [])).toEqual(['BadInput']);
    expect((await ask('{ mobiles(first: 1) { edges { node { id } } } }', acme)).errors).toBeUndefined();
    expect(gateway.logged()).not.toContain('circuit.opened');
  });
});

describe('While what jobs do to a backend fails', () => {
  withGatewayForEach();

  const reportOf = (drivers: number): object => ({
    date: '2026-11-19T12:34:56+09:00',
    drivers: Array.from({ length: drivers }, (_, index) => ({
      mobileId: String(index + 1),
      employeeCode: `E-${index + 1}`,
      employeeName: 'Driver',
    })),
  });
  const updates = (count: number): object[] =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'Truck' }));
  const opened = (mode: string): RegExp => new RegExp(`"caller":"job","mode":"${mode}"[^\\n]*"event":"circuit.opened"`);

  it('when they write, what they read is answered, and whatever users do', async () => {
    const off = gateway.sandbox.faults.set({ operation: 'updateMobile', fault: { kind: 'status', status: 500 } });
    const failed = await gateway.callback(MOBILES, updates(30), jobHeaders('updates'));
    expect(bulkReply(failed).errors).toHaveLength(30);
    expect(gateway.logged()).toMatch(opened('write'));
    const report = await gateway.callback(DRIVING_REPORT, reportOf(2), jobHeaders('report'));
    expect(report).toMatchObject({ status: 200, body: { errorList: null } });
    expect(gateway.logged()).not.toMatch(opened('read'));
    await usersGoOn();
    off();
  });

  it('when they read, what they write is done, and whatever users do', async () => {
    const off = gateway.sandbox.faults.set({ operation: 'getDrivingRecord', fault: { kind: 'status', status: 500 } });
    const failed = await gateway.callback(DRIVING_REPORT, reportOf(30), jobHeaders('report'));
    expect((failed.body as { errorList: unknown[] }).errorList).toHaveLength(30); // as the contract of the reply has it
    expect(gateway.logged()).toMatch(opened('read'));
    const update = await gateway.callback(MOBILES, updates(2), jobHeaders('updates'));
    expect(bulkReply(update)).toEqual({ status: 'Success' });
    expect(gateway.logged()).not.toMatch(opened('write'));
    await usersGoOn();
    off();
  });

  /** Users of the same organisation read, and log in. */
  async function usersGoOn(): Promise<void> {
    expect((await ask('{ tags { id } mobiles(first: 1) { edges { node { id } } } }', acme)).errors).toBeUndefined();
    const login = 'mutation { userLogin(loginId: "demo", password: "demo-password") { otpRequired } }';
    expect((await gateway.graphql(login)).errors).toBeUndefined();
    expect(gateway.logged()).not.toContain('"caller":"user"');
  }
});

describe('While a backend fails for everybody', () => {
  withGatewayForEach();

  it('it is spared, and asked again after a while', async () => {
    const off = gateway.sandbox.faults.set({ backend: 'geo-api', fault: { kind: 'status', status: 500 } });
    const query = '{ mobiles(first: 1) { edges { node { position { address } } } } }';
    for (let count = 0; count < 20; count += 1) await ask(query, count % 2 === 0 ? acme : globex);
    const asked = gateway.sandbox.journal.requests({ operation: 'reverseGeocode' }).length;
    expect(codesOf([await ask(query, acme), await ask(query, globex)])).toEqual(Array(2).fill('ServiceUnavailable'));
    expect(gateway.sandbox.journal.requests({ operation: 'reverseGeocode' })).toHaveLength(asked);
    off();
    // The others are not affected, and neither are other callers of the same one.
    expect(codesOf([await ask('{ mobiles(first: 1) { edges { node { voice { online } } } } }', acme)])).toEqual([
      undefined,
    ]);
  });
});
