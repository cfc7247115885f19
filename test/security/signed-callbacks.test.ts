/** Once there is a signing secret, the API key alone calls no callback, and nothing that was sent can be sent again. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { startTestGateway, type Reply } from '../support/gateway.js';
import { MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';
import { rawRequest, sendRaw } from '../support/raw-http.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const secretOf = (length = 32): string => `whsec_${randomBytes(length).toString('base64')}`;
const SECRET = secretOf();
const NEXT = secretOf(64);
const FOREIGN = secretOf();
const API_KEY = 'development-callback-key';

const body = (name: string): string => JSON.stringify([{ id: 5, name }]);
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

type Headers = Record<string, string>;

function without(headers: Headers, name: string): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
}

/** Changes what is behind `v1,`. */
const respelled = (headers: Headers, change: (signature: string) => string): Headers => ({
  ...headers,
  'webhook-signature': change(headers['webhook-signature'] ?? ''),
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The same bytes with another bit that is left over. */
function withLeftOverBit(signature: string): string {
  const last = signature.at(-2) ?? '';
  return `${signature.slice(0, -2)}${ALPHABET[ALPHABET.indexOf(last) ^ 1] ?? ''}=`;
}

/** Faulty signatures by their fault, each made of a good one. */
const FORGERIES: readonly (readonly [string, (jobId: string, text: string) => Headers])[] = [
  ['not signed at all', (jobId) => ({ 'x-org-id': 'acme', 'x-job-id': jobId })],
  ['with another API key', (jobId, text) => ({ ...good(jobId, text), 'x-api-key': 'another-callback-key' })],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => [`without ${name}`, (jobId: string, text: string) => without(good(jobId, text), name)] as const,
  ),
  ['signed with another secret', (jobId, text) => signedHeaders(FOREIGN, text, { org: 'acme', jobId })],
  ['signed with the API key', (jobId, text) => signedHeaders(`whsec_${API_KEY}`, text, { org: 'acme', jobId })],
  ['signed over another body', (jobId) => good(jobId, body('another'))],
  ['signed over the same JSON spelled otherwise', (jobId, text) => good(jobId, text.replace(',', ', '))],
  ['with another id than was signed', (jobId, text) => ({ ...good(jobId, text), 'webhook-id': idOf('acme', jobId) })],
  [
    'with another time than was signed',
    (jobId, text) => ({ ...good(jobId, text), 'webhook-timestamp': String(inSeconds(2)) }),
  ],
  ['six minutes old', (jobId, text) => good(jobId, text, { timestamp: inSeconds(-360) })],
  ['six minutes ahead', (jobId, text) => good(jobId, text, { timestamp: inSeconds(360) })],
  ...['0', '-1', '1e10', ' ', `0${inSeconds(0)}`, `${inSeconds(0)}.0`, `${inSeconds(0)}000`, '0x6a000000', 'now'].map(
    (timestamp) =>
      [`of the time ${timestamp}`, (jobId: string, text: string) => good(jobId, text, { timestamp })] as const,
  ),
  ['for another organisation', (jobId, text) => ({ ...good(jobId, text), 'x-org-id': 'globex' })],
  ['for no organisation', (jobId, text) => without(good(jobId, text), 'x-org-id')],
  ['for another job', (jobId, text) => ({ ...good(jobId, text), 'x-job-id': 'another' })],
  ['for no job', (jobId, text) => without(good(jobId, text), 'x-job-id')],
  ['for an organisation in another spelling', (jobId, text) => good(jobId, text, { id: idOf('ac%6De', jobId) })],
  ['with an id without a UUID', (jobId, text) => good(jobId, text, { id: `acme.${jobId}.once` })],
  ['with a UUID in capitals', (jobId, text) => good(jobId, text, { id: idOf('acme', jobId).toUpperCase() })],
  ['with more behind the UUID', (jobId, text) => good(jobId, text, { id: `${idOf('acme', jobId)}.more` })],
  ['with the job in the organisation', (jobId, text) => good(jobId, text, { id: idOf('', `acme.${jobId}`) })],
  ['with a left-over bit', (jobId, text) => respelled(good(jobId, text), withLeftOverBit)],
  ['without padding', (jobId, text) => respelled(good(jobId, text), (given) => given.slice(0, -1))],
  ['with too much padding', (jobId, text) => respelled(good(jobId, text), (given) => `${given}=`)],
  ['in base64url', (jobId, text) => respelled(good(jobId, text), asBase64Url)],
  ['in hexadecimal', (jobId, text) => respelled(good(jobId, text), asHex)],
  ['with a signature cut short', (jobId, text) => respelled(good(jobId, text), (given) => given.slice(0, -4))],
  ['with an empty signature', (jobId, text) => respelled(good(jobId, text), () => 'v1,')],
  ['without a version', (jobId, text) => respelled(good(jobId, text), (given) => given.slice(3))],
  ['of another version', (jobId, text) => respelled(good(jobId, text), (given) => given.replace('v1,', 'v2,'))],
  ['of a version in capitals', (jobId, text) => respelled(good(jobId, text), (given) => given.replace('v1', 'V1'))],
  ['with signatures separated by commas', (jobId, text) => respelled(good(jobId, text), (one) => `${one},${one}`)],
  ['with two spaces', (jobId, text) => respelled(good(jobId, text), (one) => `${one}  ${one}`)],
];

function idOf(org: string, jobId: string): string {
  return `${org}.${jobId}.${randomUUID()}`;
}

function good(jobId: string, text: string, changes: SignerOptions = {}): Headers {
  return signedHeaders(SECRET, text, { org: 'acme', jobId, ...changes });
}

/** Some other spelling, whatever the bytes are. */
function asBase64Url(given: string): string {
  return given.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}

function asHex(given: string): string {
  return `v1,${Buffer.from(given.slice(3), 'base64').toString('hex')}`;
}

describe('a callback of a gateway with a signing secret', () => {
  const gateway = forAllTests(() => startTestGateway({ CALLBACK_SIGNING_SECRET: SECRET }));

  const updates = (name: string): number =>
    gateway.sandbox.journal.effects('mobileUpdated').filter(({ patch }) => patch.name === name).length;

  it.each(FORGERIES)('is refused and runs nothing when it comes %s', async (_how, forge) => {
    const jobId = randomUUID();
    const text = body(jobId);
    const refused = await gateway.callback(MOBILES, text, forge(jobId, text));
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 401, body: { message: 'Unauthorized' } });
    expect(updates(jobId)).toBe(0);
    // The refused ones have used no id up.
    expect((await gateway.callback(MOBILES, text, good(jobId, text))).status).toBe(200);
    expect(updates(jobId)).toBe(1);
  });

  it('is refused when a header comes twice, even when both say the same', async () => {
    const text = body('twice');
    const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json', 'content-length': text.length };
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const signed = good('twice', text);
      const request = rawRequest(`POST ${MOBILES} HTTP/1.1`, { ...headers, ...signed }, text);
      const doubled = request.replace(`${name}: `, `${name}: ${signed[name] ?? ''}\r\n${name}: `);
      expect((await sendRaw(gateway.url, doubled))?.status).toBe(401);
    }
    expect(updates('twice')).toBe(0);
  });

  it('is judged by key, headers and time before its body has come', async () => {
    const early = [
      { ...good('early', '[]'), 'x-api-key': 'another-callback-key' },
      { 'x-job-id': 'early', 'x-api-key': API_KEY },
      { ...good('early', '[]', { timestamp: inSeconds(-400) }), 'x-api-key': API_KEY },
      { ...good('early', '[]'), 'x-job-id': 'another', 'x-api-key': API_KEY },
    ];
    for (const headers of early) {
      const unfinished = { 'content-type': 'application/json', 'content-length': 1_000_000, ...headers };
      const reply = await sendRaw(gateway.url, rawRequest(`POST ${MOBILES} HTTP/1.1`, unfinished));
      expect(reply?.status).toBe(401);
    }
  });

  it('says nothing about its body to a caller that cannot sign', async () => {
    for (const text of ['{', '[{"id":"x"}]', '[]']) {
      const { status } = await gateway.callback(MOBILES, text, signedHeaders(FOREIGN, text, { jobId: 'curious' }));
      expect(status).toBe(401);
    }
  });

  it('is refused when it comes again, whatever became of it, to whichever path', async () => {
    const jobId = randomUUID();
    const text = body(jobId);
    const headers = good(jobId, text);
    expect((await gateway.callback(MOBILES, text, headers)).status).toBe(200);
    expect((await gateway.callback(MOBILES, text, headers)).status).toBe(401);
    expect((await gateway.callback(USER_ACCOUNTS, text, headers)).status).toBe(401);
    // The next attempt has an id of its own, and gets the stored outcome.
    const next = await gateway.callback(MOBILES, text, good(jobId, text));
    expect([next.status, next.headers.get('x-job-replayed')]).toEqual([200, 'true']);

    const broken = '{';
    const once = good('broken', broken);
    expect((await gateway.callback(MOBILES, broken, once)).status).toBe(400);
    expect((await gateway.callback(MOBILES, broken, once)).status).toBe(401);
    expect(updates(jobId)).toBe(1);
  });

  it.each<[what: string, options: SignerOptions, seconds?: number]>([
    ['org and job', { org: 'acme', jobId: 'a.b:c' }],
    ['an org that is encoded', { org: 'a.b 株式会社%', jobId: 'x' }],
    ['no job id', { org: 'acme' }],
    ['no organisation', { jobId: 'alone' }],
    ['neither', {}],
    ['a time four minutes ago', { jobId: 'slow' }, -240],
    ['a time four minutes ahead', { jobId: 'fast' }, 240],
  ])('is handled with %s', async (what, options, seconds = 0) => {
    const text = body(what);
    const signed = signedHeaders(SECRET, text, { ...options, timestamp: inSeconds(seconds) });
    expect((await gateway.callback(MOBILES, text, signed)).status).toBe(200);
  });

  it('is handled when one of several signatures is right, of other versions too', async () => {
    const text = body('several');
    const headers = good('several', text);
    const [right = ''] = Object.values(respelled(headers, (given) => given)).slice(-1);
    const wrong = signedHeaders(FOREIGN, text)['webhook-signature'] ?? '';
    const several = { ...headers, 'webhook-signature': `v1a,c2lnbmF0dXJl ${wrong} ${right}` };
    expect((await gateway.callback(MOBILES, text, several)).status).toBe(200);
  });

  it('is sent signed by the gateway itself', async () => {
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 6, name: 'from the front end' }]);
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
  });

  it('says in the log why it is refused, and never its signature', async () => {
    const text = body('logged');
    const forged = good('logged', text, { timestamp: inSeconds(-600) });
    await gateway.callback(MOBILES, text, forged);
    expect(gateway.logged()).toMatch(/compare the clocks.*callback\.refused/);
    expect(gateway.logged()).not.toContain(forged['webhook-signature']);
    expect(gateway.logged()).not.toContain(SECRET.slice(6));
  });
});

