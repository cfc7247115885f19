import { describe, expect, it } from '@jest/globals';
import { parseRecordFields, toRecordFields } from '../../../src/jobs/record/record-fields.js';
import type { JobRecord } from '../../../src/jobs/record/job-record.js';
import { DamagedError } from '../../../src/jobs/record/stored-fields.js';

const PENDING: JobRecord = {
  state: 'pending',
  total: 3,
  done: 0,
  createdAt: 1_000,
  attempt: 0,
  fingerprint: 'print',
  retentionMs: 500,
  expiresAt: 1_500,
};
const RUNNING: JobRecord = {
  ...PENDING,
  waiting: { reason: 'wrong_address', since: 1_050 },
  state: 'running',
  startedAt: 1_100,
  attempt: 1,
  keyPrefix: 'acme:job',
  done: 2,
  checkpoint: '[2]',
  lease: { fencingToken: '1.n', expiresAt: 1_200 },
};
const FINISHED: JobRecord = {
  ...PENDING,
  orderedBy: { BackendUser: '利用者', LoggedInId: 'demo' },
  state: 'finished',
  startedAt: 1_100,
  fetchedAt: 1_150,
  finishedAt: 1_300,
  cancelledAt: 1_200,
  dropped: { reason: 'no use', at: 1_250 },
  attempt: 1,
  done: 3,
  result: {
    status: 200,
    body: '{"status":"Failure"}',
    failures: [
      { from: 0, label: 'a', code: 'NotFound', reason: 'UnknownToBackend', values: { backendText: 'none' } },
      { from: 1, to: 2, code: 'Cancelled' },
    ],
    warnings: [{ code: 'Waiting', message: 'm', values: {} }],
  },
};

