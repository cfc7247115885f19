/** What fails for one caller, and what everybody else sees of it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Fault, FaultTarget } from '../../src/sandbox/sandbox.js';
import { startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { bulkReply, DRIVING_REPORT, jobHeaders, MOBILES } from '../support/job-requests.js';

const BACKEND_TIMEOUT_MS = 2_000;

/** More than there are connections for one organisation. */
const CROWD = 200;

const ofAcme = ({ org }: FaultTarget): boolean => org === 'acme';

let gateway: TestGateway;
let acme: string;
let globex: string;
beforeEach(async () => {
  gateway = await startTestGateway({
    BACKEND_TIMEOUT_SECONDS: String(BACKEND_TIMEOUT_MS / 1_000),
    TRUSTED_PROXIES: '1',
  });
  acme = await gateway.bearer();
  globex = await gateway.bearer({ loginId: 'globex-admin' });
});
afterEach(() => gateway.close());

async function timed<T>(run: Promise<T>): Promise<{ readonly reply: T; readonly milliseconds: number }> {
  const startedAt = performance.now();
  const reply = await run;
  return { reply, milliseconds: performance.now() - startedAt };
}

const ask = (query: string, bearer: string): Promise<GraphQLReply> => gateway.graphql(query, {}, bearer);
const crowd = (query: string, bearer: string, size = CROWD): Promise<GraphQLReply>[] =>
  Array.from({ length: size }, () => ask(query, bearer));
const codesOf = (replies: readonly GraphQLReply[]): (string | undefined)[] =>
  replies.map(({ errors }) => errors?.[0]?.extensions.code);

describe('While the calls of one organisation hang', () => {
  it('the health check, the key fetch and the calls of another one are answered as always', async () => {
    // So patient that none of them ends by itself.
    const patient = await startTestGateway({ BACKEND_TIMEOUT_SECONDS: '60' });
    try {
      const one = await patient.bearer();
      const other = await patient.bearer({ loginId: 'globex-admin' });
      const held = patient.sandbox.faults.hold({ operation: 'listTags', match: ofAcme });
      const hanging = Array.from({ length: CROWD }, () => patient.graphql('{ tags { id } }', {}, one));
      await Promise.all([held.held(64), patient.sandbox.journal.waitFor({ operation: 'getPublicKeys' }, CROWD)]);

      const [ready, me, tags] = await Promise.all([
        timed(patient.rest('GET', '/health/ready')),
        timed(patient.graphql('{ me { Org } }', {}, one)),
        timed(patient.graphql('{ tags { id } mobiles(first: 1) { edges { node { id } } } }', {}, other)),
      ]);
      expect(ready.reply.body).toMatchObject({ Status: 'OK' });
      expect(me.reply.data).toEqual({ me: { Org: 'acme' } });
      expect(tags.reply.errors).toBeUndefined();
      for (const { milliseconds } of [ready, me, tags]) expect(milliseconds).toBeLessThan(2_000);
      held.release();
      await Promise.all(hanging);
    } finally {
      await patient.close();
    }
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
    for (let count = 0; count < 40; count += 1) await logIn('poison', '192.0.2.66');
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
  const BROKEN: Fault = { kind: 'status', status: 200, body: { id: 'one' } };

  it.each<[string, Fault]>([
    ['answered with garbage', { kind: 'garbage' }],
    ['answered in breach of the contract', BROKEN],
    ['refused as bad', { kind: 'status', status: 400 }],
    ['refused as not found', { kind: 'status', status: 404 }],
    ['refused as too large', { kind: 'status', status: 413 }],
  ])('because they are %s are neither repeated nor counted', async (_how, fault) => {
    const off = gateway.sandbox.faults.set({ operation: 'getMobile', fault });
    const failed = await Promise.all(crowd('{ mobile(id: 1) { id } }', acme, 60));
    for (const { errors } of failed) expect(errors).toHaveLength(1);
    expect(gateway.sandbox.journal.requests({ operation: 'getMobile' })).toHaveLength(60);
    off();
    expect((await ask('{ mobile(id: 1) { id } }', acme)).data).toEqual({ mobile: { id: 1 } });
  });
});

describe('While a backend fails for everybody', () => {
  it('it is spared, and the others are asked as always', async () => {
    const off = gateway.sandbox.faults.set({ backend: 'geo-api', fault: { kind: 'status', status: 500 } });
    const query = '{ mobiles(first: 1) { edges { node { position { address } } } } }';
    for (let count = 0; count < 20; count += 1) await ask(query, count % 2 === 0 ? acme : globex);
    const asked = gateway.sandbox.journal.requests({ operation: 'reverseGeocode' }).length;
    expect(codesOf([await ask(query, acme), await ask(query, globex)])).toEqual(Array(2).fill('ServiceUnavailable'));
    expect(gateway.sandbox.journal.requests({ operation: 'reverseGeocode' })).toHaveLength(asked);
    off();
    expect(codesOf([await ask('{ mobiles(first: 1) { edges { node { voice { online } } } } }', acme)])).toEqual([
      undefined,
    ]);
  });
});
