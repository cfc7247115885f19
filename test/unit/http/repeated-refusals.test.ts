/** The line that names a client whose requests are refused. */
import { afterEach, expect, it, jest } from '@jest/globals';
import { RepeatedRefusals } from '../../../src/gateway/http/request-log.js';
import { captureLog } from '../../support/captured-log.js';

const MINUTE = 60_000;

afterEach(() => {
  jest.useRealTimers();
});

function refusals() {
  jest.useFakeTimers();
  const log = captureLog();
  const refused = new RepeatedRefusals(log.logger);
  return {
    refuse: (times: number, address: string, reason = 'shed'): void => {
      for (let count = 0; count < times; count += 1) refused.count(address, reason);
    },
    entries: () =>
      log.entries().map(({ event, address, reason, requests, of }) => ({ event, address, reason, requests, of })),
  };
}

it('A client that is refused most is named once a minute, with its share', () => {
  const { refuse, entries } = refusals();
  refuse(40, '192.0.2.7');
  refuse(35, '192.0.2.8', 'UnAuthenticated');
  // One of a /64, however many addresses it uses.
  for (let host = 1; host <= 50; host += 1) refuse(1, `2001:db8:1:2::${host}`, 'TooManyRequests');
  expect(entries()).toEqual([]);
  jest.advanceTimersByTime(MINUTE);
  const event = 'requests.refused_often';
  const most = { event, address: '2001:db8:1:2::/64', reason: 'TooManyRequests', requests: 50, of: 125 };
  expect(entries()).toEqual([most]);
  // A minute without any has no line, and the next one begins anew.
  jest.advanceTimersByTime(MINUTE);
  refuse(30, '192.0.2.7');
  jest.advanceTimersByTime(MINUTE);
  expect(entries()).toEqual([most, { event, address: '192.0.2.7', reason: 'shed', requests: 30, of: 30 }]);
});

it('A home that varies its /64 is named by its /56, and a site that varies its /56 by its /48', () => {
  const { refuse, entries } = refusals();
  for (const [size, step] of [
    ['2a00::/56', 1],
    ['::/48', 0x100],
  ] as const) {
    refuse(40, '192.0.2.7');
    for (let net = 0; net < 60; net += 1) refuse(1, `2001:db8:1:${(0x2a00 + net * step).toString(16)}::1`);
    jest.advanceTimersByTime(MINUTE);
    expect(entries().at(-1)).toMatchObject({
      address: `2001:db8:1:${size.replace(/^::/, ':')}`,
      requests: 60,
      of: 100,
    });
  }
});

it('Refusals that anybody may have are not told, and many clients take no memory for long', () => {
  const { refuse, entries } = refusals();
  refuse(29, '192.0.2.7');
  for (let client = 0; client < 5_000; client += 1) refuse(1, `198.51.${client >> 8}.${client & 255}`);
  jest.advanceTimersByTime(MINUTE);
  expect(entries()).toEqual([]);
});
