import { isIPv4, isIPv6 } from 'node:net';

/** What stands in front of an IPv4 address that is written as an IPv6 one (RFC 4291, 2.5.5.2; RFC 6052, 2.1). */
const IPV4_PREFIXES: ReadonlySet<string> = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']);

/** The first of them in short, which is how Node.js writes it. */
const IPV4_MAPPED = '::ffff:';

/** Name of all whose address cannot be read: were they many clients, anybody could be as many as they like. */
const UNKNOWN = 'unknown';

/** What proxies write: an address in brackets, perhaps with a port, or an IPv4 address with one. */
const WITH_PORT = /^(?:\[(?<bracketed>[^\]]*)\](?::\d+)?|(?<dotted>[\d.]+):\d+)$/;

/**
 * Name of the client that an address belongs to, for limits and counts: whoever has an IPv6 address has its whole /64
 * (RFC 6177), and could use another one for each request.
 *
 * @param address of a peer, in any notation, with or without a port
 * @returns an IPv4 address, `::1`, the /64 of any other IPv6 address, or `unknown` when it is no address
 */
export function clientOf(address: string): string {
  // As Node.js writes them; to read any notation takes up to fifty times as long.
  const plain = address.startsWith(IPV4_MAPPED) ? address.slice(IPV4_MAPPED.length) : address;
  if (isIPv4(plain)) return plain;
  const bare = withoutPort(address.trim());
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return UNKNOWN;
  const groups = groupsOf(bare);
  if (IPV4_PREFIXES.has(textOf(groups.slice(0, 6)))) return groups.slice(6).flatMap(bytesOf).join('.');
  const network = groups.slice(0, 4);
  // Nobody is given ::/64, and the loopback address is no part of it.
  if (network.every((group) => group === 0) && groups[7] === 1) return '::1';
  return `${textOf(network)}::/64`;
}

/** Without its zone as well. */
function withoutPort(address: string): string {
  const { bracketed, dotted } = WITH_PORT.exec(address)?.groups ?? {};
  const [bare = ''] = (bracketed ?? dotted ?? address).split('%');
  return bare;
}

/** The eight numbers of an IPv6 address. */
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
