import { describe, expect, it } from '@jest/globals';
import { clientOf } from '../../src/client-address.js';

describe('the client that an address belongs to', () => {
  it.each([
    ['an IPv4 address itself', '192.0.2.1', '192.0.2.1'],
    ['the IPv4 address of a mapped one', '::ffff:192.0.2.1', '192.0.2.1'],
    ['the same in hexadecimal', '::FFFF:c000:0201', '192.0.2.1'],
    ['the same in full', '0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['the IPv4 address of a translated one', '64:ff9b::192.0.2.33', '192.0.2.33'],
    ['the loopback address', '::1', '::1'],
    ['the loopback address in full', '0:0:0:0:0:0:0:1', '::1'],
    ['the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the same however it is written', '2001:0DB8:0001:2::', '2001:db8:1:2::/64'],
    ['the same with zeros left out in front', '::2:3:4:5:6', '0:0:0:2::/64'],
    ['the same with zeros left out in the middle', '2001:db8::6', '2001:db8:0:0::/64'],
    ['a link-local address without its zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['whatever is no address', 'unknown', 'unknown'],
    ['nothing', '', ''],
  ])('is %s', (_what, address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  it('is another one in the next /64', () => {
    expect(clientOf('2001:db8:1:3::1')).not.toBe(clientOf('2001:db8:1:2::1'));
  });
});
