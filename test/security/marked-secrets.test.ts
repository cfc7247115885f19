/** Every flow, with secrets that can be recognised, which then are nowhere: however they might be written. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { startCallbackProxy } from '../support/callback-proxy.js';
import { backendEnvironment, startTestGateway, type GraphQLReply, type TestGateway } from '../support/gateway.js';
import {
  createAccount,
  deleteAccount,
  DRIVING_REPORT,
  jobHeaders,
  MOBILES,
  reportOf,
  updateAccount,
  USER_ACCOUNTS,
} from '../support/job-requests.js';
import { runJobsCommand } from '../support/jobs-command.js';
import { startOtlpReceiver } from '../support/otlp-receiver.js';
import { readPlacedTexts } from '../support/pdf-text.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, forEachTest, temporaryDirectory } from '../support/resources.js';
import { finishedJob, requestStatus, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { startBackends } from '../support/successive-gateways.js';
import type { TestSandbox } from '../support/test-sandbox.js';
import { waitFor } from '../support/wait-for.js';

/** Values that may not be seen anywhere, each by its name. */
class MarkedSecrets {
  readonly #values = new Map<string, string>();

  /** A new one that nothing else contains; with characters that every encoding writes in another way. */
  password(what: string): string {
    return this.add(what, `Pä"ß\\w/o+rd ${randomBytes(9).toString('hex')}?&=%`);
  }

  /** A new one for headers and variables, of base64url alone. */
  key(what: string, bytes = 32): string {
    return this.add(what, randomBytes(bytes).toString('base64url'));
  }

  /** A secret that was made elsewhere. @returns it */
  add(what: string, value: string): string {
    if (value.length < 6) throw new Error(`${what} is too short to be distinguished from anything else.`);
    this.#values.set(`${what} (${this.#values.size})`, value);
    return value;
  }

  /** Which of them stand in some bytes, and how they are written there. */
  foundIn(haystack: string | Buffer): string[] {
    const bytes = Buffer.from(haystack);
    return [...this.#values].flatMap(([what, value]) =>
      Object.entries(spellingsOf(value))
        .filter(([, spellings]) => spellings.some((spelling) => stands(spelling, bytes)))
        .map(([how]) => `${what} ${how}`),
    );
  }
}

/** Whether a spelling is among bytes; a number alone is not part of a longer one, such as a time in nanoseconds. */
function stands(spelling: Buffer | string, bytes: Buffer): boolean {
  if (!/^\d{1,8}$/.test(spelling.toString())) return bytes.includes(spelling);
  return new RegExp(`(?<![0-9a-f])${spelling.toString()}(?![0-9a-f])`, 'i').test(bytes.toString('latin1'));
}