describe('The fields of a job record', () => {
  it('of a newer format are left to a version that can read them', () => {
    const message = expect.stringContaining(
      'The record of the job has format 3, and this version knows formats up to 2',
    );
    expect(() => parseRecordFields({ ...toRecordFields(PENDING), format: '3' })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message }) }),
    );
  });

  it('hold the fingerprint in parts, of which earlier builds read the one they know', () => {
    const record = { ...PENDING, fingerprint: 'kid.print' };
    const fields = toRecordFields(record);
    expect(fields).toMatchObject({ fingerprint: 'print', fingerprint_kid: 'kid' });
    expect(parseRecordFields(fields)).toEqual(record);
  });

  it('are those of the specification, and those beside them', () => {
    expect(toRecordFields(FINISHED)).toEqual({
      completed: 1,
      callback_result_status: 200,
      callback_result_body: '{"status":"Failure"}',
      failures: JSON.stringify(FINISHED.result?.failures),
      state: 'finished',
      total: 3,
      done: 3,
      format: 2,
      warnings: '[{"code":"Waiting","message":"m","values":{}}]',
      ordered_by: '{"BackendUser":"利用者","LoggedInId":"demo"}',
      created_at: 1_000,
      started_at: 1_100,
      fetched_at: 1_150,
      finished_at: 1_300,
      cancelled_at: 1_200,
      dropped_reason: 'no use',
      dropped_at: 1_250,
      attempt: 1,
      fingerprint: 'print',
      retention_ms: 500,
      expires_at: 1_500,
    });
    expect(toRecordFields(RUNNING)).toMatchObject({
      completed: 0,
      format: 1,
      lease_token: '1.n',
      lease_expires_at: 1_200,
    });
  });

  it.each([
    ['pending', PENDING],
    ['running', RUNNING],
    ['finished', FINISHED],
  ])('of a %s job are read back exactly, as numbers or as texts', (_state, record) => {
    const fields = toRecordFields(record);
    const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    expect(parseRecordFields(fields)).toStrictEqual(record);
    expect(parseRecordFields(texts)).toStrictEqual(record);
  });

  it('have no warning, and a failure of ours, where a newer version wrote a code that is not known yet', () => {
    const newer = { failures: '[{"from":0,"code":"New"}]', warnings: '[{"code":"New","message":"m"}]' };
    const { result } = parseRecordFields({ ...toRecordFields(FINISHED), ...newer });
    expect(result).toEqual({ ...FINISHED.result, warnings: [], failures: [{ from: 0, code: 'InternalError' }] });
  });

  it('keep one range for a job that never ran, from which the errors of its reply are made', () => {
    const message = 'not done';
    const errors = Array.from({ length: 1_000 }, (_, index) => `[${index}] ${message}`);
    const body = JSON.stringify({ status: 'Failure', data: {}, errors });
    const failures = [{ from: 0, to: 999, code: 'Cancelled', reason: 'NotBegun', message }] as const;
    const unsent = { status: 500, body: '{"message":"m"}', unsentReply: body, failures };
    for (const result of [{ status: 200, body, failures }, unsent]) {
      const record = { ...FINISHED, total: 1_000, result };
      const fields = toRecordFields(record);
      expect(JSON.stringify(fields).length).toBeLessThan(800);
      expect(parseRecordFields(fields)).toStrictEqual(record);
    }
  });

  it('of a job that 0.2.0 has ended are read as ours', () => {
    const { failures: _ours, ...fields } = toRecordFields(FINISHED);
    const lists = {
      failed_items: '[0,1,2]',
      item_errors: '[["a","NotFound"],[null,"Cancelled"],[null,"Cancelled"]]',
      failure_reasons: '[["UnknownToBackend",{"backendText":"none"}],[null,{}],[null,{}]]',
    };
    expect(parseRecordFields({ ...fields, format: '1', ...lists })).toStrictEqual(FINISHED);
    expect(() => parseRecordFields({ ...fields, ...lists, failed_items: '[0.5]' })).toThrow('failed_items is no list');
    expect(() => parseRecordFields({ ...fields, ...lists, item_errors: '[["a"]]' })).toThrow('item_errors is no list');
    const { result } = parseRecordFields({ ...fields, failed_items: '[]' });
    expect(result).not.toHaveProperty('failures');
  });

  it.each<[fault: string, changes: object, record?: JobRecord]>([
    ['total', { total: undefined }],
    ['total is not a whole number', { total: '1.5' }],
    ['total', { total: -1 }],
    ['total', { total: '0x10' }],
    ['total', { total: true }],
    ['failures is no list of failures', { failures: '[{"from":0,"code":"NotFound"}' }],
    ['failures', { failures: '[{"from":-1,"code":"NotFound"}]' }],
    ['failures', { failures: '[{"from":1,"to":0,"code":"NotFound"}]' }],
    ['failures', { failures: '[{"from":0}]' }],
    ['failures', { failures: '[{"from":0,"code":"NotFound","label":1}]' }],
    ['failures names an item beyond the last', { failures: '[{"from":0,"to":3,"code":"NotFound"}]' }],
    ['warnings', { warnings: '[null]' }],
    ['warnings', { warnings: '[{"code":"C"}]' }],
    ['callback_result_status', { callback_result_status: undefined }],
    ['callback_result_body', { callback_result_body: undefined }],
    [
      'callback_result_status is missing',
      { callback_result_status: undefined, callback_result_body: undefined, failures: undefined },
    ],
    [
      'callback_result_status contradicts state "running"',
      { callback_result_status: 200, callback_result_body: '{}' },
      RUNNING,
    ],
    ['expires_at', { expires_at: '99999999999999999' }],
    ['fingerprint is not text', { fingerprint: 7 }],
    ['state is "lost"', { state: 'lost' }],
    ['attempt', { attempt: undefined }, PENDING],
    ['lease_token', { lease_token: undefined }, RUNNING],
    ['lease_expires_at', { lease_expires_at: undefined }, RUNNING],
    ['ordered_by', { ordered_by: 'demo' }],
    ['ordered_by.BackendUser', { ordered_by: '{"LoggedInId":"demo"}' }],
    ['ordered_by.LoggedInId', { ordered_by: '{"BackendUser":"user","LoggedInId":7}' }],
    ['completed contradicts state "finished"', { completed: 0 }],
    ['completed', { state: 'running' }],
  ])('are refused by the fault of %s when they hold %j', (fault, changes, record = FINISHED) => {
    const damaged = { ...toRecordFields(record), ...changes };
    expect(() => parseRecordFields(damaged)).toThrow(DamagedError);
    expect(() => parseRecordFields(damaged)).toThrow(`field ${fault}${fault.includes(' ') ? '.' : ' '}`);
  });

  it('are refused when they are no object', () => {
    expect(() => parseRecordFields('text')).toThrow(DamagedError);
    expect(() => parseRecordFields(null)).toThrow(DamagedError);
  });
});
