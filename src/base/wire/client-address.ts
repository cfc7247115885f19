import { isIPv4, isIPv6 } from 'node:net';

/** Prefixes of IPv4 addresses in IPv6 notation (RFC 4291, 2.5.5.2; RFC 6052, 2.1). */
const IPV4_PREFIXES: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']);

/** Short form of the first prefix, as Node.js writes it. */
const IPV4_MAPPED = '::ffff:';

/** Shared name for all unreadable addresses, so that one client cannot count as many. */
const UNKNOWN = 'unknown';

/** Formats of addresses with ports from proxies: in brackets, with or without a port, or IPv4 with a port. */
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]*)\](?::\d+)?|(?<dotted>[\d.]+):\d+)$/;

/**
 * Returns the name under which limits and counts know the client of an address. The owner of an IPv6 address has its
 * whole /64 (RFC 6177), and could use another address for each request.
 *
 * @param address of a peer, in any notation, with or without a port
 * @returns an IPv4 address, `::1`, the /64 of any other IPv6 address, or `unknown` if it is not an address
 */
export function clientOf(address: string): string {
  // Fast path for the notation of Node.js; parsing any notation takes up to fifty times as long.
  const plain = address.startsWith(IPV4_MAPPED) ? address.slice(IPV4_MAPPED.length) : address;
  if (isIPv4(plain)) return plain;
  const bare = withoutPort(address.trim());
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return UNKNOWN;
  const groups = groupsOf(bare);
  if (IPV4_PREFIXES.has(groups.slice(0, 6).join(':'))) return groups.slice(6).flatMap(bytesOf).join('.');
  const network = groups.slice(0, 4).join(':');
  // The loopback address is separate from ::/64, which is never assigned.
  return network === '0:0:0:0' && groups[7] === '1' ? '::1' : `${network}::/64`;
}

/** Returns the /56 and the /48 of an IPv6 address, which a site may have (RFC 6177); undefined for others. */
export function networksOf(address: string): readonly [site: string, largeSite: string] | undefined {
  const client = clientOf(address);
  if (!client.endsWith('::/64')) return undefined;
  const [a, b, c, d = ''] = client.split(':');
  const subnet = Number.parseInt(d, 16) & 0xff00;
  return [`${a}:${b}:${c}:${subnet.toString(16)}::/56`, `${a}:${b}:${c}::/48`];
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
