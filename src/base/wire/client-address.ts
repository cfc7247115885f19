import { isIPv4, isIPv6 } from 'node:net';

/** Prefixes of IPv4 addresses in IPv6 notation (RFC 4291, 2.5.5.2; RFC 6052, 2.1). */
const IPV4_PREFIXES: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']);

/** Short form of the first prefix, as Node.js writes it. */
const IPV4_MAPPED = '::ffff:';

/** Shared name for all unreadable addresses, so that one client cannot count as many. */
const UNKNOWN = 'unknown';

/** Formats of addresses with ports from proxies: in brackets, with or without a port, or IPv4 with a port. */
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]*)\](?::\d+)?|(?<dotted>[\d.]+):\d+)$/;

/** Networks of a client, each within the one before: an IPv4 address alone, or the /48, the /56 and the /64 of IPv6. */
export type Networks = readonly [client: string] | readonly [largeSite: string, site: string, client: string];

/**
 * Returns the names under which limits, counts and turns know the client of an address. The owner of an IPv6 address
 * has its whole /64, a home its /56 and a large site its /48 (RFC 6177), and could use another address each time.
 *
 * @param address of a peer, in any notation, with or without a port
 * @returns one name for an IPv4 address, for `::1`, and for all that is no address (`unknown`)
 */
export function networksOf(address: string): Networks {
  // Fast path for the notation of Node.js; parsing any notation takes up to fifty times as long.
  const plain = address.startsWith(IPV4_MAPPED) ? address.slice(IPV4_MAPPED.length) : address;
  if (isIPv4(plain)) return [plain];
  const bare = withoutPort(address.trim());
  if (isIPv4(bare)) return [bare];
  if (!isIPv6(bare)) return [UNKNOWN];
  const groups = groupsOf(bare);
  if (IPV4_PREFIXES.has(groups.slice(0, 6).join(':'))) return [groups.slice(6).flatMap(bytesOf).join('.')];
  const [subnet = '0'] = groups.slice(3);
  const largeSite = groups.slice(0, 3).join(':');
  // The loopback address is separate from ::/64, which is never assigned.
  if (largeSite === '0:0:0' && subnet === '0' && groups[7] === '1') return ['::1'];
  const site = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return [`${largeSite}::/48`, `${largeSite}:${site}::/56`, `${largeSite}:${subnet}::/64`];
}

/** Returns the innermost of the networks of an address. */
export function clientOf(address: string): string {
  const networks = networksOf(address);
  return networks[2] ?? networks[0];
}

/** Removes port, brackets and zone. */
function withoutPort(address: string): string {
  const { bracketed, dotted } = WITH_PORT.exec(address)?.groups ?? {};
  const [bare = ''] = (bracketed ?? dotted ?? address).split('%');
  return bare;
}

/** Returns the eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function groupsOf(address: string): readonly string[] {
  // URLs have one notation of an address (RFC 5952).
  const { hostname } = new URL(`http://[${address}]`);
  const parts = hostname.slice(1, -1).split('::');
  const [before = [], after = []] = parts.map((part) => part.split(':').filter((group) => group !== ''));
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

function bytesOf(group: string): number[] {
  const number = Number.parseInt(group, 16);
  return [number >> 8, number & 255];
}
