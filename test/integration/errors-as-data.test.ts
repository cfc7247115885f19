/** Errors as data: a page in another language needs reasons and values alone. */
import { describe, expect, it } from '@jest/globals';
import type { Reason, ValuesOfReason } from '../../generated/front-end.js';
import { ERRORS, type ErrorRow, type ValuesOf } from '../../src/error-table.js';
import { PUBLISHED_ERRORS, reasonsIn } from '../support/published-errors.js';
import { gatewayForAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

/** The published types are those of the table; the compiler checks it. */
type OfTable = { readonly [Name in Reason]: ValuesOf<Name> };
const published = (values: OfTable): ValuesOfReason => values;
const ofTable = (values: ValuesOfReason): OfTable => values;

describe('the list of errors', () => {
  it('has every reason that GraphQL can carry, and no other', () => {
    expect([published, ofTable]).toHaveLength(2);
    const carried = Object.entries<ErrorRow>(ERRORS).filter(
      ([, { code, field, item, warning, read }]) => code ?? item ?? warning ?? (field && read === 'front ends'),
    );
    expect(new Set(PUBLISHED_ERRORS.map(({ reason }) => reason))).toEqual(new Set(carried.map(([reason]) => reason)));
  });

  it('is found wherever it stands in a reply', () => {
    const unknown = { reason: 'UnknownOperation', values: { name: 'My Operation' } };
    const busy = { reason: 'Busy', values: {} };
    expect(reasonsIn({ ...unknown, errors: [{ extensions: busy }] })).toEqual([unknown, busy]);
  });

  it.each([
    ['a phrase', { reason: 'FieldRequired', values: { field: 'the password' } }, 'phrase'],
    ['no values', { extensions: { reason: 'Busy' } }, 'other values'],
    ['a value that is not published', { reason: 'Busy', values: { seconds: 1 } }, 'other values'],
    ['an unknown reason', { reason: 'Unheard', values: {} }, 'other values'],
  ])('is missed in a reply with %s', (_what, reply, fault) => {
    expect(() => reasonsIn(reply)).toThrow(fault);
  });
});

describe('a page in another language', () => {
  const gateway = gatewayForAllTests({ JOB_PATIENCE_SECONDS: '0' });

  const shown = async (query: string, variables: object = {}): Promise<readonly object[]> =>
    reasonsIn((await gateway.graphql(query, variables, await gateway.bearer())).body);

  it('learns of refusals, limits on time, and each fault of an input', async () => {
    const start = `mutation ($input: DrivingReportsInput!) { startDrivingReports(input: $input) { jobId } }`;
    const driver = { mobileId: '999999', employeeCode: '', employeeName: '' };
    const drivers = [driver, { ...driver, mobileId: 'a mobile' }];
    expect(await shown(start, { input: { date: '2026-11-20T00:00:00Z', drivers } })).toEqual([
      { reason: 'UnknownMobile', values: { ids: ['999999', 'a mobile'], count: 2 } },
      { reason: 'NotKnownMobile', values: {} },
      { reason: 'NotKnownMobile', values: {} },
    ]);
    const input = { date: '2026-02-30T00:00:00Z', drivers: [{ ...driver, employeeCode: 'x'.repeat(257) }] };
    expect(await shown(start, { input })).toEqual([
      { reason: 'InvalidInput', values: { reasons: ['NoSuchDate', 'TextTooLong'] } },
      { reason: 'NoSuchDate', values: {} },
      { reason: 'TextTooLong', values: { max: 256 } },
    ]);
    const login = 'mutation { userLogin(loginId: "guessed", password: "wrong") { otpRequired } }';
    const refused = await waitFor('a limit', async () => {
      const [refusal] = await shown(login);
      return JSON.stringify(refusal).includes('TooMany') && refusal;
    });
    expect(refused).toEqual({ reason: 'TooManyLogins', values: { seconds: expect.any(Number) } });
  });

  it('learns of each failure and warning of a job', async () => {
    const failures = 'failures { reason values message } warnings { reason values message }';
    const poll = (kind: string): string => `query ($jobId: ID!) {
      status: fetch${kind}Status(jobId: $jobId) { completed ${failures} } }`;
    const ended = async (kind: string, query: string, variables: object): Promise<readonly object[]> => {
      const { data } = await gateway.graphql(query, variables, await gateway.bearer());
      const { jobId } = data?.['job'] as { readonly jobId: string }; // as selected
      return waitFor('the end of the job', async () => {
        const { body, data: polled } = await gateway.graphql(poll(kind), { jobId }, await gateway.bearer());
        return (polled?.['status'] as { readonly completed: boolean }).completed && reasonsIn(body); // as selected
      });
    };
    gateway.sandbox.faults.set({ backend: 'geo-api', fault: { kind: 'status', status: 500 } });
    const refused = { kind: 'status', status: 422, message: 'not today' } as const;
    gateway.sandbox.faults.set({ operation: 'getDrivingRecord', mobileId: '2', fault: refused });
    const drivers = ['1', '2'].map((mobileId) => ({ mobileId, employeeCode: '', employeeName: '' }));
    const report = 'mutation ($input: DrivingReportsInput!) { job: startDrivingReports(input: $input) { jobId } }';
    const input = { date: '2026-11-19T00:00:00+09:00', drivers };
    expect(await ended('DrivingReports', report, { input })).toEqual([
      { reason: 'RefusedByBackend', values: { backendText: 'not today' } },
      { reason: 'AddressesMissing', values: { count: 1 } },
    ]);
    const accounts = `mutation ($items: [UserAccountOperationInput!]!) {
      job: startBulkOperationUserAccount(items: $items) { jobId } }`;
    const account = (loginId: string, more: object = {}): object => ({
      type: 'CREATE',
      userAccountInput: { loginId, ...more },
    });
    const items = [account('new'), account('demo', { password: 'a-password', name: 'Taken' })];
    expect(await ended('BulkOperationUserAccount', accounts, { items })).toEqual([
      { reason: 'FieldRequired', values: { field: 'password' } },
      { reason: 'RefusedByBackend', values: { backendText: expect.any(String) } },
    ]);
  });
});
