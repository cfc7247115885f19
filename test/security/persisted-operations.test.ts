/** Persisted operations: a list of them, how requests name them, and the error that makes a client send the whole document. */
import { describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { HANDLERS } from '../support/graphql-handlers.js';
import { hashOf, naming, writeOperations } from '../support/persisted-operations.js';
import { closeAfterTest, forAllTests } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';

const VERSION = 'query Version { serviceVersion }';
const MOBILE = 'query Mobile($id: ID!) { mobile(id: $id) { id } } query Me { me { Org } }';
const UPDATE = 'mutation Update { startBulkUpdateMobile(items: [{ id: 1 }]) { jobId } }';
const LISTED = [VERSION, MOBILE, UPDATE];
const OTHER = '{ serviceVersion }';

type Params = Readonly<Record<string, unknown>>;

const file = forAllTests(() => writeOperations(LISTED));
const sandbox = forAllTests(startBackends);
const listed = (mode: 'only' | 'allow', production: boolean): TestGateway =>
  forAllTests(() =>
    startTestGateway({ PERSISTED_OPERATIONS_FILE: file.path, PERSISTED_OPERATIONS: mode }, { production, sandbox }),
  );
const only = listed('only', false);
const allow = listed('allow', true);
const without = forAllTests(() => startTestGateway({}, { sandbox }));
const user = forAllTests(async () => ({ bearer: await only.bearer() }));

/** Status of a reply, and its body. */
interface Answer {
  readonly status: number;
  readonly errors?: unknown;
}

const VERSION_DATA = { status: 200, data: { serviceVersion: '0.0.0-test' } };
const BAD_INPUT = { code: 'BadInput', reason: expect.any(String), values: expect.any(Object), status: 400, path: [] };

type HandlerName = keyof typeof HANDLERS;

async function ask(handler: HandlerName, { url }: TestGateway, params: Params): Promise<Answer> {
  const { status, text } = await HANDLERS[handler](url, params, { authorization: user.bearer });
  return { status, ...(JSON.parse(text) as object) };
}

function refused(message: RegExp): object {
  return {
    status: 400,
    errors: [expect.objectContaining({ message: expect.stringMatching(message), extensions: BAD_INPUT })],
  };
}

const AD_HOC = /^Only persisted operations run here: name one in documentId or extensions\.persistedQuery\.$/;
const NOT_LISTED = /^This operation is not in the list of persisted operations; load the page again\.$/;
const MALFORMED = /^As extensions\.persistedQuery give version 1 and sha256Hash, in lower-case hexadecimal\.$/;
const MALFORMED_ID = /^As documentId give a SHA-256 in lower-case hexadecimal, with or without "sha256:" before it\.$/;
const TWO_NAMES = /^Name one document: documentId and extensions\.persistedQuery name two\.$/;
const MISMATCH = /^The hash that names the document is not that of query\.$/;

/** Manifest as Apollo's tool writes it. */
const manifestOf = (operations: readonly { id: string; body: string }[]): object => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: operations.map((operation) => ({ name: 'Version', type: 'query', ...operation })),
});

const named = (persistedQuery: unknown): Params => ({ extensions: { persistedQuery } });

