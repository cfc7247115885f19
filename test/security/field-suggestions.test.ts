/** In production nobody is told how a name is spelled rightly, whichever way the wrong one comes. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

/** Executions after which an operation is compiled, and one more. */
const TIMES = 7;

let production: TestGateway;
let development: TestGateway;
beforeAll(async () => {
  production = await startTestGateway({}, { production: true });
  development = await startTestGateway();
});
afterAll(async () => {
  await production.close();
  await development.close();
});

interface Typo {
  readonly query: string;
  readonly variables?: object;
}

const REPORT = { date: '2026-11-20T00:00:00Z', drivers: [{ mobileId: '1', employeeCode: 'E', employeeName: 'N' }] };
const START = 'mutation($input: DrivingReportsInput!) { startDrivingReports(input: $input) { jobId } }';
const ACCOUNTS =
  'mutation($items: [UserAccountOperationInput!]!) { startBulkOperationUserAccount(items: $items) { jobId } }';
const MOBILES = 'mutation($items: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $items) { jobId } }';
const padded = (item: object): object[] => [
  ...Array.from({ length: 1_000 }, () => ({ id: 1, name: 'x'.repeat(20) })),
  item,
];

/** Names that are nearly right, wherever a name can stand. */
const TYPOS: Readonly<Record<string, Typo>> = {
  'a root field': { query: '{ serviceVersio }' },
  'a root field of a mutation': { query: 'mutation { userLogn(loginId: "a", password: "b") { otpRequired } }' },
  'a nested field': { query: '{ me { Ogr BackendUsr } }' },
  'a field in a named fragment': { query: '{ me { ...F } } fragment F on AuthUser { Ogr }' },
  'a field in an inline fragment': { query: '{ ... on Query { mobles { edges { cursor } } } }' },
  'a field that belongs to other types': { query: '{ me { progress { done } } }' },
  'a field without its selection': { query: '{ me }' },
  'a type of a fragment': { query: '{ me { ...F } } fragment F on AuthUsr { Org }' },
  'a type of an inline fragment': { query: '{ me { ... on AuthUsr { Org } } }' },
  'a type of a variable': { query: 'query($a: Itn) { mobile(id: $a) { id } }' },
  'an input type of a variable': { query: START.replace('DrivingReportsInput', 'DrivingReportInput') },
  'an argument': { query: '{ mobile(idd: 1) { id } }' },
  'an argument of a mutation': { query: 'mutation { userLogin(loginID: "a", pasword: "b") { otpRequired } }' },
  'an argument of a directive': { query: '{ me @include(iff: true) { Org } }' },
  'a directive': { query: '{ me @inclde(if: true) { Org } }' },
  'an input field of a literal': {
    query: 'mutation { startDrivingReports(input: { date: "x", drivers: [], driver: 1, dat: "y" }) { jobId } }',
  },
  'an input field of a nested literal': {
    query: 'mutation { startBulkUpdateMobile(items: [{ id: 1, nam: "a", tagIs: [1] }]) { jobId } }',
  },
  'an input field of a variable': { query: START, variables: { input: { ...REPORT, drives: [] } } },
  'an input field deep in a variable': {
    query: START,
    variables: { input: { ...REPORT, drivers: [{ ...REPORT.drivers[0], employeeNam: 'N' }] } },
  },
  'an input field of an account': {
    query: ACCOUNTS,
    variables: { items: [{ type: 1, userAccountInput: { loginId: 'a', useVPTGrpFiltr: true } }] },
  },
  'an input field in large variables': { query: MOBILES, variables: { items: padded({ id: 1, nam: 'x' }) } },
  'an enum value of a literal': {
    query: '{ __type(name: "JobState") { enumValues(includeDeprecatd: true) { name } } }',
  },
  'a meta field': { query: '{ __schem { types { name } } }' },
  'a type of introspection': { query: '{ ...F } fragment F on __Schem { types { name } }' },
};

type Door = (gateway: TestGateway, typo: Typo) => Promise<string>;

/** The ways a request can take. */
const DOORS: Readonly<Record<string, Door>> = {
  directly: async (gateway, { query, variables }) =>
    (await gateway.graphql(query, variables, await gateway.bearer())).text,
  'by chunked POST': async (gateway, typo) => {
    const headers = {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      authorization: await gateway.bearer(),
    };
    const sent = httpRequest(`${gateway.url}/graphql`, { method: 'POST', headers });
    sent.end(JSON.stringify(typo));
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    return text(reply);
  },
  'by GET': async (gateway, { query, variables }) => {
    // Variables may be longer than a target; the query alone is looked at then.
    const asked = new URLSearchParams({ query: query.replace(/^mutation/, 'query') });
    const json = JSON.stringify(variables ?? {});
    if (json.length < 4_000) asked.set('variables', json);
    const reply = await fetch(`${gateway.url}/graphql?${String(asked)}`);
    return reply.text();
  },
};

describe.each(Object.entries(DOORS))('in production, %s, nothing is suggested for', (_door, ask) => {
  it.each(Object.entries(TYPOS))('%s', async (_what, typo) => {
    for (let time = 0; time < TIMES; time += 1) {
      const reply = await ask(production, typo);
      const { errors } = JSON.parse(reply) as { errors?: { message: string }[] };
      expect(errors?.length).toBeGreaterThan(0);
      expect(reply).not.toMatch(/did you mean|suggest/i);
    }
  });
});

it('in development suggestions are made, so that the table above holds what would lead to them', async () => {
  const suggested: string[] = [];
  for (const [what, typo] of Object.entries(TYPOS)) {
    const reply = await DOORS['directly']?.(development, typo);
    if (/did you mean/i.test(reply ?? '')) suggested.push(what);
  }
  expect(suggested.length).toBeGreaterThan(Object.keys(TYPOS).length * 0.8);
});
