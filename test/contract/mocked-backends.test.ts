/**
 * Our clients against backends that an independent tool makes of the OpenAPI files alone: what we send is what the
 * files allow, and what they show as an answer is what we understand.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServiceCalls, UserCalls, VisitorCalls } from '../../src/clients/backend-api.js';
import { connectBackends, type Backends } from '../../src/clients/connect-backends.js';
import type { GeoApi } from '../../src/clients/geo-and-voip-api.js';
import type { PublicCalls } from '../../src/clients/backend-api/public-calls.js';
import type { VoipApi } from '../../src/clients/geo-and-voip-api.js';
import { isBulkKind } from '../../src/jobs/record/job-kinds.js';
import { createJobTable, type JobTableOptions } from '../../src/jobs/job-table.js';
import { CALLBACKS } from '../support/callbacks.js';
import { captureLog } from '../support/captured-log.js';
import { jobExecution } from '../unit/jobs/job-execution.js';
import { startPrismMock, type PrismMock } from '../support/prism.js';

/** Far more than a busy machine needs. */
const TIMEOUT_MS = 60_000;
const NAMES = ['backend-api', 'geo-api', 'voip-api'] as const;
const CALLER = { kind: 'user', org: 'acme' } as const;

/** One call of each, so that the compiler misses what is added later. */
type Each<Calls> = {
  readonly [Name in keyof Calls]: readonly [call: (calls: Calls) => Promise<unknown>, answer: unknown];
};

const MOBILE = expect.objectContaining({ id: 1, num: 'M-0001', position: expect.objectContaining({ heading: 90 }) });
const ACCOUNT = expect.objectContaining({ id: 301, loginId: 'tanaka' });
const SESSION = expect.objectContaining({ expiresIn: 3600 });
const SENT = { sentTo: 't*****@example.com', expiresIn: 300 };
const DAY = { from: '2026-11-20T00:00:00+09:00', to: '2026-11-21T00:00:00+09:00' };

const PUBLIC: Each<PublicCalls> = {
  getPublicKeys: [(calls) => calls.getPublicKeys(), [expect.objectContaining({ kid: '2026-11' })]],
  getHealth: [(calls) => calls.getHealth(TIMEOUT_MS), undefined],
  probeServiceKey: [(calls) => calls.probeServiceKey('service-key'), undefined],
};
const VISITOR: Each<VisitorCalls> = {
  login: [(calls) => calls.login({ loginId: 'tanaka', password: 'p' }), { otpRequired: false, session: SESSION }],
  refreshToken: [(calls) => calls.refreshToken('refresh'), SESSION],
  sendOtp: [(calls) => calls.sendOtp('tanaka'), SENT],
  sendTestOtp: [(calls) => calls.sendTestOtp('tanaka'), SENT],
  verifyOtp: [(calls) => calls.verifyOtp({ loginId: 'tanaka', code: '1', challenge: 'c' }), SESSION],
};
const USER: Each<UserCalls> = {
  listMobiles: [
    (calls) => calls.listMobiles({ search: '東京 1', tagIds: [1, 2], limit: 200, cursor: 'c' }),
    { items: [MOBILE, expect.objectContaining({ id: 2, position: null })], nextCursor: '2' },
  ],
  getMobile: [(calls) => calls.getMobile(1), MOBILE],
  lookupMobiles: [(calls) => calls.lookupMobiles(['1', '2']), ['1']],
  listTags: [(calls) => calls.listTags(), [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })]],
  listUserAccounts: [(calls) => calls.listUserAccounts({ limit: 50 }), { items: [ACCOUNT], nextCursor: '301' }],
};
/** The other calls of jobs are those of the examples of bulk jobs. */
const SERVICE: Partial<Each<ServiceCalls>> = {
  getMobile: [(calls) => calls.getMobile('1'), MOBILE],
  getDrivingRecord: [(calls) => calls.getDrivingRecord('1', DAY), expect.objectContaining({ mobileId: '1' })],
  updateUserAccount: [(calls) => calls.updateUserAccount({ loginId: 'tanaka/é', indivs: [1, 'a', {}] }), ACCOUNT],
  listUserAccounts: [(calls) => calls.listUserAccounts({ limit: 1 }), { items: [ACCOUNT], nextCursor: '301' }],
};
const POINTS = [35.6812, -90].map((lat) => ({ lat, lng: 139.7671 }));
const GEO: Each<Pick<GeoApi, 'reverseGeocode' | 'getHealth'>> = {
  reverseGeocode: [(calls) => calls.reverseGeocode(POINTS, CALLER), [expect.any(String), null]],
  getHealth: [(calls) => calls.getHealth(TIMEOUT_MS), undefined],
};
const VOIP: Each<Pick<VoipApi, 'getPresence' | 'getHealth'>> = {
  getPresence: [
    (calls) => calls.getPresence([1, 2], CALLER),
    [expect.objectContaining({ mobileId: 1, online: true }), expect.objectContaining({ mobileId: 2, talkGroup: null })],
  ],
  getHealth: [(calls) => calls.getHealth(TIMEOUT_MS), undefined],
};