/** Requests that neither mode runs. */
const NEVER: readonly (readonly [string, Params, RegExp])[] = [
  ['with the hash of another document', { query: OTHER, extensions: naming(VERSION) }, MISMATCH],
  ['with a document that differs by a space', { query: `${VERSION} `, extensions: naming(VERSION) }, MISMATCH],
  ['with a hash that is not of its document', { query: VERSION, extensions: naming(OTHER) }, MISMATCH],
  ['without a version', named({ sha256Hash: hashOf(VERSION) }), MALFORMED],
  ['with another version', named({ version: 2, sha256Hash: hashOf(VERSION) }), MALFORMED],
  ['with the version as text', named({ version: '1', sha256Hash: hashOf(VERSION) }), MALFORMED],
  ['with a hash in capitals', named({ version: 1, sha256Hash: hashOf(VERSION).toUpperCase() }), MALFORMED],
  ['with a hash in a list', named({ version: 1, sha256Hash: [hashOf(VERSION)] }), MALFORMED],
  ['with the name of a member of every object', named({ version: 1, sha256Hash: '__proto__' }), MALFORMED],
  ['with another algorithm', named({ version: 1, md5Hash: 'x' }), MALFORMED],
  ['with a text', named(hashOf(VERSION)), MALFORMED],
  ['with false', named(false), MALFORMED],
  ['with a list', named([]), MALFORMED],
  ['with a malformed hash beside a document', { query: VERSION, ...named({ version: 1 }) }, MALFORMED],
  ['with another prefix', named({ version: 1, sha256Hash: `sha1:${hashOf(VERSION)}` }), MALFORMED],
  ['with a documentId of another algorithm', { documentId: `md5:${hashOf(VERSION)}` }, MALFORMED_ID],
  ['with a documentId in capitals', { documentId: hashOf(VERSION).toUpperCase() }, MALFORMED_ID],
  ['with a documentId of its own making', { documentId: 'x-Version' }, MALFORMED_ID],
  ['with the documentId of another document', { query: OTHER, documentId: hashOf(VERSION) }, MISMATCH],
  ['with two names', { documentId: hashOf(MOBILE), extensions: naming(VERSION) }, TWO_NAMES],
  ['with two names, one unknown', { documentId: hashOf(OTHER), extensions: naming(VERSION) }, TWO_NAMES],
];

/** Requests that are refused where the list alone counts. */
const AD_HOC_REQUESTS: readonly (readonly [string, Params, RegExp])[] = [
  ['of a listed document without its hash', { query: VERSION }, AD_HOC],
  ['of an unlisted document', { query: OTHER }, AD_HOC],
  ['of an unlisted document with its own hash', { query: OTHER, extensions: naming(OTHER) }, NOT_LISTED],
  ['with a hash that is not listed', { extensions: naming(OTHER) }, NOT_LISTED],
  ['with a documentId that is not listed', { documentId: hashOf(OTHER) }, NOT_LISTED],
  ['of the schema', { query: '{ __schema { queryType { name } } }' }, AD_HOC],
  ['of a document that cannot be parsed', { query: '{' }, AD_HOC],
  ['with null for a name', { query: OTHER, ...named(null) }, AD_HOC],
  ['with other extensions', { query: OTHER, extensions: { tracing: true } }, AD_HOC],
  ['of nothing', {}, AD_HOC],
  ['of nothing, with an operation name', { operationName: 'Version' }, AD_HOC],
];

describe.each(['POST', 'chunked POST', 'GET'] as const)('by %s', (handler) => {
  it.each(NEVER)('no mode runs a request %s', async (_what, params, message) => {
    expect(await ask(handler, only, params)).toEqual(refused(message));
    expect(await ask(handler, allow, params)).toEqual(refused(message));
  });

  it.each(AD_HOC_REQUESTS)('with the list alone, a request %s runs nothing', async (_what, params, message) => {
    expect(await ask(handler, only, params)).toEqual(refused(message));
  });

  it('runs what is listed in both modes, by each of its names alone or beside its document', async () => {
    const prefixed = `sha256:${hashOf(VERSION)}`;
    const names = [
      { extensions: naming(VERSION) },
      named({ version: 1, sha256Hash: prefixed }),
      { documentId: hashOf(VERSION) },
      { documentId: prefixed },
      { documentId: prefixed, extensions: naming(VERSION) },
    ];
    const queries = [{}, { query: VERSION }, ...(handler === 'GET' ? [] : [{ query: null }])];
    for (const gateway of [only, allow]) {
      for (const params of names.flatMap((name) => queries.map((query) => ({ ...query, ...name })))) {
        expect(await ask(handler, gateway, params)).toEqual(VERSION_DATA);
      }
    }
  });

  it.each([
    ['extensions.persistedQuery', { extensions: naming(OTHER) }],
    ['documentId', { documentId: `sha256:${hashOf(OTHER)}` }],
  ])('asks for the whole document of an unknown %s where it may be sent', async (_where, name) => {
    for (const [gateway, message] of [
      [allow, 'PersistedQueryNotFound'],
      [without, 'PersistedQueryNotSupported'],
    ] as const) {
      const { status, errors } = await ask(handler, gateway, name);
      expect([status, errors]).toEqual([200, [expect.objectContaining({ message, extensions: BAD_INPUT })]]);
      expect(await ask(handler, gateway, { query: OTHER, ...name })).toEqual(VERSION_DATA);
      // The document is not kept.
      expect(await ask(handler, gateway, name)).toMatchObject({ errors: [{ message }] });
    }
  });

  it('hands on variables and the name of the operation, again and again', async () => {
    for (let time = 0; time < 8; time += 1) {
      const params = { extensions: naming(MOBILE), operationName: 'Mobile', variables: { id: 1 } };
      expect(await ask(handler, only, params)).toEqual({ status: 200, data: { mobile: { id: '1' } } });
      const me = { extensions: naming(MOBILE), operationName: 'Me' };
      expect(await ask(handler, only, me)).toEqual({ status: 200, data: { me: { Org: 'acme' } } });
    }
    expect(await ask(handler, only, { extensions: naming(MOBILE) })).toMatchObject({
      errors: [{ extensions: { code: 'BadInput' } }],
    });
  });

  it('runs what is not listed where both are allowed, with its hash or without', async () => {
    for (const extensions of [undefined, {}, naming(OTHER)]) {
      const params = { query: OTHER, ...(extensions && { extensions }) };
      expect(await ask(handler, allow, params)).toEqual({ status: 200, data: { serviceVersion: '0.0.0-test' } });
    }
  });
});

