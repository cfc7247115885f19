/** An error repeats no more than a line of what was sent. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { DRIVING_REPORT, MOBILES, USER_ACCOUNTS } from '../support/job-requests.js';

/** Longest message of an error, in characters. */
const LINE = 400;
const LONG = 'a'.repeat(50_000);
const START = 'mutation($input: DrivingReportsInput!) { startDrivingReports(input: $input) { jobId } }';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({}, { production: true });
});
afterAll(() => gateway.close());

describe('GraphQL errors repeat at most a line of', () => {
  it.each<[string, string, object]>([
    ['a name', `{ ${LONG} }`, {}],
    ['a type', `{ ... on ${LONG} { x } }`, {}],
    ['text where none is expected', `{ "${LONG}" }`, {}],
    ['an argument', `{ mobile(${LONG}: 1) { id } }`, {}],
    ['a literal', `{ mobile(id: "${LONG}") { id } }`, {}],
    ['a name of a variable', `query($${LONG}: Int) { serviceVersion }`, {}],
    ['a name in variables', START, { input: { [LONG]: 1 } }],
    ['a value in variables', START, { input: LONG }],
    ['a value deep in variables', START, { input: { date: [LONG], drivers: [] } }],
    ['a name of a wrong number', START, { [LONG]: { [LONG]: 2 ** 60 } }],
  ])('%s', async (_what, query, variables) => {
    const { errors = [] } = await gateway.graphql(query, variables, await gateway.bearer());
    expect(errors.length).toBeGreaterThan(0);
    for (const { message } of errors) expect(message.length).toBeLessThan(LINE);
  });

  it('a long message keeps its beginning and its end', async () => {
    const { errors = [] } = await gateway.graphql(
      START,
      { input: { date: [LONG], drivers: [] } },
      await gateway.bearer(),
    );
    expect(errors[0]?.message).toMatch(/^Variable "\$input" got (an )?invalid value .* … .+$/);
  });
});

describe('callbacks repeat at most a line of', () => {
  it.each<[string, string, string]>([
    ['a name of a wrong number', MOBILES, `[{"id":1,"${LONG}":9007199254740993}]`],
    [
      'names of a wrong number',
      USER_ACCOUNTS,
      `[{"type":2,"userAccountInput":{"loginId":"a","indivs":[{"${LONG}":{"${LONG}":9007199254740993}}]}}]`,
    ],
    ['a value', DRIVING_REPORT, `{"date":"${LONG}","drivers":[]}`],
  ])('%s', async (_what, route, body) => {
    const { status, text } = await gateway.callback(route, body);
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(LINE + 200);
  });
});