/** The ways in which a text may stand in other data, as bytes. */
function spellingsOf(text: string): Readonly<Record<string, readonly (Buffer | string)[]>> {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const encoded = encodeURIComponent(text);
  const hex = bytes.toString('hex');
  return {
    'in clear': [text, Buffer.from(text, 'utf16le')],
    'in JSON': [
      json,
      JSON.stringify(json).slice(1, -1),
      json.replaceAll(/[^\0-\x7f]/g, escaped),
      json.replaceAll('/', '\\/'),
    ],
    'in a URL': [encoded, encoded.replaceAll('%20', '+'), encodeURI(text), encodeURIComponent(encoded)],
    'in base64': alignmentsOf(bytes, 'base64'),
    'in base64url': alignmentsOf(bytes, 'base64url'),
    'in hex': [hex, hex.toUpperCase()],
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The encoded characters that stay the same, whatever bytes come before and after. */
function alignmentsOf(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((before) => {
    const letters = Buffer.concat([Buffer.alloc(before), bytes])
      .toString(encoding)
      .replace(/=+$/, '');
    return letters.slice(Math.ceil((before * 4) / 3), -2);
  });
}

/** Everything in the files below a directory, as Latin-1. */
async function filesBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

const programs = forAllTests(() => BuiltPrograms.open());

/** Opens where jobs are kept: the URL of a Redis, or nothing. */
type OpenEngine = (secrets: MarkedSecrets) => Promise<RedisServer | undefined>;

describe('a secret', () => {
  const secrets = new MarkedSecrets();
  const password = secrets.password('password');
  const key = secrets.key('key');
  it.each<[string, string, (text: string) => string | Buffer]>([
    ['in clear', password, (text) => text],
    ['in UTF-16', password, (text) => Buffer.from(text, 'utf16le')],
    ['in JSON', password, (text) => JSON.stringify({ text })],
    ['in JSON within JSON', password, (text) => JSON.stringify(JSON.stringify({ text }))],
    ['in a URL', password, encodeURIComponent],
    ['in a form', password, (text) => new URLSearchParams({ text }).toString()],
    ['in base64', password, (text) => Buffer.from(`{"a":"${text}"}`).toString('base64')],
    ['in base64, one further', password, (text) => Buffer.from(`{"ab":"${text}"}`).toString('base64')],
    ['in base64, two further', password, (text) => Buffer.from(`{"abc":"${text}"}`).toString('base64')],
    ['in base64url', key, (text) => Buffer.from(`x ${text} y`).toString('base64url')],
    ['in hex', key, (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ])('%s is found', (_how, value, written) => {
    expect(
      secrets.foundIn(Buffer.concat([Buffer.from('before '), Buffer.from(written(value)), Buffer.from(' after')])),
    ).not.toEqual([]);
    expect(secrets.foundIn(Buffer.from(written(value.slice(0, -4))))).toEqual([]);
  });

  it('that are short numbers are found where they stand, and not within a time or an id', () => {
    const numbers = new MarkedSecrets();
    numbers.add('code', '123456');
    expect(numbers.foundIn('{"code":"123456"}')).not.toEqual([]);
    expect(numbers.foundIn('"startTimeUnixNano":"1795734123456000000","spanId":"a123456bcdef"')).toEqual([]);
  });
});

it('Secrets of a faulty configuration are not shown by the check that names every fault', async () => {
  const secrets = new MarkedSecrets();
  const faulty = {
    JOB_ENCRYPTION_KEY: secrets.key('short key', 20),
    TASK_CALLBACK_API_KEY: secrets.key('trivial key', 9),
    TASK_CALLBACK_API_KEY_PREVIOUS: secrets.key('trivial previous key', 9),
    CALLBACK_SIGNING_SECRET: secrets.key('signing secret of no form'),
    BACKEND_API_KEY: `${secrets.key('key of backend-api')} with spaces`,
    GEO_API_KEY: `${secrets.key('key of geo-api')}ß`,
    VOIP_API_KEY: `${secrets.key('key of voip-api')}ß`,
    GEO_API_URL: `redis://${secrets.key('what is no URL of geo-api')}`,
    VOIP_API_URL: secrets.key('what is no URL at all'),
    REDIS_URL: `http://:${secrets.key('password in a wrong URL')}@x`,
    BACKEND_API_URL: `http://user:${secrets.key('password of a backend')}@127.0.0.1`,
    S3_ENDPOINT: `ftp://user:${secrets.key('password of a bucket')}@127.0.0.1`,
    S3_BUCKET: 'b',
    CORS_ORIGINS: `https://user:${secrets.key('password of an origin')}@front.example`,
    GATEWAY_URL: `https://user:${secrets.key('password of the gateway')}@gateway.example`,
    PORT: secrets.key('what is no port'),
  };
  const faultyToo = {
    JOB_ENCRYPTION_KEY: `${secrets.key('key in a list')},${secrets.key('key with more')}=`,
    REDIS_URL: `redis://user:${secrets.key('password of another Redis')}@127.0.0.1:1/99x`,
  };
  const outputs: string[] = [];
  for (const env of [faulty, faultyToo]) {
    for (const program of ['dist/main.js', 'dist/queue-function.js']) {
      const { stdout, stderr } = await programs.run([program, '--check-config'], { NODE_ENV: 'production', ...env });
      outputs.push(stdout, stderr);
    }
  }
  expect(outputs.join()).toContain('JOB_ENCRYPTION_KEY');
  expect(secrets.foundIn(outputs.join('\n'))).toEqual([]);
});

describe('secrets, with jobs embedded', () => everyFlow(() => Promise.resolve(undefined)));
describeWith(['redis-server'], 'secrets, with jobs in Redis', () =>
  everyFlow((secrets) => startRedis({ password: secrets.key('password of Redis') })),
);

function everyFlow(openEngine: OpenEngine): void {
  let secrets: MarkedSecrets;
  let redis: RedisServer | undefined;
  let sandbox: TestSandbox;
  let environment: Record<string, string>;
  let gateway: TestGateway;
  const directory = forEachTest(temporaryDirectory);
  const receiver = forEachTest(startOtlpReceiver);
  const proxy = forEachTest(startCallbackProxy);
  /** Bodies of everything that was refused or failed. */
  let refusals: string[];

  beforeEach(async () => {
    secrets = new MarkedSecrets();
    refusals = [];
    redis = await openEngine(secrets);
    const [backendApiKey, geoApiKey, voipApiKey] = (['backend', 'geo', 'voip'] as const).map((name) =>
      secrets.key(`key of ${name}-api`),
    ) as [string, string, string]; // as many
    sandbox = await startBackends({ backendApiKey, geoApiKey, voipApiKey });
    environment = {
      ...proxy.environment,
      ...backendEnvironment(sandbox),
      BACKEND_API_KEY: backendApiKey,
      GEO_API_KEY: geoApiKey,
      VOIP_API_KEY: voipApiKey,
      TASK_CALLBACK_API_KEY: secrets.key('key of the callbacks'),
      TASK_CALLBACK_API_KEY_PREVIOUS: secrets.key('earlier key of the callbacks'),
      JOB_ENCRYPTION_KEY: secrets.key('encryption key'),
      LOGIN_RATE_PER_MINUTE: '1000',
      OTP_SEND_RATE_PER_MINUTE: '1000',
      LOG_LEVEL: 'trace',
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      ...(redis && { REDIS_URL: redis.url }),
    };
    gateway = await startTestGateway(environment, { sandbox, dataDir: directory.path });
    for (const close of [() => redis?.stop(), () => sandbox.close(), () => gateway.close()]) closeAfterTest({ close });
  });

  async function ask(query: string, variables: object = {}, authorization?: string): Promise<GraphQLReply> {
    const reply = await gateway.graphql(query, variables, authorization);
    if (reply.errors !== undefined) refusals.push(reply.text);
    return reply;
  }

  const LOGIN = `mutation($loginId: String!, $password: String!) { userLogin(loginId: $loginId, password: $password) {
    otpRequired challenge session { accessToken refreshToken } } }`;
  const VERIFY = `mutation($code: String!, $challenge: String) {
    verifyOtp(loginId: "otp", code: $code, challenge: $challenge) { accessToken refreshToken } }`;
  const REFRESH = 'mutation($token: String!) { refreshUserToken(refreshToken: $token) { accessToken refreshToken } }';

  interface Session {
    readonly accessToken: string;
    readonly refreshToken: string;
  }

  function keepSession(session: unknown): Session {
    const { accessToken, refreshToken } = session as Session; // as every flow selects it
    secrets.add('access token', accessToken);
    secrets.add('signature of an access token', accessToken.split('.')[2] ?? '');
    secrets.add('refresh token', refreshToken);
    return { accessToken, refreshToken };
  }

  /** Logging in, right and wrong, with and without one-time passwords. @returns the header of an administrator */
  async function sessions(password: string): Promise<string> {
    await ask(LOGIN, { loginId: 'demo', password: secrets.password('wrong password') });
    await ask(LOGIN, { loginId: secrets.password('password as login id'), password: 'x' });
    const { data } = await ask(LOGIN, { loginId: 'marked-admin', password });
    const { accessToken, refreshToken } = keepSession((data?.['userLogin'] as { session: unknown }).session);
    const renewed = await ask(REFRESH, { token: refreshToken });
    keepSession(renewed.data?.['refreshUserToken']);
    await ask(REFRESH, { token: secrets.key('wrong refresh token') });

    const first = await ask(LOGIN, { loginId: 'otp', password: 'otp-password' });
    const { challenge } = first.data?.['userLogin'] as { challenge: string };
    secrets.add('challenge', challenge);
    await ask('mutation { sendOtp(loginId: "otp") { sentTo } }');
    await ask(VERIFY, { code: secrets.password('wrong code'), challenge });
    await ask(VERIFY, { code: '123456', challenge: secrets.key('wrong challenge') });
    await ask('mutation { sendTestOtp(loginId: "otp") { sentTo } }');
    const code = secrets.add('one-time password', sandbox.otps.last('otp') ?? '');
    const verified = await ask(VERIFY, { code, challenge });
    keepSession(verified.data?.['verifyOtp']);
    return `Bearer ${accessToken}`;
  }

  async function tokens(bearer: string): Promise<void> {
    const me = '{ me { Org } }';
    await ask(me, {}, bearer);
    const wrong = secrets.key('token that is none', 90);
    for (const header of [wrong, `Bearer ${wrong}`, `Basic ${wrong}`, `Bearer ${wrong}.${wrong}.${wrong}`])
      await ask(me, {}, header);
    const expired = await gateway.bearer({ claims: { exp: 1 } });
    secrets.add('expired token', expired.slice('Bearer '.length));
    await ask(me, {}, expired);
    const query = encodeURIComponent(`mutation { userLogin(loginId: "x", password: "${wrong}") { otpRequired } }`);
    const headers = { authorization: `Bearer ${wrong}`, cookie: `session=${wrong}` };
    for (const target of [`/graphql?query=${query}`, `/health/live?token=${wrong}`, `/none?access_token=${wrong}`]) {
      refusals.push(await (await fetch(`${gateway.url}${target}`, { headers })).text());
    }
  }

  /** Account jobs, of which some items fail, and backend-api quotes what it was sent. */
  async function accountJobs(password: string): Promise<string[]> {
    const quoting = (status: number, message: string): void => {
      sandbox.faults.set({ operation: 'updateUserAccount', fault: { kind: 'status', status, message }, times: 1 });
    };
    const item = createAccount('marked-admin', { password, isAdmin: true });
    const ids: string[] = [];
    const run = async (items: readonly unknown[]): Promise<void> => {
      const { jobId } = await startJob(gateway, 'accounts', items);
      await finishedJob(gateway, 'accounts', jobId);
      ids.push(jobId);
      refusals.push((await requestStatus(gateway, 'accounts', jobId)).text);
    };
    await run([item, item, updateAccount('marked-admin', { password }), deleteAccount('nobody')]);
    for (const spelling of [password, JSON.stringify(password), encodeURIComponent(password)]) {
      // Refused with it, and told to wait with it.
      for (const status of [422, 429]) {
        quoting(status, `"${spelling}" is too weak`);
        await run([updateAccount('marked-admin', { password })]);
      }
    }
    expect(gateway.logged()).toContain('job.waiting');
    expect(refusals.join()).toContain('the password was refused');
    sandbox.faults.set({
      operation: 'createUserAccount',
      fault: { kind: 'status', status: 500, body: { item } },
      times: 9,
    });
    await run([createAccount('never', { password })]);
    sandbox.faults.clear();
    // An error may repeat what is wrong, and nothing beside it.
    const query = 'mutation($v: [UserAccountOperationInput!]!) { startBulkOperationUserAccount(items: $v) { jobId } }';
    const long = createAccount('z', { password: secrets.password('long password').repeat(9) });
    for (const v of [[createAccount('x', { password, isAdmin: 'no' }), createAccount('y', { password })], [long]]) {
      await ask(query, { v }, await gateway.bearer());
    }
    return ids;
  }

  async function callbacks(): Promise<void> {
    const password = secrets.password('password of a callback');
    const items = [createAccount('by-callback', { password }), createAccount('by-callback', { password })];
    const send = async (body: unknown, headers: Record<string, string> = {}): Promise<void> => {
      refusals.push((await gateway.callback(USER_ACCOUNTS, body, { ...jobHeaders('marked'), ...headers })).text);
    };
    await send(items, { 'x-api-key': secrets.key('wrong key') });
    await send(items, { 'x-api-key': `${environment['TASK_CALLBACK_API_KEY']}x` });
    await send(JSON.stringify(items).slice(0, -9));
    await send([createAccount('x', { password, isAdmin: password })]);
    await send([createAccount('x', { password: password.repeat(20) })]);
    await send(items);
    await send(items);
    await send(items.slice(1));
    await send(items, { 'x-api-key': environment['TASK_CALLBACK_API_KEY_PREVIOUS'] ?? '', 'x-job-id': 'previous' });
    await send(items, { 'content-type': 'text/plain' });
    const letters = secrets.add('letters of a password', password.replaceAll(/[^\w]/g, ''));
    const headers = { ...jobHeaders('other'), authorization: `Bearer ${letters}` };
    refusals.push((await gateway.callback(MOBILES, [{ id: 1, name: 'N' }], headers)).text);
  }

  async function reports(): Promise<Buffer> {
    await gateway.callback(DRIVING_REPORT, reportOf(1), jobHeaders('report'));
    const { downloadUrl } = await finishedJob(gateway, 'reports', 'report');
    const link = downloadUrl ?? '';
    secrets.add('signature of a link', link.slice(-43));
    const download = await fetch(link);
    expect(download.status).toBe(200);
    for (const wrong of [`${link.slice(0, -5)}AAAAA`, link.replace('exp=1', 'exp=2')]) {
      refusals.push(await (await fetch(wrong)).text());
    }
    return Buffer.from(await download.arrayBuffer());
  }

  /** Backends that fail while they hold what was sent. */
  async function outages(bearer: string, password: string): Promise<void> {
    const answers = [
      { kind: 'status', status: 500, message: `${password} ${bearer}` },
      { kind: 'status', status: 422, message: `${password} ${bearer}` },
      { kind: 'garbage' },
      { kind: 'down' },
    ] as const;
    for (const fault of answers) {
      sandbox.faults.set({ fault });
      await ask(LOGIN, { loginId: 'marked-admin', password });
      await ask(REFRESH, { token: secrets.key('refresh token of an outage') });
      await ask('{ tags { id } mobile(id: 1) { id } }', {}, bearer);
      sandbox.faults.clear();
    }
  }

  it('are in no log, no error, no record, no message, no file, no metric and no trace', async () => {
    const password = secrets.password('password of an account');
    const jobIds = await accountJobs(password);
    const bearer = await sessions(password);
    await tokens(bearer);
    await callbacks();
    const pdf = await reports();
    await outages(bearer, password);

    const [jobId = ''] = jobIds;
    const kept = (await dumpOf(redis)) + (await filesBelow(directory.path));
    // It does look at the right places.
    expect(kept).toContain(jobId);
    expect(gateway.logged()).toContain(jobId);
    expect(refusals.join()).toContain('InvalidCredentials');
    expect(secrets.foundIn(kept)).toEqual([]);
    expect(secrets.foundIn(gateway.logged())).toEqual([]);
    expect(secrets.foundIn(refusals.join('\n'))).toEqual([]);
    const { pages, info } = await readPlacedTexts(Uint8Array.from(pdf));
    expect(secrets.foundIn(JSON.stringify({ pages, info }))).toEqual([]);
    expect(secrets.foundIn(pdf)).toEqual([]);

    const { text: metrics } = await gateway.scrape();
    expect(metrics).toContain('InvalidCredentials');
    expect(secrets.foundIn(metrics)).toEqual([]);
    // The last traces are sent now.
    await gateway.close();
    expect(receiver.text()).toContain(jobId);
    expect(secrets.foundIn(receiver.text())).toEqual([]);
    gateway = await startTestGateway(environment, { sandbox, dataDir: directory.path });
  });

  it('are not shown to operators, by the command for jobs or the check of the configuration', async () => {
    const password = secrets.password('password of a dead letter');
    proxy.answer({ status: 503, headers: { 'retry-after': '1' } }, 'forward', { status: 422, body: { message: 'no' } });
    const held = sandbox.faults.hold({ operation: 'createUserAccount' });
    const { jobId } = await startJob(gateway, 'accounts', [createAccount('dead', { password })]);
    const waits = (): Promise<boolean> => waitFor('the first delivery', () => proxy.calls.length > 0);
    const dies = async (): Promise<void> => {
      const dead = await startJob(gateway, 'accounts', [createAccount('dead too', { password })]);
      expect(await finishedJob(gateway, 'accounts', dead.jobId)).toMatchObject({ status: 'Failure' });
    };
    // While it waits for its delivery, while it runs, beside one that is dead, and while it waits for the next gateway.
    for (const moment of [waits, () => held.held(), dies, () => gateway.close()]) {
      await moment();
      const stored = (await dumpOf(redis)) + (await filesBelow(directory.path));
      expect(stored).toContain(jobId);
      expect(secrets.foundIn(stored)).toEqual([]);
    }
    const outputs: string[] = [];
    const kept = { ...environment, DATA_DIR: directory.path };
    const command = async (args: readonly string[], env: Record<string, string> = {}): Promise<void> => {
      const { stdout, stderr } = await runJobsCommand(args, { ...kept, ...env }, directory.path);
      outputs.push(stdout, stderr);
    };
    for (const args of [['list'], ['show', jobId], ['replay', jobId], ['replay', jobId, '--failed-items']]) {
      await command(args);
    }
    await command(['list'], { REDIS_URL: `redis://:${secrets.key('wrong password')}@127.0.0.1:1` });
    for (const args of [
      ['dist/jobs-cli.js', 'show', jobId],
      ['dist/main.js', '--check-config'],
      ['dist/queue-function.js', '--check-config'],
    ]) {
      const { stdout, stderr } = await programs.run(args, { NODE_ENV: 'production', ...kept });
      outputs.push(stdout, stderr);
    }
    expect(outputs.join()).toContain(jobId);
    expect(secrets.foundIn(outputs.join('\n'))).toEqual([]);
    gateway = await startTestGateway(environment, { sandbox, dataDir: directory.path });
  });
}

/** Commands that read all that a key holds, by its type. */
const NO_WRITES: Readonly<Record<string, readonly [name: string, ...args: string[]]>> = {
  hash: ['HGETALL'],
  list: ['LRANGE', '0', '-1'],
  zset: ['ZRANGE', '-inf', '+inf', 'BYSCORE'],
  set: ['SMEMBERS'],
  stream: ['XRANGE', '-', '+'],
  string: ['GET'],
};

/** Everything in a Redis, if there is one. */
async function dumpOf(server: RedisServer | undefined): Promise<string> {
  if (server === undefined) return '';
  const client = server.client();
  const read = async (key: string): Promise<unknown> => {
    // It may have expired meanwhile.
    const [name, ...args] = NO_WRITES[await client.type(key)] ?? ['GET'];
    return [key, await client.call(name, key, ...args)];
  };
  const all = client.keys('*').then((keys) => Promise.all(keys.map(read)));
  return JSON.stringify(await all.finally(() => client.disconnect()));
}
