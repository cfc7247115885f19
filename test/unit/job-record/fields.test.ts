import { describe, expect, it } from '@jest/globals';
import { parseJobRecordFields, toJobRecordFields } from '../../../src/job-record/fields.js';
import type { JobRecord } from '../../../src/job-record/job-record.js';
import { DamagedError } from '../../../src/job-record/stored.js';

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
  done: 2,
  checkpoint: '[2]',
  lease: { fencingToken: '1.n', expiresAt: 1_200 },
};
const FINISHED: JobRecord = {
  ...PENDING,
  orderedBy: { BackendUser: '利用者', LoggedInId: 'demo' },
  state: 'finished',
  startedAt: 1_100,
  finishedAt: 1_300,
  cancelledAt: 1_200,
  attempt: 1,
  done: 3,
  result: {
    status: 200,
    body: '{"status":"Failure"}',
    failedItems: [0, 2],
    itemErrors: [
      ['a', 'NotFound'],
      [null, 'Cancelled'],
    ],
    warnings: [{ code: 'C', message: 'm' }],
  },
};

describe('A record of a newer format', () => {
  it('is left to somebody who can read it', () => {
    const newer = { ...toJobRecordFields(PENDING), format: '2' };
    expect(() => parseJobRecordFields(newer)).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ message: expect.stringContaining('The record of the job has format 2') }),
      }),
    );
  });
});

describe('The fingerprint of a job record', () => {
  it('is stored in parts, of which earlier builds read the one they know', () => {
    const record = { ...PENDING, fingerprint: 'kid.print' };
    const fields = toJobRecordFields(record);
    expect(fields).toMatchObject({ fingerprint: 'print', fingerprint_kid: 'kid' });
    expect(parseJobRecordFields(fields)).toEqual(record);
  });

  it('of an earlier build has no name of its key', () => {
    expect(toJobRecordFields(PENDING)).not.toHaveProperty('fingerprint_kid');
    expect(parseJobRecordFields(toJobRecordFields(PENDING))).toEqual(PENDING);
  });
});

