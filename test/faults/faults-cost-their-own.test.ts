/** Calls that fail for one caller, dependencies that say no, and odd records: what each costs, and what it does not. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ERRORS } from '../../src/base/error-table.js';
import type { BackendFault, FaultTarget } from '../../src/sandbox/sandbox.js';
import { entriesOf } from '../support/captured-log.js';
import { postJson, startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import { bulkReply, DRIVING_REPORT, jobHeaders, MOBILES, reportOf } from '../support/job-requests.js';
import { readPdf } from '../support/pdf-text.js';
import { pollJob } from '../support/started-jobs.js';

/** More than there are connections for one organisation. */
const CROWD = 100;
const MANY = 30;
const WORDS = 'words of the backend that are not for the caller';
/** Ways in which a backend that is asked for everybody does not answer. */
const NO_ANSWERS: readonly BackendFault[] = [
  ...[400, 401, 403, 404, 429, 500].map((status): BackendFault => ({ kind: 'status', status, message: WORDS })),
  { kind: 'garbage' },
  { kind: 'down' },
];
const UNAVAILABLE = 'Vehicles and accounts cannot be reached at the moment. Try again later.';

let gateway: TestGateway;
let acme: string;
let globex: string;
async function start(timeoutSeconds: number): Promise<void> {
  gateway = await startTestGateway({ BACKEND_TIMEOUT_SECONDS: String(timeoutSeconds), TRUSTED_PROXIES: '1' });
  acme = await gateway.bearer();
  globex = await gateway.bearer({ loginId: 'globex-admin' });
}

const ofAcme = ({ org }: FaultTarget): boolean => org === 'acme';
const ask = (query: string, bearer = acme): Promise<GraphQLReply> => gateway.graphql(query, {}, bearer);
const crowd = (query: string, bearer = acme, size = CROWD): Promise<GraphQLReply>[] =>
  Array.from({ length: size }, () => ask(query, bearer));
const codesOf = (replies: readonly GraphQLReply[]): (string | undefined)[] =>
  replies.map(({ errors }) => errors?.[0]?.extensions.code);
const shown = ({ errors = [] }: GraphQLReply): unknown[] =>
  errors.map(({ message, path, extensions }) => [extensions.code, message, path]);
const requests = (operation: string): number => gateway.sandbox.journal.requests({ operation }).length;
const reportWith = (drivers: number): object => reportOf(...Array.from({ length: drivers }, (_, index) => index + 1));
/** Makes a report, in English, and reads its pages. @param errorList in its reply */
async function pagesOf(order: object, jobId: string, errorList: readonly object[] | null): Promise<readonly string[]> {
  const reply = await gateway.callback(DRIVING_REPORT, order, jobHeaders(jobId));
  expect(reply).toMatchObject({ status: 200, body: { errorList } });
  const { downloadUrl } = await pollJob(gateway, 'reports', jobId);
  const file = await fetch(downloadUrl ?? '');
  return (await readPdf(new Uint8Array(await file.arrayBuffer()))).pages;
}
const updates = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'Truck' }));

/** Users of the organisation read, and log in. */
async function expectUsersGoOn(): Promise<void> {
  expect((await ask('{ tags { id } mobiles(first: 1) { edges { node { id } } } }')).errors).toBeUndefined();
  expect((await logIn('demo', '192.0.2.1')).errors).toBeUndefined();
}

async function logIn(loginId: string, address: string): Promise<Pick<GraphQLReply, 'errors'>> {
  const query = `mutation { userLogin(loginId: "${loginId}", password: "demo-password") { otpRequired } }`;
  const response = await postJson(`${gateway.url}/graphql`, { query }, { 'x-forwarded-for': address });
  return (await response.json()) as Pick<GraphQLReply, 'errors'>; // a test's view
}