describe('while the secret is rotated', () => {
  const rolls: readonly (readonly [gateway: string, sender: string])[] = [
    [SECRET, `${NEXT},${SECRET}`],
    [`${NEXT}, ${SECRET}`, SECRET],
    [`${NEXT},${SECRET}`, NEXT],
    [NEXT, `${NEXT},${SECRET}`],
  ];

  it.each(rolls)('a gateway and a sender that have one in common understand each other', async (known, used) => {
    const gateway = closeAfterTest(await startTestGateway({ CALLBACK_SIGNING_SECRET: known }));
    const text = body('rotation');
    const signatures = used.split(',').map((secret) => signedHeaders(secret, text, { id: `.j.${ID}`, jobId: 'j' }));
    const signature = signatures.map((headers) => headers['webhook-signature']).join(' ');
    const headers = { ...signatures[0], 'webhook-signature': signature };
    expect((await gateway.callback(MOBILES, text, headers)).status).toBe(200);
    const foreign = signedHeaders(FOREIGN, text, { jobId: 'j' });
    expect((await gateway.callback(MOBILES, text, foreign)).status).toBe(401);
  });

  const ID = randomUUID();
});

describe('without a secret', () => {
  it('callbacks are as they were, whatever the webhook headers say', async () => {
    const gateway = closeAfterTest(await startTestGateway());
    const text = body('unsigned');
    expect((await gateway.callback(MOBILES, text)).status).toBe(200);
    const ignored = signedHeaders(FOREIGN, text, { jobId: 'x', timestamp: 1 });
    expect((await gateway.callback(MOBILES, text, ignored)).status).toBe(200);
    expect((await gateway.callback(MOBILES, text, ignored)).status).toBe(200);
  });
});

