/** Errors as data: a page in another language needs reasons and values alone. */
import { describe, expect, it } from '@jest/globals';
import type { Reason, Reasoned, ValuesOfReason } from '../../generated/front-end.js';
import { ERRORS, type ErrorRow, type ValuesOf } from '../../src/base/error-table.js';
import { PUBLISHED_ERRORS } from '../support/published-errors.js';
import { gatewayForAllTests } from '../support/resources.js';
import { createAccount, reportOf } from '../support/job-requests.js';
import { finishedJob, startJob, type StartedKind } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';
import { inJapanese, shownInJapanese } from './japanese-errors.js';

/** The published types are those of the table; the compiler checks it. */
type OfTable = { readonly [Name in Reason]: ValuesOf<Name> };
const published = (values: OfTable): ValuesOfReason => values;
const ofTable = (values: ValuesOfReason): OfTable => values;

function sample(name: string, at: number): number | string | readonly string[] {
  if (['ids', 'names', 'reasons', 'variables'].includes(name)) return [`<${name}>`];
  return ['count', 'found', 'limit', 'min', 'max', 'seconds'].includes(name) ? 7_001 + at : `<${name}>`;
}

describe('the list of errors', () => {
  it('has every reason that GraphQL can carry, and no other', () => {
    expect([published, ofTable]).toHaveLength(2);
    const carried = Object.entries<ErrorRow>(ERRORS).filter(
      ([, { code, field, item, warning, read }]) => code ?? item ?? warning ?? (field && read === 'front ends'),
    );
    expect(new Set(PUBLISHED_ERRORS.map(({ reason }) => reason))).toEqual(new Set(carried.map(([reason]) => reason)));
  });

  it.each(PUBLISHED_ERRORS)('lets a page in Japanese show $reason in $where with all its values', (entry) => {
    const values = Object.fromEntries(entry.values.map((name, at) => [name, sample(name, at)]));
    const shown = inJapanese({ reason: entry.reason, values } as unknown as Reasoned); // as published
    expect(shown).toMatch(/[\u3000-\u30ff\u4e00-\u9fff]/);
    // Faults are shown one by one.
    const told = Object.entries(values).filter(([name]) => name !== 'reasons');
    for (const [, value] of told) expect(shown).toContain(String(value));
    expect(shown.replace(/<\w+>/g, '')).not.toMatch(/[a-z]/i);
  });

  it.each([
    [{ reason: 'UnknownOperation', values: { name: 'My Operation' } }, ['操作「My Operation」はありません。']],
    [{ errors: [{ extensions: { reason: 'Busy', values: {} } }] }, [expect.stringContaining('混み合って')]],
  ])('is found wherever it stands in a reply: %j', (reply, shown) => expect(shownInJapanese(reply)).toEqual(shown));

  it.each([
    ['a phrase', { reason: 'FieldRequired', values: { field: 'the password' } }, 'phrase'],
    ['no values', { extensions: { reason: 'Busy' } }, 'other values'],
    ['a value that is not published', { reason: 'Busy', values: { seconds: 1 } }, 'other values'],
    ['an unknown reason', { reason: 'Unheard', values: {} }, 'other values'],
  ])('is missed in a reply with %s', (_what, reply, fault) => expect(() => shownInJapanese(reply)).toThrow(fault));
});

describe('a page in Japanese', () => {
  const gateway = gatewayForAllTests({ JOB_PATIENCE_SECONDS: '0' });

  async function shown(query: string, variables: object = {}): Promise<readonly string[]> {
    return shownInJapanese((await gateway.graphql(query, variables, await gateway.bearer())).body);
  }

  it('shows refusals, limits on time, and each fault of an input', async () => {
    const start = `mutation ($input: DrivingReportsInput!) { startDrivingReports(input: $input) { jobId } }`;
    const driver = { mobileId: '999999', employeeCode: '', employeeName: '' };
    const drivers = [driver, { ...driver, mobileId: 'a mobile' }];
    expect(await shown(start, { input: { date: '2026-11-20T00:00:00Z', drivers } })).toEqual([
      '次の移動局はありません（2件）：999999、a mobile',
      'その移動局はありません',
      'その移動局はありません',
    ]);
    const input = { date: '2026-02-30T00:00:00Z', drivers: [{ ...driver, employeeCode: 'x'.repeat(257) }] };
    expect(await shown(start, { input })).toEqual([
      '入力に2件の誤りがあります。',
      'その日付はありません',
      '256文字以内でなければなりません',
    ]);
    const login = 'mutation { userLogin(loginId: "guessed", password: "wrong") { otpRequired } }';
    const refused = await waitFor('a limit', async () => {
      const [text = ''] = await shown(login);
      return text.includes('多すぎます') && text;
    });
    expect(refused).toMatch(/^ログインの試行が多すぎます。\d+秒後にもう一度お試しください。$/);
  });

  it('shows each failure and warning of a job', async () => {
    const told = async (kind: StartedKind, value: unknown): Promise<readonly string[]> => {
      const { jobId } = await startJob(gateway, kind, value);
      await finishedJob(gateway, kind, jobId);
      const parts = 'failures { reason values message } warnings { reason values message }';
      return shown(`query ($jobId: ID!) { job(jobId: $jobId) { ${parts} } }`, { jobId });
    };
    gateway.sandbox.faults.set({ backend: 'geo-api', fault: { kind: 'status', status: 500 } });
    const refused = { kind: 'status', status: 422, message: 'not today' } as const;
    gateway.sandbox.faults.set({ operation: 'getDrivingRecord', mobileId: '2', fault: refused });
    expect(await told('reports', reportOf(1, 2))).toEqual([
      '「not today」',
      '1人の運転者の住所を調べられませんでした。',
    ]);
    const items = [createAccount('new', { password: '' }), createAccount('demo')];
    expect(await told('accounts', items)).toEqual([
      'アカウントの作成にはpasswordが必要です',
      expect.stringMatching(/^「.*」$/),
    ]);
  });
});
