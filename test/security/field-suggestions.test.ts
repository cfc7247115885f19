/** In production no answer suggests the right spelling of a name, whichever way the wrong one comes. */
import { describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { HANDLERS } from '../support/graphql-handlers.js';
import { forAllTests } from '../support/resources.js';
import { OPERATIONS } from '../support/started-jobs.js';

/** Executions after which an operation is compiled, and one more. */
const TIMES = 7;

const production = forAllTests(() => startTestGateway({}, { production: true }));
const development = forAllTests(startTestGateway);

interface Typo {
  readonly query: string;
  readonly variables?: object;
}

const REPORT = { date: '2026-11-20T00:00:00Z', drivers: [{ mobileId: '1', employeeCode: 'E', employeeName: 'N' }] };
const { start: START } = OPERATIONS.reports;
const { start: ACCOUNTS } = OPERATIONS.accounts;
const { start: MOBILES } = OPERATIONS.mobiles;
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
  'an input field of a variable': { query: START, variables: { value: { ...REPORT, drives: [] } } },
  'an input field deep in a variable': {
    query: START,
    variables: { value: { ...REPORT, drivers: [{ ...REPORT.drivers[0], employeeNam: 'N' }] } },
  },
  'an input field of an account': {
    query: ACCOUNTS,
    variables: { value: [{ type: 1, userAccountInput: { loginId: 'a', useVPTGrpFiltr: true } }] },
  },
  'an input field in large variables': { query: MOBILES, variables: { value: padded({ id: 1, nam: 'x' }) } },
  'an enum value of a literal': {
    query: '{ __type(name: "JobState") { enumValues(includeDeprecatd: true) { name } } }',
  },
  'a meta field': { query: '{ __schem { types { name } } }' },
  'a type of introspection': { query: '{ ...F } fragment F on __Schem { types { name } }' },
};

/** Asks through a handler. Variables may be longer than a target; the query alone is looked at then. */
async function ask(
  handler: keyof typeof HANDLERS,
  gateway: TestGateway,
  { query, variables = {} }: Typo,
): Promise<string> {
  const isShort = JSON.stringify(variables).length < 4_000;
  const asked =
    handler === 'GET'
      ? { query: query.replace(/^mutation/, 'query'), ...(isShort && { variables }) }
      : { query, variables };
  return (await HANDLERS[handler](gateway.url, asked, { authorization: await gateway.bearer() })).text;
}

describe.each(['POST', 'chunked POST', 'GET'] as const)('in production, by %s, nothing is suggested for', (handler) => {
  it.each(Object.entries(TYPOS))('%s', async (_what, typo) => {
    // Direct requests are compiled; the other handlers are Yoga's.
    for (let time = 0; time < (handler === 'POST' ? TIMES : 1); time += 1) {
      const reply = await ask(handler, production, typo);
      const { errors } = JSON.parse(reply) as { errors?: { message: string }[] };
      expect(errors?.length).toBeGreaterThan(0);
      expect(reply).not.toMatch(/did you mean|suggest/i);
    }
  });
});

it('in development suggestions are made, so that the table above holds what would lead to them', async () => {
  const suggested: string[] = [];
  // Faults of variables and literals have texts of our own, without suggestions.
  const typos = Object.entries<Typo>(TYPOS).filter(
    ([what, { variables }]) => variables === undefined && !what.endsWith('literal'),
  );
  for (const [what, typo] of typos) {
    const reply = await ask('POST', development, typo);
    if (/did you mean/i.test(reply)) suggested.push(what);
  }
  expect(suggested.length).toBeGreaterThan(typos.length * 0.8);
});