describe('The fields of a job record', () => {
  it('are those of the specification, and those beside them', () => {
    expect(toJobRecordFields(FINISHED)).toEqual({
      completed: 1,
      callback_result_status: 200,
      callback_result_body: '{"status":"Failure"}',
      failed_items: '[0,2]',
      item_errors: '[["a","NotFound"],[null,"Cancelled"]]',
      state: 'finished',
      total: 3,
      done: 3,
      format: 1,
      warnings: '[{"code":"C","message":"m"}]',
      ordered_by: '{"BackendUser":"利用者","LoggedInId":"demo"}',
      created_at: 1_000,
      started_at: 1_100,
      finished_at: 1_300,
      cancelled_at: 1_200,
      attempt: 1,
      fingerprint: 'print',
      retention_ms: 500,
      expires_at: 1_500,
    });
    expect(toJobRecordFields(RUNNING)).toMatchObject({
      completed: 0,
      state: 'running',
      lease_token: '1.n',
      lease_expires_at: 1_200,
    });
  });

  it.each([
    ['pending', PENDING],
    ['running', RUNNING],
    ['finished', FINISHED],
  ])('of a %s job are read back exactly, as numbers or as texts', (_state, record) => {
    const fields = toJobRecordFields(record);
    const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    expect(parseJobRecordFields(fields)).toStrictEqual(record);
    expect(parseJobRecordFields(texts)).toStrictEqual(record);
  });

  it('have no item errors where a newer version wrote a code that is not known yet', () => {
    const { result, ...rest } = parseJobRecordFields({ ...toJobRecordFields(FINISHED), item_errors: '[["a","New"]]' });
    expect(rest.state).toBe('finished');
    expect(result?.body).toBe(FINISHED.result?.body);
    expect(result).not.toHaveProperty('itemErrors');
  });

  it.each([
    ['total', { total: undefined }],
    ['total', { total: '' }],
    ['total', { total: '1.5' }],
    ['total', { total: -1 }],
    ['total', { total: '0x10' }],
    ['total', { total: '1x' }],
    ['total', { total: 'x1' }],
    ['total', { total: true }],
    ['total', { total: ['3'] }],
    ['failed_items', { failed_items: '0,2' }],
    ['item_errors', { item_errors: '[["a"]]' }],
    ['item_errors', { item_errors: '[[1,"NotFound"]]' }],
    ['item_errors', { item_errors: '[["a",1]]' }],
    ['item_errors', { item_errors: '{}' }],
    ['failed_items', { failed_items: '[0,2' }],
    ['failed_items', { failed_items: 'x[0,2]' }],
    ['failed_items', { failed_items: '[0,2]x' }],
    ['failed_items', { failed_items: '[0,]' }],
    ['failed_items', { failed_items: '[-1]' }],
    ['failed_items', { failed_items: '[0.5]' }],
    ['callback_result_status', { callback_result_status: undefined, callback_result_body: undefined }],
    ['expires_at', { expires_at: '99999999999999999' }],
    ['fingerprint', { fingerprint: 7 }],
    ['state', { state: 'lost' }],
    ['ordered_by', { ordered_by: 'demo' }],
    ['ordered_by.BackendUser', { ordered_by: '{"LoggedInId":"demo"}' }],
    ['ordered_by.LoggedInId', { ordered_by: '{"BackendUser":"user","LoggedInId":7}' }],
    ['completed', { completed: 0 }],
    ['callback_result_body', { callback_result_body: 3 }],
    ['completed', { state: 'running' }],
  ])('are refused, naming %s, when they hold %j', (name, changes) => {
    const damaged = { ...toJobRecordFields(FINISHED), ...changes };
    expect(() => parseJobRecordFields(damaged)).toThrow(DamagedError);
    expect(() => parseJobRecordFields(damaged)).toThrow(`field ${name} `);
  });

  it.each([
    ['callback_result_status', FINISHED, 'callback_result_status'],
    ['callback_result_body', FINISHED, 'callback_result_body'],
    ['lease_token', RUNNING, 'lease_token'],
    ['lease_expires_at', RUNNING, 'lease_expires_at'],
    ['state', PENDING, 'state'],
    ['attempt', PENDING, 'attempt'],
  ] as const)('are refused when %s is missing', (name, record, missing) => {
    const { [missing]: _left, ...rest } = toJobRecordFields(record);
    expect(() => parseJobRecordFields(rest)).toThrow(`field ${name} `);
  });

  it.each([
    ['is not a whole number', { total: '1.5' }],
    ['is not text', { fingerprint: 7 }],
    ['is no list of whole numbers', { failed_items: '[x]' }],
    ['is missing', { ordered_by: '{}' }],
    ['is no object', { ordered_by: '7' }],
    ['is "lost"', { state: 'lost' }],
    ['contradicts state "finished"', { completed: 0 }],
  ])('say what is wrong with them: %s', (fault, changes) => {
    const damaged = { ...toJobRecordFields(FINISHED), ...changes };
    expect(() => parseJobRecordFields(damaged)).toThrow(` ${fault}.`);
  });

  it('of a finished job without a reply are refused, and so are those of a running one with a reply', () => {
    const {
      callback_result_status: _s,
      callback_result_body: _b,
      failed_items: _f,
      ...rest
    } = toJobRecordFields(FINISHED);
    expect(() => parseJobRecordFields(rest)).toThrow('field callback_result_status is missing');
    const replied = { ...toJobRecordFields(RUNNING), callback_result_status: 200, callback_result_body: '{}' };
    expect(() => parseJobRecordFields(replied)).toThrow('field callback_result_status contradicts state "running"');
  });

  it.each([[[]], [[0]], [[10, 9_999]]])('hold which items failed: %j', (failedItems) => {
    const record = { ...FINISHED, result: { status: 200, body: '{}', failedItems } };
    expect(parseJobRecordFields(toJobRecordFields(record))).toStrictEqual(record);
  });

  it('are refused when they are no object', () => {
    expect(() => parseJobRecordFields('text')).toThrow(DamagedError);
    expect(() => parseJobRecordFields(null)).toThrow(DamagedError);
  });
});