it('a listed mutation starts its job by POST and by nothing else', async () => {
  expect(await ask('GET', only, { extensions: naming(UPDATE) })).toMatchObject({ status: 405 });
  expect(await ask('POST', only, { extensions: naming(UPDATE) })).toMatchObject({ status: 200, data: {} });
});

it.each<[string, string]>([
  ['of hashes that begin with sha256:', JSON.stringify({ [`sha256:${hashOf(VERSION)}`]: VERSION })],
  ['that is a manifest of Apollo', JSON.stringify(manifestOf([{ id: hashOf(VERSION), body: VERSION }]))],
])('a file %s is taken', async (_what, content) => {
  const { path } = closeAfterTest(await writeOperations(content));
  const environment = { PERSISTED_OPERATIONS_FILE: path, PERSISTED_OPERATIONS: 'only' };
  const gateway = closeAfterTest(await startTestGateway(environment, { sandbox }));
  expect(await ask('POST', gateway, { documentId: `sha256:${hashOf(VERSION)}` })).toEqual(VERSION_DATA);
});

it('there is no playground where each of its operations would be refused', async () => {
  expect((await fetch(`${only.url}/playground`)).status).toBe(404);
});

describe('a file that cannot be used', () => {
  const entry = (hash: string, document: unknown): string => JSON.stringify({ [hash]: document });
  const manifest = (id: string, body: string): string => JSON.stringify(manifestOf([{ id, body }]));
  const FILES: readonly (readonly [string, string, RegExp])[] = [
    ['no JSON', '{', /operations\.json \(PERSISTED_OPERATIONS_FILE\) is not a JSON object of documents/],
    ['a list', '[]', /is not a JSON object of documents by their SHA-256, or a manifest of Apollo\.$/],
    ['empty', '{}', /holds no operation\.$/],
    ['of another document', entry(hashOf(OTHER), VERSION), /entry [0-9a-f]{64} .* the SHA-256 of its document is/],
    ['named in capitals', entry(hashOf(OTHER).toUpperCase(), OTHER), /entry [0-9A-F]{64} .* not a SHA-256 in lower/],
    ['a manifest of another document', manifest(hashOf(OTHER), VERSION), /the SHA-256 of its document is/],
    ['a manifest with a name of its own', manifest('Version', VERSION), /the entry Version .* not a SHA-256/],
    ['named otherwise', entry('Version', VERSION), /the entry Version cannot be used: its name is not a SHA-256/],
    ['of a number', entry(hashOf(OTHER), 7), /the entry [0-9a-f]{64} cannot be used: it is not a text\.$/],
    ['that cannot be parsed', entry(hashOf('{'), '{'), /the entry [0-9a-f]{64} cannot be used: Syntax Error/],
  ];

  it.each(FILES)('%s ends the start, and the fault names it', async (_what, content, fault) => {
    const { path } = closeAfterTest(await writeOperations(content));
    const starting = startTestGateway({ PERSISTED_OPERATIONS_FILE: path, PERSISTED_OPERATIONS: 'allow' });
    await expect(starting).rejects.toMatchObject({ faults: [expect.stringMatching(fault)] });
  });
});