describe('On a gateway whose circuits may open,', () => {
  beforeEach(() => start(2));
  afterEach(() => gateway.close());

  const opened = (caller: string, mode: string): RegExp =>
    new RegExp(`"caller":"${caller}","mode":"${mode}"[^\\n]*"event":"circuit.opened"`);

  it('calls of one organisation that hang end within their limit, and those of another one are answered', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'listTags', match: ofAcme });
    // Whether they have a connection or wait for one.
    expect(new Set(codesOf(await Promise.all(crowd('{ tags { id } }'))))).toEqual(new Set(['ServiceUnavailable']));
    expect(codesOf(await Promise.all(crowd('{ tags { id } }', globex, 10)))).toEqual(Array(10).fill(undefined));
    held.release();
  });

  it('calls of one organisation that fail are refused after a while; its jobs, logins and everybody else go on', async () => {
    const off = gateway.sandbox.faults.set({ match: ofAcme, fault: { kind: 'status', status: 500 } });
    for (let count = 0; count < 10; count += 1) await ask('{ tags { id } }');
    off();
    // Its own circuit is open although the backend would answer.
    expect(codesOf([await ask('{ tags { id } }')])).toEqual(['ServiceUnavailable']);
    expect(codesOf(await Promise.all(crowd('{ tags { id } }', globex, 5)))).toEqual(Array(5).fill(undefined));
    expect(gateway.logged()).toMatch(/"caller":"user","mode":"read","scope":"one party","org":"acme"/);
    expect(bulkReply(await gateway.callback(MOBILES, updates(1), jobHeaders('update')))).toEqual({ status: 'Success' });
    const report = await gateway.callback(DRIVING_REPORT, reportWith(1), jobHeaders('report'));
    expect(report).toMatchObject({ body: { errorList: null } });
    expect((await logIn('demo', '192.0.2.1')).errors).toBeUndefined();
  });

  it('logins that fail from one address are refused there, and everybody else can log in', async () => {
    const fault: BackendFault = { kind: 'status', status: 500 };
    const off = gateway.sandbox.faults.set({ operation: 'login', loginId: 'poison', fault });
    // Enough to open the circuit, and not so many that the account is over its limit.
    for (let count = 0; count < 22; count += 1) await logIn('poison', '192.0.2.66');
    off();
    expect((await logIn('poison', '192.0.2.66')).errors?.[0]?.extensions.code).toBe('ServiceUnavailable');
    expect((await logIn('demo', '192.0.2.1')).errors).toBeUndefined();
    expect(gateway.logged()).not.toContain('"scope":"everybody"');
  });

  it.each([
    { mode: 'write', operation: 'updateMobile', other: 'read' },
    { mode: 'read', operation: 'getDrivingRecord', other: 'write' },
  ])('a $mode of jobs that fails keeps up neither the $other nor what users do', async ({ mode, operation, other }) => {
    gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status: 500 } });
    const run = (what: string, count: number) =>
      what === 'write'
        ? gateway.callback(MOBILES, updates(count), jobHeaders(randomUUID()))
        : gateway.callback(DRIVING_REPORT, reportWith(count), jobHeaders(randomUUID()));
    const { errors, errorList } = (await run(mode, MANY)).body as Record<string, unknown[] | undefined>; // of either
    expect(errors ?? errorList).toHaveLength(MANY);
    expect(gateway.logged()).toMatch(opened('job', mode));
    expect((await run(other, 2)).body).toMatchObject(other === 'write' ? { status: 'Success' } : { errorList: null });
    expect(gateway.logged()).not.toMatch(opened('job', other));
    await expectUsersGoOn();
    expect(gateway.logged()).not.toContain('"caller":"user"');
  });

  it('a backend that fails for everybody is spared, and the others are asked as always', async () => {
    gateway.sandbox.faults.set({ backend: 'geo-api', fault: { kind: 'status', status: 500 } });
    const query = '{ mobiles(first: 1) { edges { node { position { address } } } } }';
    for (let count = 0; count < 20; count += 1) await ask(query, count % 2 === 0 ? acme : globex);
    const asked = requests('reverseGeocode');
    expect(codesOf([await ask(query), await ask(query, globex)])).toEqual(Array(2).fill('ServiceUnavailable'));
    expect(requests('reverseGeocode')).toBe(asked);
    const voices = await ask('{ mobiles(first: 1) { edges { node { voice { online } } } } }');
    expect(voices.errors).toBeUndefined();
  });
});

