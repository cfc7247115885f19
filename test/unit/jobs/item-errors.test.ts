/** The codes and texts that callers read about an item or a driver that failed. */
import { describe, expect, it } from '@jest/globals';
import { BackendRefusal, ContractBreach, type RefusalCode } from '../../../src/clients/call-errors.js';
import { GatewayError, ItemFailure, ServiceUnavailableError } from '../../../src/errors.js';
import { driverFailure, NOT_FETCHED } from '../../../src/jobs/kinds/driving-reports/driver-failure.js';
import { codeForCaller, describeForCaller } from '../../../src/jobs/kinds/item-error.js';
import { JobCancelledError, JobGaveWayError, JobStoppedError, LeaseLostError } from '../../../src/jobs/job.js';

describe('the reason of a failure', () => {
  it('is the text of our own errors, and of no others', () => {
    expect(describeForCaller(new GatewayError('UnknownJob'))).toBe('There is no such job.');
    expect(describeForCaller(new ItemFailure('PasswordRefused'))).toBe('the password was refused');
    expect(describeForCaller(new Error('at line 5'))).toBe('internal error');
    expect(describeForCaller('at line 5')).toBe('internal error');
    const breach = new ContractBreach('backend-api', 'must be number', '/trips/0/distanceMeters');
    expect(describeForCaller(breach)).toBe('the answer for it could not be read');
  });

  it.each([
    ['UnknownJob', 'NotFound'],
    ['AdministratorsOnly', 'Forbidden'],
    ['EmptyList', 'BadInput'],
    ['BackendUnavailable', 'ServiceUnavailable'],
    ['TooManyAttempts', 'ServiceUnavailable'],
    ['TokenInvalid', 'InternalError'],
    ['WrongPassword', 'InternalError'],
    ['InternalError', 'InternalError'],
  ] as const)('that is %s has the code %s', (reason, expected) => {
    expect(codeForCaller(new GatewayError(reason))).toBe(expected);
    expect(codeForCaller(new Error('text'))).toBe('InternalError');
  });
});

it('why a job does not go on can be distinguished in the log', () => {
  const errors: readonly Error[] = [
    new JobStoppedError('a'),
    new JobGaveWayError('b'),
    new JobCancelledError('c'),
    new LeaseLostError('d'),
  ];
  const texts = ['JobStoppedError: a', 'JobGaveWayError: b', 'JobCancelledError: c', 'LeaseLostError: d'];
  expect(errors.map(String)).toEqual(texts);
});

describe('a driver without a page', () => {
  const refusal = (code: RefusalCode, message = 'in the words of the backend'): BackendRefusal =>
    new BackendRefusal('backend-api', 400, code, message);

  it.each([
    ['NotFound', refusal('NotFound'), 'not found'],
    ['Forbidden', refusal('Forbidden'), 'forbidden'],
    ['BadInput', refusal('BadInput'), 'refused'],
  ])('that the backend refused as %s has its words besides', (code, error, reason) => {
    const message = 'in the words of the backend';
    expect(driverFailure(error)).toStrictEqual({ code, message, reason, detail: message });
  });

  it.each([
    [
      'BadInput',
      new ItemFailure('UnusableId', { name: 'mobileId' }),
      'bad id',
      'mobileId cannot be used as an identifier',
    ],
    [
      'ServiceUnavailable',
      new ServiceUnavailableError('backend-api'),
      'unavailable',
      'Vehicles and accounts cannot be reached at the moment. Try again later.',
    ],
    ['InternalError', new Error('at line 5'), 'internal error', 'internal error'],
  ])('that we could not ask for as %s has ours', (code, error, reason, message) => {
    expect(driverFailure(error)).toStrictEqual({ code, message, reason });
  });

  it('has 500 characters of a reason at most', () => {
    const { message, detail } = driverFailure(refusal('NotFound', 'x'.repeat(600)));
    expect([message.length, detail?.length]).toEqual([500, 500]);
  });

  it('whose turn never came has that as its reason', () => {
    expect(NOT_FETCHED).toEqual({
      code: 'ServiceUnavailable',
      message: 'not fetched, the time allowed for the job was over',
      reason: 'out of time',
    });
  });
});