describe('Against backends made of the OpenAPI files', () => {
  let starting: readonly Promise<PrismMock>[] = [];
  let urls: readonly string[] = [];
  let backends: Backends;
  const log = captureLog();

  beforeAll(async () => {
    starting = NAMES.map(startPrismMock);
    urls = (await Promise.all(starting)).map(({ url }) => url);
    const [backendApi = '', geoApi = '', voipApi = ''] = urls;
    backends = connectBackends({
      urls: { backendApi, geoApi, voipApi },
      keys: { backendApi: ['service-key'], geoApi: 'geo-key', voipApi: undefined },
      backendTimeoutMs: TIMEOUT_MS,
      logger: log.logger,
    });
  });
  afterAll(async () => {
    // One that did not start leaves the others running.
    for (const mock of await Promise.allSettled(starting)) if (mock.status === 'fulfilled') await mock.value.close();
    await backends.close();
  });

  /** A test of each call, which is accepted and whose answer is understood. */
  function each<Calls>(table: Partial<Each<Calls>>, calls: () => Calls): void {
    it.each(Object.entries<Each<Calls>[keyof Calls]>(table as Each<Calls>))('%s', async (_name, [call, answer]) => {
      expect(await call(calls())).toEqual(answer);
      expect(log.complaints()).toEqual([]);
    });
  }

  describe('a caller without a token calls', () => each(PUBLIC, () => backends.backendApi.public));
  describe('a visitor calls', () => {
    const { signal } = new AbortController();
    each(VISITOR, () => backends.backendApi.asVisitor({ address: '127.0.0.1', signal }));
  });
  describe('a user calls', () =>
    each(USER, () => backends.backendApi.asUser({ authorization: 'Bearer t', org: 'acme' })));
  describe('a job calls', () => each(SERVICE, () => backends.backendApi.asService({ org: '株式会社 100%' })));
  describe('a job without an organisation calls', () =>
    each(SERVICE, () => backends.backendApi.asService({ org: undefined })));
  it.each(CALLBACKS.filter(({ kind }) => isBulkKind(kind)))(
    'a job of the kind $kind calls what its example needs, and reports success',
    async ({ kind, example }) => {
      const options = { ...backends, bulkMaxItems: 10, queuePatienceMs: TIMEOUT_MS };
      const accepted = createJobTable(options as unknown as JobTableOptions)[kind].accept(example); // no report is drawn
      if (accepted.kind !== 'work') throw new Error(JSON.stringify(accepted));
      const { reply } = await accepted.work.run(jobExecution({ job: { kind, org: '株式会社 100%', jobId: 'job' } }));
      expect(reply).toMatchObject({ status: 'Success' });
      expect(log.complaints()).toEqual([]);
    },
  );
  describe('geo-api is called', () => each(GEO, () => backends.geoApi));
  describe('voip-api is called', () => each(VOIP, () => backends.voipApi));

  it.each([
    ['without credentials', '/v1/tags', {}, 401],
    ['without what is required', '/v1/login', { method: 'POST', body: '{"loginId":"tanaka"}' }, 422],
    ['with what is not of its type', '/v1/mobiles?limit=many', { headers: { authorization: 'Bearer t' } }, 422],
  ])('and a request %s is refused there', async (_what, path, init, status) => {
    const headers = { 'content-type': 'application/json', ...('headers' in init && init.headers) };
    expect((await fetch(`${urls[0] ?? ''}${path}`, { ...init, headers })).status).toBe(status);
  });
});
