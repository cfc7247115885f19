/** With a list of operations nothing else runs, whichever door it comes through. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { hashOf, naming, writeOperations, type OperationsFile } from '../support/persisted-operations.js';

const VERSION = 'query Version { serviceVersion }';
const MOBILE = 'query Mobile($id: Int!) { mobile(id: $id) { id } } query Me { me { Org } }';
const UPDATE = 'mutation Update { startBulkUpdateMobile(items: []) { jobId } }';
const LISTED = [VERSION, MOBILE, UPDATE];
const OTHER = '{ serviceVersion }';

type Params = Readonly<Record<string, unknown>>;
type Door = (params: Params, bearer: string) => Promise<{ status: number | undefined; body: string }>;

let file: OperationsFile;
let only: TestGateway;
let allow: TestGateway;
let bearer: string;

beforeAll(async () => {
  file = await writeOperations(LISTED);
  const environment = { PERSISTED_OPERATIONS_FILE: file.path };
  only = await startTestGateway({ ...environment, PERSISTED_OPERATIONS: 'only' });
  allow = await startTestGateway(
    { ...environment, PERSISTED_OPERATIONS: 'allow' },
    { production: true, sandbox: only.sandbox },
  );
  bearer = await only.bearer();
});
afterAll(async () => {
  await allow.close();
  await only.close();
  await file.remove();
});

async function send(url: string, method: string, headers: object, body: string): ReturnType<Door> {
  const sent = httpRequest(url, { method, headers: { ...headers, authorization: bearer } });
  sent.end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, body: await text(reply) };
}

/** Ways in: straight, through Yoga, and in a query string, which is Yoga's as well. */
const doors: Readonly<Record<string, (gateway: TestGateway, params: Params) => ReturnType<Door>>> = {
  direct: ({ url }, params) => {
    const body = JSON.stringify(params);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return send(`${url}/graphql`, 'POST', headers, body);
  },
  chunked: ({ url }, params) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    return send(`${url}/graphql`, 'POST', headers, JSON.stringify(params));
  },
  'query string': ({ url }, params) => {
    const texts = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return send(`${url}/graphql?${new URLSearchParams(texts).toString()}`, 'GET', {}, '');
  },
};

const answer = ({ status, body }: { status: number | undefined; body: string }): object => ({
  status,
  ...(JSON.parse(body) as object),
});

function refused(message: RegExp): object {
  const extensions = { code: 'BadInput', status: 400, path: [] };
  return { status: 400, errors: [expect.objectContaining({ message: expect.stringMatching(message), extensions })] };
}

const AD_HOC = /^Only operations of the list are accepted/;
const MALFORMED = /^extensions\.persistedQuery must hold version 1 and sha256Hash, in lower-case hexadecimal\.$/;
const UNKNOWN = /^There is no persisted operation [0-9a-f]{64}\.$/;
const MISMATCH = /^The hash in extensions\.persistedQuery is not that of query\.$/;

const named = (persistedQuery: unknown): Params => ({ extensions: { persistedQuery } });

/** Requests that neither mode runs. */
const NEVER: readonly (readonly [string, Params, RegExp])[] = [
  ['with a hash nobody knows', { extensions: naming(OTHER) }, UNKNOWN],
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
];

/** Requests that are refused where the list alone counts. */
const AD_HOC_REQUESTS: readonly (readonly [string, Params, RegExp])[] = [
  ['of a listed document without its hash', { query: VERSION }, AD_HOC],
  ['of an unlisted document', { query: OTHER }, AD_HOC],
  ['of an unlisted document with its own hash', { query: OTHER, extensions: naming(OTHER) }, UNKNOWN],
  ['of the schema', { query: '{ __schema { queryType { name } } }' }, AD_HOC],
  ['of a document that cannot be parsed', { query: '{' }, AD_HOC],
  ['with null for a name', { query: OTHER, ...named(null) }, AD_HOC],
  ['with other extensions', { query: OTHER, extensions: { tracing: true } }, AD_HOC],
  ['of nothing', {}, AD_HOC],
  ['of nothing, with an operation name', { operationName: 'Version' }, AD_HOC],
];

