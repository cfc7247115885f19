/**
 * Processor time of each shape of an anonymous request and of a backend's reply, beside parsing the same text as JSON
 * and, for requests, beside a plain request of its size. Ends with 1 if a shape costs more than its size explains. It
 * runs outside Jest, whose modules reach global functions slowly.
 */
import * as contract from '../../generated/validators/backend-api.js';
import { CallError } from '../../src/clients/call-error.js';
import { listed } from '../../src/clients/read-reply.js';
import type { DayOutcome } from '../../src/reports/model.js';
import { FontLibrary } from '../../src/reports/text/font-library.js';
import { randomFrom } from '../../src/sandbox/seed/random.js';
import { startTestGateway } from '../support/gateway.js';
import { HANDLERS } from '../support/graphql-handlers.js';
import { sampleTrips } from '../support/sample-report.js';
import { drawOurs } from './report-contenders.js';

const TURNS = 9;
/** Turns before, after which the code is compiled. */
const WARMING_UP = 6;
const MB = 1024 * 1024;
/** Largest cost, as a multiple of parsing the same text as JSON, or of a plain request of its size. */
const OF_PARSING = 3;
const OF_PLAIN = 2;
/** Largest cost of a driver whose texts are as long as they may be, as a multiple of one with usual texts. */
const OF_DRIVER = 4;
/** Part by which two measurements of the same work differ. */
const NOISE = 0.15;

const gateway = await startTestGateway();

const times = (count: number, one: (index: number) => string, separator = ','): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(separator);
const body = (query: string, variables = '{}'): string => `{"query":${JSON.stringify(query)},"variables":${variables}}`;
/** Repeats a part up to about 1.8 MB. */
const many = (one: (index: number) => string, separator = ','): string => {
  const length = one(100_000).length + separator.length;
  return times(Math.floor((1.8 * MB) / length), one, separator);
};

const START = 'mutation($v: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $v) { jobId } }';
const SEARCH = 'query($v: String) { mobiles(search: $v) { totalCount } }';
const IDS = 'query($v: [ID!]) { mobiles(tagIds: $v) { totalCount } }';
const ACCOUNTS = 'mutation($v: [UserAccountOperationInput!]!) { startBulkOperationUserAccount(items: $v) { jobId } }';

