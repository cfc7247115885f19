/** The codes and texts that callers read about an item or a driver that failed. */
import { describe, expect, it } from '@jest/globals';
import { contractBreach } from '../../../src/clients/call-error.js';
import { GatewayError, ItemFailure, ServiceUnavailableError } from '../../../src/base/errors.js';
import { driverFailure, NOT_FETCHED } from '../../../src/jobs/kinds/driving-reports/outcome-of-driver.js';
import { shownFailure, type ShownFailure } from '../../../src/jobs/kinds/item-error.js';
import { refusalError } from '../../support/failed-calls.js';

describe('the failure of an item for callers', () => {
  it.each<[string, unknown, ShownFailure]>([
    [
      'a failure of ours',
      new ItemFailure('FieldRequired', { field: 'name' }),
      {
        code: 'BadInput',
        reason: 'FieldRequired',
        values: { field: 'name' },
        message: 'name is required to create an account',
      },
    ],
    [
      'an outage',
      new ServiceUnavailableError('backend-api'),
      {
        code: 'ServiceUnavailable',
        reason: 'BackendUnavailable',
        values: {},
        message: 'Vehicles and accounts cannot be reached at the moment. Try again later.',
      },
    ],
    [
      'an answer that breaks its contract',
      contractBreach('backend-api', 'must be number', '/trips/0/distanceMeters'),
      {
        code: 'ServiceUnavailable',
        reason: 'UnreadableAnswer',
        values: {},
        message: 'the answer for it could not be read',
      },
    ],
    [
      'a refusal that passes',
      refusalError(429, 'not so fast'),
      {
        code: 'ServiceUnavailable',
        reason: 'TooManyForBackend',
        values: { backendText: 'not so fast' },
        message: 'not so fast',
      },
    ],
    ...[new Error('at line 5'), 'at line 5', new GatewayError('UnknownJob')].map(
      (error): [string, unknown, ShownFailure] => [
        'anything else',
        error,
        { code: 'InternalError', reason: 'ItemFailed', values: {}, message: 'internal error' },
      ],
    ),
  ])('is %s', (_what, error, shown) => expect(shownFailure(error)).toStrictEqual(shown));
});

describe('a driver without a page', () => {
  const words = 'in the words of the backend';

  it.each([
    ['NotFound', 404, 'UnknownToBackend', 'not found'],
    ['Forbidden', 403, 'ForbiddenByBackend', 'forbidden'],
    ['BadInput', 422, 'RefusedByBackend', 'refused'],
  ] as const)('that the backend refused as %s has its words besides', (code, status, ours, reason) => {
    const failure = { code, reason: ours, message: words, values: { backendText: words } };
    expect(driverFailure(refusalError(status, words))).toStrictEqual({ failure, reason, detail: words });
  });

  it.each([
    [new ItemFailure('UnusableId', { name: 'mobileId' }), 'bad id'],
    [new ServiceUnavailableError('backend-api'), 'unavailable'],
    [new Error('at line 5'), 'internal error'],
  ])('that we could not ask for has the reason of %s', (error, reason) => {
    expect(driverFailure(error)).toStrictEqual({ failure: shownFailure(error), reason });
  });

  it('has 500 characters of a reason at most', () => {
    const { failure, detail } = driverFailure(refusalError(404, 'x'.repeat(600)));
    expect([failure.message.length, detail?.length]).toEqual([500, 500]);
  });

  it('whose turn never came has that as its reason', () => {
    expect(NOT_FETCHED).toMatchObject({
      failure: { code: 'ServiceUnavailable', message: 'not fetched, the time allowed for the job was over' },
      reason: 'out of time',
    });
  });
});