describe('an id that came before', () => {
  it('is still refused after a restart with embedded jobs', async () => {
    const { path: dataDir } = closeAfterTest(await temporaryDirectory());
    const text = body('restart');
    const headers = good('restart', text);
    const statuses: number[] = [];
    for (let run = 0; run < 2; run += 1) {
      const gateway = await startTestGateway({ CALLBACK_SIGNING_SECRET: SECRET }, { dataDir });
      statuses.push((await gateway.callback(MOBILES, text, headers)).status);
      await gateway.close();
    }
    expect(statuses).toEqual([200, 401]);
  });
});

describeWith(['redis-server'], 'between replicas on one Redis', () => {
  const redis = forAllTests(() => startRedis());
  const sandbox = forAllTests(startBackends);
  const replicas = [0, 1].map(() =>
    forAllTests(() =>
      startTestGateway({ REDIS_URL: redis.url, CALLBACK_SIGNING_SECRET: SECRET }, { production: true, sandbox }),
    ),
  );

  const call = (replica: number, text: string, headers: Headers): Promise<Reply> | undefined =>
    replicas[replica]?.callback(MOBILES, text, headers);

  it('what one of them has seen, the other refuses', async () => {
    const jobId = randomUUID();
    const text = body(jobId);
    const headers = good(jobId, text);
    expect((await call(0, text, headers))?.status).toBe(200);
    expect((await call(1, text, headers))?.status).toBe(401);
    expect((await call(1, text, good(jobId, text)))?.status).toBe(200);
  });

  it('of the same request to both at the same moment one is handled', async () => {
    for (let round = 0; round < 10; round += 1) {
      const jobId = randomUUID();
      const text = body(jobId);
      const headers = good(jobId, text);
      const replies = await Promise.all([call(0, text, headers), call(1, text, headers)]);
      expect(replies.map((reply) => reply?.status).sort()).toEqual([200, 401]);
    }
  });

  it('strangers fill no memory, and what is remembered ends by itself', async () => {
    const client = closeAfterTest(redis.client(), (opened) => opened.disconnect());
    const before = (await client.keys('callbacks:*')).length;
    const text = body('stranger');
    for (const [, forge] of FORGERIES) await call(0, text, forge(randomUUID(), text));
    const keys = await client.keys('callbacks:*');
    expect(keys).toHaveLength(before);
    for (const key of keys) {
      expect(key.length).toBeLessThan(60);
      // An id can come again for twice 5 minutes.
      expect(await client.ttl(key)).toBeGreaterThan(600);
      expect(await client.ttl(key)).toBeLessThanOrEqual(900);
    }
  });

  it('nothing is run, and it may come again, while the store of ids is away', async () => {
    const jobId = randomUUID();
    const text = body(jobId);
    await redis.kill();
    const refused = await call(0, text, good(jobId, text));
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '5']);
    await redis.restart();
    const handled = (replica: number): Promise<Reply> =>
      waitFor('Redis', async () => {
        const next = await call(replica, text, good(jobId, text));
        return next?.status !== 503 && next;
      });
    expect((await handled(0)).headers.get('x-job-replayed')).toBeNull();
    expect((await handled(1)).headers.get('x-job-replayed')).toBe('true');
  });
});

/** A sender of signed callbacks (Standard Webhooks 1.0.0), written independently of the one of the gateway. */
interface SignerOptions {
  readonly org?: string;
  readonly jobId?: string;
  /** Seconds since 1970; now by default. */
  readonly timestamp?: number | string;
  /** The whole id; one of the job by default. */
  readonly id?: string;
}

/** Headers of a signed callback. @param secret `whsec_` and base64 */
function signedHeaders(
  secret: string,
  body: string,
  { org = '', jobId = '', timestamp = Math.floor(Date.now() / 1000), id }: SignerOptions = {},
): Record<string, string> {
  const webhookId = id ?? `${encodeURIComponent(org).replaceAll('.', '%2E')}.${jobId}.${randomUUID()}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64');
  return {
    ...(org !== '' && { 'x-org-id': encodeURIComponent(org) }),
    ...(jobId !== '' && { 'x-job-id': jobId }),
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
