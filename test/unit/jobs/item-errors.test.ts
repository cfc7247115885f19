/** What callers learn of an item or a driver that failed. */
import { describe, expect, it } from '@jest/globals';
import { BackendRefusal, ContractBreach } from '../../../src/clients/call-errors.js';
import { GatewayError, ServiceUnavailableError, type ErrorCode } from '../../../src/errors.js';
import { driverFailure, NOT_FETCHED } from '../../../src/jobs/kinds/driving-reports/driver-failure.js';
import { codeForCaller, describeForCaller } from '../../../src/jobs/kinds/item-error.js';
import { JobCancelledError, JobGaveWayError, JobStoppedError, LeaseLostError } from '../../../src/jobs/job.js';

describe('the reason of a failure', () => {
  it('is the text of our own errors, and of no others', () => {
    expect(describeForCaller(new GatewayError('NotFound', 'There is no such mobile.'))).toBe(
      'There is no such mobile.',
    );
    expect(describeForCaller(new GatewayError('InternalError', 'at line 5'))).toBe('internal error');
    expect(describeForCaller(new Error('at line 5'))).toBe('internal error');
    expect(describeForCaller('at line 5')).toBe('internal error');
    const breach = new ContractBreach('backend-api', 'must be number', '/trips/0/distanceMeters');
    expect(describeForCaller(breach)).toBe('the answer of backend-api could not be read');
  });

  it.each<[ErrorCode, string]>([
    ['NotFound', 'NotFound'],
    ['Forbidden', 'Forbidden'],
    ['BadInput', 'BadInput'],
    ['ServiceUnavailable', 'ServiceUnavailable'],
    ['TooManyRequests', 'ServiceUnavailable'],
    ['UnAuthenticated', 'InternalError'],
    ['InvalidCredentials', 'InternalError'],
    ['InternalError', 'InternalError'],
  ])('that is %s has the code %s', (code, expected) => {
    expect(codeForCaller(new GatewayError(code, 'text'))).toBe(expected);
    expect(codeForCaller(new Error('text'))).toBe('InternalError');
  });
});

it('why a job does not go on is told apart in the log', () => {
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
  const refusal = (code: ErrorCode, message = 'in the words of the backend'): BackendRefusal =>
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
      new GatewayError('BadInput', 'mobileId cannot be asked for'),
      'bad id',
      'mobileId cannot be asked for',
    ],
    [
      'ServiceUnavailable',
      new ServiceUnavailableError('backend-api'),
      'unavailable',
      'backend-api is temporarily unavailable. Try again later.',
    ],
    ['InternalError', new Error('at line 5'), 'internal error', 'internal error'],
  ])('that we could not ask for as %s has ours', (code, error, reason, message) => {
    expect(driverFailure(error)).toStrictEqual({ code, message, reason });
  });

  it('has 500 characters of a reason at most', () => {
    const { message, detail } = driverFailure(refusal('NotFound', 'x'.repeat(600)));
    expect([message.length, detail?.length]).toEqual([500, 500]);
  });

  it('whose turn never came is told so', () => {
    expect(NOT_FETCHED).toEqual({
      code: 'ServiceUnavailable',
      message: 'not fetched, the time allowed for the job was over',
      reason: 'out of time',
    });
  });
});