describe.each(Object.keys(doors))('through the door %s', (name) => {
  const door = doors[name] ?? (() => Promise.reject(new Error('There is such a door.')));

  it.each(NEVER)('no mode runs a request %s', async (_what, params, message) => {
    expect(answer(await door(only, params))).toEqual(refused(message));
    expect(answer(await door(allow, params))).toEqual(refused(message));
  });

  it.each(AD_HOC_REQUESTS)('with the list alone, a request %s runs nothing', async (_what, params, message) => {
    expect(answer(await door(only, params))).toEqual(refused(message));
  });

  it('runs what is listed in both modes, by its hash alone or beside its document', async () => {
    for (const gateway of [only, allow]) {
      for (const query of [undefined, null, VERSION]) {
        const params = { ...(query !== undefined && { query }), extensions: naming(VERSION) };
        if (query === null && name === 'query string') continue;
        expect(answer(await door(gateway, params))).toEqual({ status: 200, data: { serviceVersion: '0.0.0-test' } });
      }
    }
  });

  it('hands on variables and the name of the operation, again and again', async () => {
    for (let time = 0; time < 8; time += 1) {
      const params = { extensions: naming(MOBILE), operationName: 'Mobile', variables: { id: 1 } };
      expect(answer(await door(only, params))).toEqual({ status: 200, data: { mobile: { id: 1 } } });
      const me = { extensions: naming(MOBILE), operationName: 'Me' };
      expect(answer(await door(only, me))).toEqual({ status: 200, data: { me: { Org: 'acme' } } });
    }
    expect(answer(await door(only, { extensions: naming(MOBILE) }))).toMatchObject({
      errors: [{ extensions: { code: 'BadInput' } }],
    });
  });

  it('runs what is not listed where both are allowed, with its hash or without', async () => {
    for (const extensions of [undefined, {}, naming(OTHER)]) {
      const params = { query: OTHER, ...(extensions && { extensions }) };
      expect(answer(await door(allow, params))).toEqual({ status: 200, data: { serviceVersion: '0.0.0-test' } });
    }
    // Nobody can add to the list.
    expect(answer(await door(allow, { extensions: naming(OTHER) }))).toEqual(refused(UNKNOWN));
  });
});

it('a listed mutation starts its job by POST and by nothing else', async () => {
  const { direct, 'query string': get } = doors;
  const before = await get?.(only, { extensions: naming(UPDATE) });
  expect(before?.status).toBe(405);
  expect(await direct?.(only, { extensions: naming(UPDATE) })).toMatchObject({ status: 200 });
});

it('there is no playground where each of its operations would be refused', async () => {
  expect((await fetch(`${only.url}/playground`)).status).toBe(404);
});

describe('a file that cannot be used', () => {
  const bad = '{ serviceVersion nothing }';
  const deep = `{ mobiles ${'{ edges { node { tags '.repeat(5)} { id } ${'} } }'.repeat(5)} }`;
  const entry = (hash: string, document: unknown): string => JSON.stringify({ [hash]: document });
  const FILES: readonly (readonly [string, string, RegExp])[] = [
    ['no JSON', '{', /operations\.json \(PERSISTED_OPERATIONS_FILE\) is not a JSON object of documents/],
    ['a list', '[]', /is not a JSON object of documents by their SHA-256\.$/],
    ['empty', '{}', /holds no operation\.$/],
    ['of another document', entry(hashOf(OTHER), VERSION), /entry [0-9a-f]{64} .* the SHA-256 of its document is/],
    ['named in capitals', entry(hashOf(OTHER).toUpperCase(), OTHER), /entry [0-9A-F]{64} .* not a SHA-256 in lower/],
    ['named otherwise', entry('Version', VERSION), /the entry Version cannot be used: its name is not a SHA-256/],
    ['of a number', entry(hashOf(OTHER), 7), /the entry [0-9a-f]{64} cannot be used: it is not a text\.$/],
    ['that cannot be parsed', entry(hashOf('{'), '{'), /the entry [0-9a-f]{64} cannot be used: Syntax Error/],
    ['that is not of the schema', entry(hashOf(bad), bad), /Cannot query field "nothing" on type "Query"/],
    ['over a limit', entry(hashOf(deep), deep), /the entry [0-9a-f]{64} cannot be used: .*/],
  ];

  it.each(FILES)('%s ends the start, and the fault names it', async (_what, content, fault) => {
    const faulty = await writeOperations(content);
    try {
      const starting = startTestGateway({ PERSISTED_OPERATIONS_FILE: faulty.path, PERSISTED_OPERATIONS: 'allow' });
      await expect(starting).rejects.toMatchObject({ faults: [expect.stringMatching(fault)] });
    } finally {
      await faulty.remove();
    }
  });
});
