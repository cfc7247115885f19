import fc from 'fast-check';
import { hashOf, naming } from '../support/persisted-operations.js';

/** A GraphQL request as a client may send it, right or wrong. */
export interface GeneratedRequest {
  /** The body, whatever it holds. */
  readonly body: string;
  /** Several values are sent in a line each. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** Documents that gateways in the tests know by their hash. */
export const PERSISTED = ['{ serviceVersion }', 'query Q($id: ID! = 2) { me { Org } mobile(id: $id) { id name } }'];

/** `extensions` that name a document, rightly and wrongly. */
const NAMED = [
  ...PERSISTED.map((document) => naming(document)),
  naming('{ tags { id } }'),
  { persistedQuery: { version: 2, sha256Hash: 'x' } },
  { persistedQuery: 'x' },
  { persistedQuery: null },
];

const DOCUMENT_IDS = [null, ...PERSISTED.flatMap((each) => [hashOf(each), `sha256:${hashOf(each)}`]), 'x', 5];

/** Headers that carry tokens, by what is wrong with them. */
export type Credentials = Readonly<Record<string, string>>;

const VARIABLES = '($first: Int = 1, $id: ID! = 2, $job: ID = "none", $yes: Boolean! = true, $no: Boolean! = false)';

/** Root fields, right and wrong ones; `test/property/execution` puts operations together of all that there is. */
const ROOT_FIELDS = [
  'serviceVersion',
  '__typename',
  'me { Org BackendUser IsAdmin ChatId }',
  'mobiles(first: $first) { edges { node { id num __proto__: name } } pageInfo { hasNextPage } }',
  'mobiles(first: 0) { edges { node { tags { id name } } } }',
  'mobiles(tagIds: ["1", "02"]) { edges { node { id ... { voice { online talkGroup } } } } }',
  'mobile(id: $id) { id id other: num ... on Mobile @include(if: $yes) { name } }',
  'mobile(id: "1") { id @skip(if: $no) name @skip(if: true) num }',
  'mobile(id: 9007199254740993) { nothing num @include(if: $missing) }',
  'mobile(id: null) { id }',
  'tags { ...TagParts }',
  'userAccounts(first: 1) { edges { node { loginId indivs } } }',
  'fetchDrivingReportsStatus(jobId: $job) { state status failures { code reason values } }',
  'jobs(state: FINISHED, kind: MOBILES) { edges { node { status warnings { code } } } }',
  'jobs(state: "FINISHED") { edges { cursor } }',
  'fetchBulkUpdateMobileStatus(jobId: "none") { state ... on JobStatus { completed } }',
  'unknownField',
  '__schema { queryType { name } }',
  'me',
];

const rootFields = fc
  .array(fc.constantFrom(...ROOT_FIELDS, ...ROOT_FIELDS.map((field) => `a: ${field}`)), { minLength: 1, maxLength: 4 })
  .map((fields) => fields.join('\n'));

const UPDATE = 'mutation M($items: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $items) { __typename } }';

const document = fc.oneof(
  {
    weight: 8,
    arbitrary: rootFields.map(
      (fields) =>
        `query Q${VARIABLES} { ${fields} }${fields.includes('TagParts') ? ' fragment TagParts on Tag { id }' : ''}`,
    ),
  },
  { weight: 2, arbitrary: rootFields.map((fields) => `{ ${fields} }`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'query A { serviceVersion } query B { me { Org } }',
      'mutation { startBulkUpdateMobile(items: []) { __typename } }',
      UPDATE,
      'mutation { sendTestOtp(loginId: "") { sentTo } serviceVersion }',
      'subscription { serviceVersion }',
      'query { ',
      '',
      '# nothing',
      `{ ${'a: serviceVersion '.repeat(20)} }`,
      '{ serviceVersion @include(if: "yes") }',
      'fragment F on Query { serviceVersion } { ...F ...F ... { ...F } }',
      'query Loop { ...L } fragment L on Query { ...L }',
    ),
  },
);

const variables = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        first: fc.constantFrom(1, 3, 1000, null, '2', 1.5),
        id: fc.constantFrom(1, '2', '02', 1e3, Number.MAX_SAFE_INTEGER, 10_000, null, {}, true),
        job: fc.constantFrom('none', 7, null, ['x']),
        yes: fc.constantFrom(true, false, null, 1),
        no: fc.boolean(),
        items: fc.constantFrom(
          [],
          [{ id: 1, name: 5 }],
          [{ id: 0 }],
          [{ id: 1, more: 1 }],
          {},
          'x',
          [null],
          [{ name: 'x' }],
        ),
        unused: fc.constant('x'),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(null, [], 'text', 5, { first: '\ud800' }, { id: 2 ** 60 }) },
);

const body = fc.oneof(
  {
    weight: 16,
    arbitrary: fc
      .record(
        {
          query: fc.oneof({ weight: 9, arbitrary: document }, fc.constantFrom(...PERSISTED, null, undefined)),
          variables,
          operationName: fc.constantFrom(undefined, undefined, null, 'Q', 'A', 'B', 'missing', '', 5),
          extensions: fc.constantFrom(undefined, undefined, {}, null, [], 'x', ...NAMED),
          documentId: fc.oneof(
            { weight: 3, arbitrary: fc.constant(undefined) },
            { weight: 1, arbitrary: fc.constantFrom(...DOCUMENT_IDS) },
          ),
          more: fc.constantFrom(undefined, undefined, undefined, undefined, null, 1),
        },
        { requiredKeys: ['query'] },
      )
      .map((params) => JSON.stringify(params)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'null',
      '"text"',
      '{',
      '{}',
      '[{"query":"{serviceVersion}"}]',
      '\ufeff{"query":"{serviceVersion}"}',
      '{"query":"{serviceVersion}","__proto__":{"variables":1}}',
      '{"query":"{serviceVersion}","query":"{__typename}"}',
    ),
  },
);