describe('On a gateway where none of this is an outage,', () => {
  beforeAll(() => start(60));
  beforeEach(() => {
    gateway.sandbox.faults.clear();
    gateway.sandbox.journal.clear();
  });
  afterEach(() => expect(gateway.logged()).not.toContain('circuit.opened'));
  afterAll(() => gateway.close());

  const answer = (operation: string, body: object): unknown =>
    gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status: 200, body } });

  it('health check, key fetch and another organisation are answered while the calls of one hang', async () => {
    const held = gateway.sandbox.faults.hold({ operation: 'listTags', match: ofAcme });
    const hanging = crowd('{ tags { id } }');
    await held.held(64);
    let isOver = false;
    void Promise.race(hanging).then(() => (isOver = true));
    expect((await ask('{ me { Org } }')).data).toEqual({ me: { Org: 'acme' } });
    const others = await ask('{ tags { id } mobiles(first: 1) { edges { node { id } } } }', globex);
    expect(others.errors).toBeUndefined();
    expect((await gateway.rest('GET', '/health/ready')).body).toMatchObject({ Status: 'OK' });
    expect(isOver).toBe(false);
    held.release();
    await Promise.all(hanging);
  });

  it('a request so large that the backend hangs up on it, or refuses its headers, is neither', async () => {
    const query = 'query($tagIds: [ID!]) { mobiles(tagIds: $tagIds) { edges { node { id } } } }';
    const tagIds = Array.from({ length: 1_000 }, (_, index) => 2_147_000_000 + index);
    gateway.sandbox.faults.set({ operation: 'listMobiles', fault: { kind: 'down' }, times: MANY });
    const failed = await Promise.all(Array.from({ length: MANY }, () => gateway.graphql(query, { tagIds }, acme)));
    expect(codesOf(failed)).toEqual(Array(MANY).fill('ServiceUnavailable'));
    expect(requests('listMobiles')).toBe(MANY);
    // Node's own 431 has no body, so that it need not be backend-api's.
    const padded = await gateway.bearer({ claims: { padding: 'x'.repeat(7_000) } });
    const long = `{ mobiles(search: "${'😀'.repeat(256)}", after: "${'x'.repeat(8_000)}") { edges { node { id } } } }`;
    expect(new Set(codesOf(await Promise.all(crowd(long, padded, MANY))))).toEqual(new Set(['ServiceUnavailable']));
    expect((await ask('{ mobiles(first: 1) { edges { node { id } } } }')).errors).toBeUndefined();
  });

  it.each([
    ['geo-api', 'position { address }', ['position', 'address'], ERRORS.AddressesUnavailable],
    ['voip-api', 'voice { online }', ['voice'], ERRORS.VoiceUnavailable],
  ] as const)(
    'no answer of %s is a ServiceUnavailable for each of its fields, up to a number and one for each root field',
    async (backend, field, path, row) => {
      const own = [0, 1, 2].map((at) => ['ServiceUnavailable', row.text, ['mobiles', 'edges', at, 'node', ...path]]);
      for (const fault of NO_ANSWERS) {
        const off = gateway.sandbox.faults.set({ backend, fault });
        const reply = await ask(`{ mobiles(first: 3) { edges { node { id ${field} } } } }`);
        expect(shown(reply)).toEqual(own);
        expect(reply.data?.['mobiles']).toMatchObject({ edges: [1, 2, 3].map((id) => ({ node: { id: String(id) } })) });
        expect(reply.text).not.toContain(WORDS);
        off();
      }
      gateway.sandbox.faults.set({ backend, fault: { kind: 'status', status: 400 } });
      const logged = gateway.logged().length;
      const nodes = `{ edges { node { ${field} } } }`;
      const { errors = [] } = await ask(`{ many: mobiles(first: 30) ${nodes} few: mobiles(first: 3) ${nodes} }`);
      const lines = gateway.logged().slice(logged).split('operation.refused').length - 1;
      const ofFew = errors.filter((error) => error.path?.[0] === 'few').length;
      const counting = errors.filter(({ extensions }) => extensions.reason === 'ValuesUnavailable');
      // Either page may come first: the other one has no more than its own, and a vehicle may have no position.
      expect(errors).toHaveLength(ofFew === 3 ? 21 : 22);
      expect(counting.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^This page lacks (2[1-9]|3[0-3]) values at the moment\. Try again later\.$/),
      ]);
      expect(errors.filter(({ message }) => message === row.text)).toHaveLength(errors.length - 1);
      expect(lines).toBe(1);
    },
  );

  it('a refusal of geo-api leaves a report without addresses, and nothing else', async () => {
    gateway.sandbox.faults.set({ backend: 'geo-api', fault: { kind: 'status', status: 401 } });
    const [cover, ...pages] = await pagesOf(reportWith(2), 'without-addresses', null);
    expect(cover).toContain('× Addresses of 2 drivers could not be looked up');
    // A driver's blocks for handwriting may have a further page.
    const first = pages.filter((page) => !page.includes('of this driver'));
    expect(first).toEqual(Array(2).fill(expect.stringContaining('× Addresses could not be looked up.')));
    expect(gateway.logged()).toContain('report.addresses_missing');
    const query =
      '{ status: fetchDrivingReportsStatus(jobId: "without-addresses") { status warnings { code message } } }';
    const message = 'The addresses of 2 drivers could not be looked up. Order the report again to have them.';
    const warnings = [{ code: 'AddressesMissing', message }];
    expect((await ask(query)).data).toEqual({ status: { status: 'Success', warnings } });
  });

  it('a trip that breaks the contract is marked on its page, a record costs its driver, and each is logged with its field', async () => {
    const fix = { time: '2026-11-19T09:00:00+09:00', lat: 35.6, lng: 139.7 };
    const figures = { distanceMeters: 1_000, stopCount: 0, maxSpeedKmh: 50, idleSeconds: 0 };
    const track = [{ ...fix, speedKmh: 'fast' }, null];
    const trip = { start: fix, end: { ...fix, time: '2026-11-19T09:10:00+09:00' }, ...figures, track: [] };
    const odd = [{ ...trip, start: { ...fix, time: '9 o’clock' } }, { ...trip, distanceMeters: null, track }, null];
    const atTen = (minutes: string): object => ({ ...fix, time: `2026-11-19T10:${minutes}:00+09:00` });
    const later = { start: atTen('00'), end: atTen('10') };
    const trips = [trip, { ...trip, ...later, distanceMeters: null }, odd[1], odd[0], null];
    for (const [mobileId, body] of [
      ['1', { mobileId: '1', trips }],
      ['2', { mobileId: '2', trips: 7 }],
    ] as const) {
      const fault: BackendFault = { kind: 'status', status: 200, body };
      gateway.sandbox.faults.set({ operation: 'getDrivingRecord', mobileId, fault });
    }
    const message = 'the answer for it could not be read';
    const errorList = [{ mobileId: '2', code: 'ServiceUnavailable', message }];
    const [cover, first] = await pagesOf(reportWith(3), 'unreadable', errorList);
    expect(cover).toContain('the answer of the service could not be read');
    expect(first).toContain('× 3 trips excluded');
    expect(first?.split('× Excluded: a time is missing or cannot be true')).toHaveLength(3);
    expect(first).toContain('× Excluded: the same times as trip 1.');
    expect(first).toMatch(/\nTotal\n≥ ?1\.0\n0:20\n/);
    const broken = entriesOf(gateway.logged(), 'backend.contract_broken');
    const ofBackend = { level: 'error', backend: 'backend-api', jobId: 'unreadable' };
    expect(broken.filter(({ call }) => call === 'getDrivingRecord')).toMatchObject([
      { ...ofBackend, path: '/trips/1/distanceMeters', rule: 'must be number' },
      { ...ofBackend, path: '/trips/3/start/time', rule: 'must match format "date-time"' },
      { ...ofBackend, path: '/trips/4', rule: 'must be object' },
      { ...ofBackend, path: '/trips', rule: 'must be array' },
    ]);
  });

  it('a 401 to what shows no token is ServiceUnavailable, and to the list of tags one error for all mobiles', async () => {
    for (const operation of ['sendOtp', 'sendTestOtp']) {
      gateway.sandbox.faults.set({ operation, fault: { kind: 'status', status: 401, message: WORDS } });
      const reply = await gateway.graphql(`mutation { ${operation}(loginId: "demo") { sentTo } }`);
      expect(shown(reply)).toEqual([['ServiceUnavailable', UNAVAILABLE, [operation]]]);
    }
    gateway.sandbox.faults.set({ operation: 'listTags', fault: { kind: 'status', status: 401 } });
    const path = ['mobiles', 'edges', expect.any(Number), 'node', 'tags'];
    expect(shown(await ask('{ mobiles { edges { node { id tags { name } } } } }'))).toEqual(
      Array(21).fill(['UnAuthenticated', 'token is invalid', path]),
    );
  });

  const position = { lat: 35.6, lng: 139.7, speedKmh: 0, heading: 0, recordedAt: '2026-11-19T12:00:00Z' };
  const mobile = (id: number): object => ({ id, num: `M-${id}`, name: 'Truck', tagIds: [1], position });
  const account = (id: number): object => ({ id, loginId: `u-${id}`, name: 'User', isAdmin: false });
  const MOBILE = 'id num tags { id } position { recordedAt } voice { online }';
  const ACCOUNT = 'id name functionRestriction';

  it.each<[field: string, what: string, odd: object]>([
    ['mobiles', 'an id that is not exact', { id: 2 ** 53 }],
    ['mobiles', 'a time that does not exist', { position: { ...position, recordedAt: '2026-11-31T12:00:00Z' } }],
    ['mobiles', 'a time that cannot be shown', { position: { ...position, recordedAt: '2016-12-31T23:59:60Z' } }],
    ['mobiles', 'no number', { num: undefined }],
    ['userAccounts', 'an id that is not exact', { id: -(2 ** 53) }],
    ['userAccounts', 'a restriction beyond Int', { functionRestriction: 2 ** 40 }],
    ['userAccounts', 'no name', { name: undefined }],
  ])('an odd record of the %s, with %s, costs its own node', async (field, _what, odd) => {
    const [operation, entry, node] =
      field === 'mobiles' ? ['listMobiles', mobile, MOBILE] : ['listUserAccounts', account, ACCOUNT];
    answer(operation, { items: [1, 2, 3].map((id) => (id === 2 ? { ...entry(id), ...odd } : entry(id))) });
    const reply = await ask(`{ ${field} { edges { node { ${node} } } } }`);
    expect(shown(reply)).toEqual([['ServiceUnavailable', UNAVAILABLE, [field, 'edges', 1, 'node']]]);
    const nodes = [{ node: { id: '1' } }, { node: null }, { node: { id: '3' } }];
    expect(reply.data?.[field]).toMatchObject({ edges: nodes });
  });

  it('an odd tag is left out wherever tags are shown, and logged; an odd presence costs that voice', async () => {
    answer('listTags', { items: [1, 2, 3].map((id) => ({ id: id === 2 ? 2 ** 53 : id, name: 'Tag' })) });
    const items = [1, 2, 3].map((mobileId) => ({ mobileId, online: mobileId === 2 ? 'yes' : true, talkGroup: null }));
    answer('getPresence', { items });
    const reply = await ask('{ tags { id } mobiles(first: 3) { edges { node { tags { id } voice { online } } } } }');
    expect(reply.errors).toBeUndefined();
    expect(reply.data?.['tags']).toEqual([{ id: '1' }, { id: '3' }]);
    expect(gateway.logged()).toMatch(/"call":"listTags","path":"\/items\/1\/id","rule":"must be <= 9007199254740991/);
    const voices = [true, undefined, true].map((online) => ({ node: { voice: online ? { online } : null } }));
    expect(reply.data?.['mobiles']).toMatchObject({ edges: voices });
  });

  it('an impossible coordinate, and an odd address, cost one address each', async () => {
    const at = (id: number, place: object): object => ({ ...mobile(id), position: { ...position, ...place } });
    const query = '{ mobiles { edges { node { position { latitude address } } } } }';
    const impossible = [{ lat: 91 }, { lng: -180.5 }, { lat: 1e300, lng: 1e300 }];
    answer('listMobiles', { items: [mobile(1), ...impossible.map((place, index) => at(index + 2, place))] });
    const first = await ask(query);
    expect(first.errors).toBeUndefined();
    const kinds = [expect.any(String), null, null, null];
    expect(first.data?.['mobiles']).toMatchObject({
      edges: kinds.map((address) => ({ node: { position: { address } } })),
    });

    answer('listMobiles', { items: [1, 2, 3].map((id) => at(id, { lat: id })) });
    answer('reverseGeocode', { addresses: ['one', 2, null] });
    const second = await ask(query);
    expect(second.errors).toBeUndefined();
    const addresses = ['one', null, null].map((address) => ({ node: { position: { address } } }));
    expect(second.data?.['mobiles']).toMatchObject({ edges: addresses });
  });
});
