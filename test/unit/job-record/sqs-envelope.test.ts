import { describe, expect, it } from '@jest/globals';
import { FORMAT, NewerFormatError } from '../../../src/jobs/record/stored-fields.js';
import {
  readSqsEnvelope,
  revived,
  wholeSeconds,
  writeSqsEnvelope,
  type SqsEnvelope,
} from '../../../src/jobs/record/sqs-envelope.js';
import { parseMessage, storedMessage } from '../../../src/jobs/record/message-fields.js';
import { sqsMessage } from '../../support/sqs-message.js';

const MESSAGE = sqsMessage(1, {
  org: '株式会社\u007f',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
});

/** The text of the message with some of its fields changed; undefined removes one. */
function changed(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(writeSqsEnvelope(MESSAGE)) as object), ...fields });
}

function ordered(orderedBy: { readonly BackendUser: string; readonly LoggedInId: string }): SqsEnvelope {
  return { ...MESSAGE, job: { ...MESSAGE.job, described: { ...MESSAGE.job.described, orderedBy } } };
}

describe('A message as it lies in SQS', () => {
  it.each<[string, SqsEnvelope]>([
    ['as it was accepted', MESSAGE],
    ['of a user', ordered({ BackendUser: '利用者', LoggedInId: 'demo' })],
    ['with its body elsewhere', { ...MESSAGE, payload: { key: 'bodies/1' } }],
    ['that is due later', { ...MESSAGE, dueAt: 1_700_000_060_000 }],
    ['that died', { ...MESSAGE, death: { reason: 'The callback answered 500.', status: 500, attempts: 5 } }],
    ['that died unanswered', { ...MESSAGE, death: { reason: 'nobody came', attempts: 5 } }],
  ])('%s is read as it was written', (_what, message) => {
    const text = writeSqsEnvelope(message);
    expect(text).toMatch(/^[\x20-\x7e]+$/);
    expect(text).toContain('\\u682a');
    expect(text).toContain('\\u007f');
    expect(readSqsEnvelope(text)).toEqual(message);
  });

  it('of a newer format waits for a version that can read it, whatever else is in it', () => {
    const text = /^The message has format 2, and this version knows formats up to 1: .+ It waits for one; finish the/;
    const cause = expect.objectContaining({ message: expect.stringMatching(text) });
    expect(() => readSqsEnvelope(JSON.stringify({ format: FORMAT + 1 }))).toThrow(expect.objectContaining({ cause }));
  });

  it.each([
    ['a list', '[]', 'field format is missing'],
    ['null', 'null', 'it is no object'],
    ['a number for its kind', changed({ kind: 1 }), 'field kind is not text'],
    ['a kind that is none', changed({ kind: 'nothing' }), 'field kind is "nothing"'],
    ['no job id', changed({ jobId: undefined }), 'field jobId'],
    ['an organisation that is no text', changed({ org: 5 }), 'field org'],
    ['no payload', changed({ payload: undefined }), 'field payload'],
    ['a payload key that is no text', changed({ payloadKey: 7 }), 'field payloadKey'],
    ['attempts as text', changed({ attempts: '3' }), 'field attempts is not a whole number'],
    ['JSON text about its job', changed({ described: '{}' }), 'field described is no object'],
    ['a due time that is none', changed({ dueAt: 'soon' }), 'field dueAt'],
    ['a death that is none', changed({ death: 'old age' }), 'field death is no object'],
    ['a death without a reason', changed({ death: { attempts: 1 } }), 'field death.reason'],
    ['half of what is said about its job', changed({ described: { total: 3 } }), 'field described.fingerprint'],
    [
      'an order by a user without a name',
      changed({ described: { ...MESSAGE.job.described, orderedBy: {} } }),
      'field described.orderedBy.BackendUser is missing',
    ],
  ])('with %s is damaged, and its error says so', (_what, text, fault) => {
    const damage = { name: 'DamagedError', message: expect.stringContaining(`is damaged: ${fault}`) };
    expect(() => readSqsEnvelope(text)).toThrow(expect.objectContaining(damage));
  });

  it('begins anew when it is revived', () => {
    const dead = { ...MESSAGE, attempts: 5, dueAt: 1, death: { reason: 'r', attempts: 5 } };
    expect(revived(dead, 5)).toEqual({ ...MESSAGE, attempts: 0, acceptedAt: 5 });
  });

  it.each(['', '00-short', 7])('does without a trace that is none: %j', (traceparent) => {
    expect(readSqsEnvelope(changed({ traceparent })).job).not.toHaveProperty('traceparent');
  });
});

describe('A message as other queues keep it', () => {
  const message = { ...MESSAGE.job, payload: 'sealed' };

  it('is read as it was stored, and as it was before formats had numbers', () => {
    expect(parseMessage(storedMessage(message))).toEqual(message);
    expect(parseMessage(message)).toEqual(message);
  });

  it('of a newer format waits', () => {
    expect(() => parseMessage({ ...message, format: FORMAT + 1 })).toThrow(NewerFormatError);
  });
});

it('Seconds of SQS are whole and none too few', () => {
  expect([1_001, 1_000, 0, -5].map(wholeSeconds)).toEqual([2, 1, 0, 0]);
});
