/** With a list of operations nothing else runs, whichever door it comes through. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { DOORS } from '../support/graphql-doors.js';
import { hashOf, naming, writeOperations, type OperationsFile } from '../support/persisted-operations.js';

const VERSION = 'query Version { serviceVersion }';
const MOBILE = 'query Mobile($id: Int!) { mobile(id: $id) { id } } query Me { me { Org } }';
const UPDATE = 'mutation Update { startBulkUpdateMobile(items: []) { jobId } }';
const LISTED = [VERSION, MOBILE, UPDATE];
const OTHER = '{ serviceVersion }';

type Params = Readonly<Record<string, unknown>>;

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

type DoorName = keyof typeof DOORS;

async function ask(door: DoorName, { url }: TestGateway, params: Params): Promise<object> {
  const { status, text } = await DOORS[door](url, params, { authorization: bearer });
  return { status, ...(JSON.parse(text) as object) };
}

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

describe.each(['POST', 'chunked POST', 'GET'] as const)('by %s', (door) => {
  it.each(NEVER)('no mode runs a request %s', async (_what, params, message) => {
    expect(await ask(door, only, params)).toEqual(refused(message));
    expect(await ask(door, allow, params)).toEqual(refused(message));
  });

  it.each(AD_HOC_REQUESTS)('with the list alone, a request %s runs nothing', async (_what, params, message) => {
    expect(await ask(door, only, params)).toEqual(refused(message));
  });

  it('runs what is listed in both modes, by its hash alone or beside its document', async () => {
    for (const gateway of [only, allow]) {
      for (const query of [undefined, null, VERSION]) {
        const params = { ...(query !== undefined && { query }), extensions: naming(VERSION) };
        if (query === null && door === 'GET') continue;
        expect(await ask(door, gateway, params)).toEqual({ status: 200, data: { serviceVersion: '0.0.0-test' } });
      }
    }
  });

  it('hands on variables and the name of the operation, again and again', async () => {
    for (let time = 0; time < 8; time += 1) {
      const params = { extensions: naming(MOBILE), operationName: 'Mobile', variables: { id: 1 } };
      expect(await ask(door, only, params)).toEqual({ status: 200, data: { mobile: { id: 1 } } });
      const me = { extensions: naming(MOBILE), operationName: 'Me' };
      expect(await ask(door, only, me)).toEqual({ status: 200, data: { me: { Org: 'acme' } } });
    }
    expect(await ask(door, only, { extensions: naming(MOBILE) })).toMatchObject({
      errors: [{ extensions: { code: 'BadInput' } }],
    });
  });

  it('runs what is not listed where both are allowed, with its hash or without', async () => {
    for (const extensions of [undefined, {}, naming(OTHER)]) {
      const params = { query: OTHER, ...(extensions && { extensions }) };
      expect(await ask(door, allow, params)).toEqual({ status: 200, data: { serviceVersion: '0.0.0-test' } });
    }
    // Nobody can add to the list.
    expect(await ask(door, allow, { extensions: naming(OTHER) })).toEqual(refused(UNKNOWN));
  });
});

it('a listed mutation starts its job by POST and by nothing else', async () => {
  expect(await ask('GET', only, { extensions: naming(UPDATE) })).toMatchObject({ status: 405 });
  expect(await ask('POST', only, { extensions: naming(UPDATE) })).toMatchObject({ status: 200 });
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