it.each(['only', 'allow'])(
  'an entry that does not fit the schema or a limit stops no gateway, and is refused: %s',
  async (mode) => {
    const long = `{ me { ${'Org '.repeat(101)} } }`;
    const misfits = ['query($id: Int!) { mobile(id: $id) { id } }', long];
    const { path } = closeAfterTest(await writeOperations([...misfits, VERSION]));
    const environment = { PERSISTED_OPERATIONS_FILE: path, PERSISTED_OPERATIONS: mode };
    const gateway = closeAfterTest(await startTestGateway(environment));
    for (const misfit of misfits) {
      expect(gateway.logged()).toMatch(new RegExp(`the entry ${hashOf(misfit)} is refused.*"config\\.doubtful"`));
      const answer = await ask('POST', gateway, { documentId: hashOf(misfit), variables: { id: 1 } });
      const reason = misfit === long ? 'TooManyRepeats' : 'InvalidDocument';
      expect(answer).not.toHaveProperty('data');
      expect(answer).toMatchObject({ errors: [{ extensions: { code: 'BadInput', reason } }] });
    }
    expect((await ask('POST', gateway, { documentId: hashOf(VERSION) })).errors).toBeUndefined();
  },
);

describe('a front end that names itself', () => {
  const gateway = forAllTests(() =>
    startTestGateway(
      { PERSISTED_OPERATIONS_FILE: file.path, PERSISTED_OPERATIONS: 'only', METRICS_PORT: '0' },
      { sandbox },
    ),
  );
  const post = (params: Params, headers: Readonly<Record<string, string>>) =>
    HANDLERS.POST(gateway.url, params, headers);
  const web = { 'x-client-name': 'web', 'x-client-version': '1.2' };
  const operations = async (labels: Readonly<Record<string, string>>): Promise<number> =>
    (await gateway.scrape()).value('gateway_client_operations_total', labels) ?? 0;

  it('is told with an operation that is not listed: ten a minute, and by a metric if its token is valid', async () => {
    const hashes = Array.from({ length: 12 }, (_, at) => hashOf(`{ a${at}: serviceVersion }`));
    await post({ documentId: hashes[0] }, web);
    await post({ documentId: hashes[1] }, { ...web, authorization: 'Bearer of.no.token' });
    for (const documentId of hashes.slice(2)) await post({ documentId }, { ...web, authorization: user.bearer });
    const logged = gateway
      .logged()
      .split('\n')
      .filter((line) => line.includes('operation.not_listed'))
      .map((line) => JSON.parse(line) as unknown);
    expect(logged).toHaveLength(10);
    expect(logged[3]).toMatchObject({ hash: hashes[3], client: { name: 'web', version: '1.2' } });
    expect(await operations({ client: 'web', version: '1.2', outcome: 'not_listed' })).toBe(8);
    const errors = (await gateway.scrape()).value('gateway_graphql_errors_total', { reason: 'OperationNotListed' });
    expect(errors).toBe(12);
  });

  it('is counted with its version for users alone, by the names of Apollo as well, and up to 50 of them', async () => {
    const me = { documentId: hashOf(MOBILE), operationName: 'Me' };
    await post(me, web);
    expect(await operations({ client: 'web', version: '1.2', outcome: 'ok' })).toBe(0);
    const apollo = { 'apollographql-client-name': 'app', 'apollographql-client-version': 'x'.repeat(100) };
    await post(me, { ...apollo, authorization: user.bearer });
    expect(await operations({ client: 'app', version: 'x'.repeat(64), outcome: 'ok' })).toBe(1);
    expect(gateway.logged()).toContain(`"client":{"name":"app","version":"${'x'.repeat(64)}"}`);
    for (let at = 0; at < 60; at += 1) {
      await post(me, { 'x-client-name': 'many', 'x-client-version': String(at), authorization: user.bearer });
    }
    const known = (await gateway.scrape()).values('gateway_client_operations_total', 'version');
    expect(known.length).toBeLessThanOrEqual(51);
    expect(await operations({ client: 'other', outcome: 'ok' })).toBeGreaterThan(8);
  });
});