/** Characters of one, two, three and four bytes, so that bodies are cut anywhere within them, and one of no meaning. */
const LETTERS = ['x', '\n', 'é', '本', '😀', '\ud800'];

/** Characters, or bytes as they are sent, whichever there are more of. */
const LARGE = { min: 16 * 1024 + 1, max: 200 * 1024 };

/** A text that fills as much of a body as is asked for, made of one letter alone or of two in turns. */
const longText = fc
  .tuple(fc.integer(LARGE), fc.constantFrom(...LETTERS), fc.constantFrom('', ...LETTERS))
  .map(([bytes, one, other]) => {
    const unit = one + other;
    const times = Math.ceil(bytes / (Buffer.byteLength(JSON.stringify(unit)) - 2));
    return unit.repeat(times);
  });

/** Documents as generated, of which most have a fault, and some without any. */
const documentAtLength = fc.oneof(
  document,
  fc.constantFrom(
    '{ serviceVersion me { Org } }',
    'query Q($first: Int = 1, $id: ID! = 2) { mobiles(first: $first) { edges { node { id } } } mobile(id: $id) { name } }',
    'query Q($job: ID = "none") { fetchDrivingReportsStatus(jobId: $job) { state } }',
  ),
);

/** Requests whose bodies are longer than what is read at once, by long variables, long documents and many parts. */
const largeBody = fc
  .tuple(documentAtLength, longText, fc.integer({ min: 10, max: 2_000 }))
  .chain(([query, text, count]) => {
    const times = (part: (index: number) => string): string =>
      Array.from({ length: count }, (_, at) => part(at)).join(' ');
    const items = [...Array.from({ length: count }, () => ({ id: 1 })), { id: 0, text }];
    return fc.constantFrom<object>(
      { query, variables: { job: text } },
      { query, variables: { unused: text } },
      { query, variables: { id: text, first: 2 } },
      { query: UPDATE, variables: { items } },
      { query, extensions: { [text]: text.length } },
      { query, operationName: text },
      { query: `# ${text.replaceAll('\n', ' ')}\n${query}` },
      { query: `${query}${' '.repeat(text.length)}` },
      { query: `{ fetchBulkUpdateMobileStatus(jobId: ${JSON.stringify(text)}) { state } }` },
      { query: `{ ${text.replaceAll('\n', '_')} }` },
      { query: `{ ${times((at) => `a${at}: serviceVersion`)} }`, variables: { unused: text } },
      { query: `{ mobile(id: 1) { ${times(() => 'id num name')} } }`, variables: { unused: text } },
    );
  })
  .map((params) => JSON.stringify(params));

/** Values that differ in how they are read; `test/integration/graphql-over-http` says what each of many means. */
const ACCEPT = [
  '*/*',
  'application/json',
  'application/json;q=0.1, application/graphql-response+json;q=1',
  'application/json;charset=utf-16, */*;q=0.1',
  'text/html',
  '*/*;q=x, ,',
  ['application/json;q=0.2', 'text/html;q=1'],
];

/** Spellings of the one media type that is taken, and others. */
const JSON_TYPES = [
  ...['application/json; charset=utf-8', 'APPLICATION/Json;Charset=Latin1;', ' application/json;; '],
  ['application/json', 'text/plain'],
];
const OTHER_TYPES = ['application/json, application/json', 'application/jsonp', '', ['text/plain', 'application/json']];

/** Headers that say nothing of the operation, but of how it is sent and named. */
const MORE_HEADERS: readonly GeneratedRequest['headers'][] = [
  { expect: '100-Continue' },
  { 'content-encoding': 'Identity, identity' },
  { 'content-encoding': 'gzip' },
  { 'content-language': 'ja', 'accept-encoding': 'gzip, br;q=0.5', 'accept-charset': 'utf-16' },
  ...['front-end:1.2_3-4', '', 'a'.repeat(129), 'a b{"c"}', ['one', 'two']].map((id) => ({ 'x-request-id': id })),
  { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site', cookie: 'a=b' },
  { 'x-http-method-override': 'GET', 'if-none-match': '*', range: 'bytes=0-1' },
];

/** Bytes from which on a generated body counts as large. */
export const LARGE_BODY_BYTES = LARGE.min;

/** Requests of every kind. @param credentials values of `Authorization` to choose from */
export function requests(credentials: Credentials): fc.Arbitrary<GeneratedRequest> {
  const authorization = fc.oneof(
    { weight: 4, arbitrary: fc.constant(credentials['valid']) },
    { weight: 2, arbitrary: fc.constantFrom(undefined, ...Object.values(credentials)) },
  );
  const accept = fc.option(fc.constantFrom(...ACCEPT), { nil: undefined });
  const contentType = fc.oneof(
    { weight: 6, arbitrary: fc.constant('application/json') },
    { weight: 3, arbitrary: fc.constantFrom(...JSON_TYPES) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_TYPES) },
  );
  const more = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...MORE_HEADERS) },
  );
  const text = fc.oneof({ weight: 11, arbitrary: body }, { weight: 1, arbitrary: largeBody });
  return fc
    .tuple(text, authorization, accept, contentType, more)
    .map(([text, token, types, type, others]) => ({
      body: text,
      headers: {
        'content-type': type,
        ...(token !== undefined && { authorization: token }),
        ...(types !== undefined && { accept: types }),
        ...others,
      },
    }));
}