/** A plain request of a size: it carries text that is not read. */
const plain = (length: number): string => body('{ serviceVersion }', `{"unread":"${'x'.repeat(length)}"}`);
/** A usual document of about a size. */
const document = (length: number): string =>
  body(
    `{ ${times(
      Math.max(1, Math.round(length / 260)),
      (index) =>
        index > 9
          ? ''
          : `a${index}: mobiles { edges { cursor node {
  id name num position { latitude longitude speedKmh heading recordedAt address } voice { online talkGroup }
  tags { id name } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }`,
      ' ',
    )} }`,
  );

const SHAPES: Readonly<Record<string, string>> = {
  'unknown fields of an input': body(START, `{"v":[{${many((index) => `"f${index}":1`)}}]}`),
  'unknown fields of many inputs': body(
    START,
    `{"v":[${times(1_000, (index) => `{"id":1,"x${index}":"${'y'.repeat(1_700)}"}`)}]}`,
  ),
  'names of variables': body('{ serviceVersion }', `{${many((index) => `"v${index}":1`)}}`),
  'values of variables': body(SEARCH, `{"v":{${many((index) => `"f${index}":1`)}}}`),
  'a long text': body(SEARCH, `{"v":"${'x'.repeat(1.8 * MB)}"}`),
  'a list of numbers': body(IDS, `{"v":[${many(() => '1')}]}`),
  'a list of long numbers': body(IDS, `{"v":[${many(() => '12345678901234567890')}]}`),
  'numbers of any JSON': body(
    ACCOUNTS,
    `{"v":[{"type":"CREATE","userAccountInput":{"loginId":"a","indivs":[[${many(() => '1.5')}]]}}]}`,
  ),
  nesting: body(SEARCH, `{"v":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'nesting of any JSON': body(
    ACCOUNTS,
    `{"v":[{"type":"CREATE","userAccountInput":{"loginId":"a","indivs":[${times(9_999, () => `${'['.repeat(60)}${']'.repeat(60)}`)}]}}]}`,
  ),
  'keys of any JSON': body(
    ACCOUNTS,
    `{"v":[{"type":"CREATE","userAccountInput":{"loginId":"a","indivs":[{${many((index) => `"f${index}":1`)}}]}}]}`,
  ),
  'one key many times': body(START, `{"v":[{${many(() => '"id":1')}}]}`),
  'members of the body': `{"query":"{ serviceVersion }",${many((index) => `"f${index}":1`)}}`,
  escapes: body(SEARCH, `{"v":"${many(() => '\\u0041', '')}"}`),
  extensions: `{"query":"{ serviceVersion }","extensions":{${many((index) => `"f${index}":[{}]`)}}}`,
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  'unknown names': `{ me { ${times(900, (index) => `x${index}`, ' ')} } }`,
  'nearly right names': `{ me { ${times(900, (index) => `BackendUse${index % 10}`, ' ')} } }`,
  'repeated names': `{ me { ${times(980, () => 'Org', ' ')} } }`,
  'as many repeated names as may be': `{ me { ${times(100, () => 'Org', ' ')} } }`,
  'repeated objects': `{ ${times(240, () => 'me { Org }', ' ')} }`,
  'fragments in a chain': `{ ...F0 } ${times(60, (index) => `fragment F${index} on Query { me { Org } ...F${index + 1} }`, ' ')} fragment F60 on Query { me { Org } }`,
  'fragments side by side': `{ ${times(80, (index) => `...F${index}`, ' ')} } ${times(80, (index) => `fragment F${index} on Query { me { Org } }`, ' ')}`,
  'unknown arguments': `{ me(${times(300, (index) => `a${index}: 1`, ' ')}) { Org } }`,
  'wrong literals': `{ mobiles(tagIds: [${times(900, () => '"a"', ' ')}]) { totalCount } }`,
  'undeclared variables': `{ mobiles(tagIds: [${times(450, (index) => `$v${index}`, ' ')}]) { totalCount } }`,
};

/** Median processor time of each work in milliseconds, in turns. */
async function costs(works: readonly (() => unknown)[]): Promise<readonly number[]> {
  const found = works.map((): number[] => []);
  for (let turn = 0; turn < WARMING_UP + TURNS; turn += 1) {
    // In both orders, because garbage is collected after so many bytes, which may be once a turn, in the same work.
    const inOrder = [...works.entries()];
    for (const [index, work] of turn % 2 === 0 ? inOrder : inOrder.toReversed()) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (turn >= WARMING_UP) found[index]?.push((user + system) / 1_000);
    }
  }
  // The least of them: collecting the garbage of others can be part of each turn.
  return found.map((each) => Math.min(...each));
}

const ask = (text: string): Promise<unknown> => HANDLERS.POST(gateway.url, text);
const mobiles = listed('items', contract.MobilePage, contract.Mobile);
const mobile = { id: 1, num: 'M-1', name: 'Truck', tagIds: [], position: null };
const pageOf = (entry: string): string => `{"items":[${times(200, () => entry)}]}`;

const REPLIES: Readonly<Record<string, string>> = {
  'empty records': `{"items":[${times(700_000, () => '{}')}]}`,
  'odd records within the limit': pageOf(`{"id":"${'x'.repeat(10_000)}"}`),
  'records with many members': pageOf(`{${times(800, (index) => `"f${index}":1`)}}`),
  'records with long texts': pageOf(JSON.stringify({ ...mobile, name: 'x'.repeat(10_000) })),
  'records with long lists': pageOf(JSON.stringify({ ...mobile, tagIds: Array(5_000).fill(1) })),
};

function read(text: string): void {
  try {
    mobiles(text, 'backend-api', () => undefined, 200);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

const dear: string[] = [];

async function compare(what: string, text: string, work: () => unknown, like?: () => unknown): Promise<void> {
  const parse = (): unknown => JSON.parse(text);
  const [cost = NaN, ofParsing = NaN, ofPlain = 0] = await costs(like ? [work, parse, like] : [work, parse]);
  const most = Math.max(OF_PARSING * ofParsing, OF_PLAIN * ofPlain) * (1 + NOISE);
  report(what, [cost, ofParsing, ofPlain, most]);
}

function report(what: string, figures: readonly [cost: number, parsing: number, plain: number, most: number]): void {
  const [cost, , , most] = figures;
  const columns = figures.map((each) => (Number.isNaN(each) ? '' : each.toFixed(2)).padStart(9)).join('');
  process.stdout.write(`${what.padEnd(40)}${columns}${cost > most ? '  too much' : ''}\n`);
  if (cost > most) dear.push(what);
}

/** First and last letter of each script. */
const LETTERS: Readonly<Record<string, readonly [number, number]>> = {
  Latin: [0x61, 0x7a],
  Han: [0x4e00, 0x9fff],
  Hangul: [0xac00, 0xd7a3],
  Arabic: [0x621, 0x64a],
  Devanagari: [0x905, 0x939],
  Bengali: [0x985, 0x9b9],
  Tamil: [0xb85, 0xbb9],
};
const fonts = new FontLibrary();
const random = randomFrom(1);
const trips = sampleTrips(randomFrom(2), { locale: 'en', tripsPerDriver: 11, trackPoints: 200 });

/** Draws a report of drivers whose texts are made by a function of their longest length. */
function drawDrivers(text: (length: number) => string): Promise<number> {
  const days = Array.from({ length: 4 }, (): DayOutcome => {
    const vehicle = { num: text(256), name: text(256) };
    return {
      kind: 'day',
      trips,
      driver: { mobileId: text(128), employeeCode: text(256), employeeName: text(256), vehicle },
    };
  });
  return drawOurs(days, fonts, true);
}

process.stdout.write(
  `${'shape'.padEnd(40)}${['cost', 'parsing', 'plain', 'most'].map((each) => each.padStart(9)).join('')}\n`,
);
for (const [what, text] of Object.entries(SHAPES)) {
  await compare(
    what,
    text,
    () => ask(text),
    () => ask(plain(text.length)),
  );
}
for (const [what, query] of Object.entries(DOCUMENTS)) {
  const [text, like] = [body(query), document(query.length)];
  const tenTimes = (one: string) => async (): Promise<void> => {
    for (let time = 0; time < 10; time += 1) await ask(one);
  };
  await compare(what, text, tenTimes(text), tenTimes(like));
}
for (const [what, text] of Object.entries(REPLIES)) await compare(`a reply with ${what}`, text, () => read(text));
const usual = (): Promise<number> => drawDrivers(() => `Driver ${random.integer(0, 9_999)}`);
for (const [script, [first, last]] of Object.entries(LETTERS)) {
  const letters = (length: number): string =>
    times(length, () => String.fromCodePoint(random.integer(first, last)), '');
  const [cost = NaN, ofUsual = NaN] = await costs([() => drawDrivers(letters), usual]);
  report(`drivers with long texts: ${script}`, [cost, NaN, ofUsual, OF_DRIVER * ofUsual * (1 + NOISE)]);
}
await gateway.close();
process.exitCode = dear.length === 0 ? 0 : 1;
