import { describe, expect, it } from '@jest/globals';
import { ERRORS, textOf, type ErrorRow } from '../../src/base/error-table.js';
import { asSentence, describeError, describeOutage, ServiceUnavailableError } from '../../src/base/errors.js';

it('an error is described by its text, also when it has none or is made of others', () => {
  expect(describeError(new Error('no route'))).toBe('no route');
  expect(describeError(new AggregateError([new Error('refused at ::1'), new Error('refused')]))).toBe('refused at ::1');
  expect(describeError(new AggregateError([], 'all failed'))).toBe('all failed');
  expect(describeError(new AggregateError([]))).toBe('AggregateError');
  expect(describeError(new TypeError())).toBe('TypeError');
  expect(describeError('a text')).toBe('a text');
});

describe('a text of the table', () => {
  const rows = Object.entries<ErrorRow>(ERRORS);

  it.each(rows)('of %s is a sentence, unless something else fixes it', (_reason, { text, fixedBy }) => {
    // A value that makes up the whole text was made a sentence before.
    if (fixedBy === undefined) expect(text).toMatch(/^(?:[A-Z].*\.|\{\w+\})$/);
    else expect(text).not.toMatch(/\.$/);
  });

  it.each(rows.filter(([, { read }]) => read === 'users'))('of %s tells users nothing of the inside', (_, { text }) => {
    expect(text).not.toMatch(/-api|redis|sqs|\bs3\b|sqlite|[A-Z]+_[A-Z_]+/i);
  });

  it('about a limit names what was found, the limit, and its variable, all alike', () => {
    const limits = rows.filter(([, { text }]) => /The limit is .*\(/.test(text));
    expect(limits.map(([reason]) => reason)).toEqual(expect.arrayContaining(['TooManyItems', 'BodyTooLarge']));
    for (const [, { text }] of limits) {
      expect(text).toMatch(/^(Too|The) .*\. The limit is \{limit\}( bytes)? \((\{variable\}|GRAPHQL_MAX_[A-Z_]+)\)\.$/);
    }
  });

  it('that counts knows one and many', () => {
    const counting = rows.filter(([, { text }]) => /(?<!\} to )\{(?:count|max)\} \w+s\b/.test(text));
    expect(counting.map(([reason]) => reason)).toEqual(expect.arrayContaining(['OddRecords', 'ListTooLong']));
    for (const [, { one }] of counting) expect(one).toMatch(/\b1 \w+[^s\s]\b/);
    expect([1, 2].map((max) => textOf('ListTooLong', { max }))).toEqual([
      'must be a list of at most 1 entry',
      'must be a list of at most 2 entries',
    ]);
    expect([1, 2].map((count) => textOf('OddRecords', { count }))).toEqual([
      'This page has 1 entry that cannot be read. Try again later.',
      'This page has 2 entries that cannot be read. Try again later.',
    ]);
  });

  it('is filled in, and a text of others is made a sentence', () => {
    expect(textOf('InvalidHeader', { name: 'x-job-id', fault: 'must be given once' })).toBe(
      'The header x-job-id must be given once.',
    );
    expect(textOf('UnknownJob')).toBe('There is no such job.');
    expect(['taken', ' Taken.', 'really?', '既に存在します。'].map(asSentence)).toEqual([
      'Taken.',
      'Taken.',
      'Really?',
      '既に存在します。',
    ]);
  });
});

it('an outage is logged with the name that its text leaves out', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
  const error = new ServiceUnavailableError('geo-api', { cause });
  expect(describeOutage(error)).toBe('geo-api: connect ECONNREFUSED 127.0.0.1:1');
  expect(describeError(error)).toContain('geo-api');
  expect(error.message).toBe('Addresses cannot be looked up at the moment. Try again later.');
  expect(describeOutage(new ServiceUnavailableError('Redis', { cause: new Error('Redis is loading.') }))).toBe(
    'Redis is loading.',
  );
});
