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
  if (IPV4_PREFIXES.has(textOf(groups.slice(0, 6)))) return groups.slice(6).flatMap(bytesOf).join('.');
  const network = groups.slice(0, 4);
  // The loopback address is separate from ::/64, which is never assigned.
  if (network.every((group) => group === 0) && groups[7] === 1) return '::1';
  return `${textOf(network)}::/64`;
}

/**
 * Returns the /56 and the /48 of an IPv6 address, which a site may have as a whole (RFC 6177); undefined for others.
 */
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

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [before = [], after] = address.split('::').map(numbersOf);
  if (after === undefined) return [...before];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function numbersOf(text: string): number[] {
  return text.split(':').flatMap((group) => {
    if (group === '') return [];
    if (!group.includes('.')) return Number.parseInt(group, 16);
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 255];
}

function textOf(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
