import { describe, expect, it } from '@jest/globals';
import { clientOf, networksOf } from '../../../src/base/wire/client-address.js';

describe('the client that an address belongs to', () => {
  it.each([
    ['an IPv4 address itself', '192.0.2.1', '192.0.2.1'],
    ['the IPv4 address of a mapped one', '::ffff:192.0.2.1', '192.0.2.1'],
    ['the same in hexadecimal', '::FFFF:c000:0201', '192.0.2.1'],
    ['the IPv4 address of a translated one', '64:ff9b::192.0.2.33', '192.0.2.33'],
    ['the loopback address', '::1', '::1'],
    ['the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['the same however it is written', '2001:0DB8:0001:2::', '2001:db8:1:2::/64'],
    ['the same with zeros left out in front', '::2:3:4:5:6', '0:0:0:2::/64'],
    ['the same with zeros left out in the middle', '2001:db8::6', '2001:db8:0:0::/64'],
    ['a link-local address without its zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['an IPv4 address without its port', '192.0.2.1:5678', '192.0.2.1'],
    ['the same with spaces around it', ' 192.0.2.1:5678 ', '192.0.2.1'],
    ['an IPv6 address without its port', '[2001:db8:1:2::7]:5678', '2001:db8:1:2::/64'],
    ['a mapped address without its port', '[::ffff:192.0.2.1]:80', '192.0.2.1'],
    ['one of all that cannot be read: a word', 'unknown', 'unknown'],
    ['too many numbers', '1.2.3.4.5', 'unknown'],
    ['numbers that are too large', '1.2.3.256', 'unknown'],
    ['leading zeros, which some read as octal', '192.0.02.1', 'unknown'],
    ['a port that is none', '192.0.2.1:http', 'unknown'],
    ['half a bracket', '[::1', 'unknown'],
    ['nothing', '', 'unknown'],
  ])('is %s', (_what, address, client) => expect(clientOf(address)).toBe(client));

  it.each([
    ['2001:db8:1:2fff::7', ['2001:db8:1::/48', '2001:db8:1:2f00::/56', '2001:db8:1:2fff::/64']],
    ['192.0.2.1:80', ['192.0.2.1']],
    ['::1', ['::1']],
    ['', ['unknown']],
  ])('stands within its networks, the widest first: %j', (address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
});
