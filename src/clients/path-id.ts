import { badInput } from '../errors.js';

/**
 * Refuses an id that no URL can carry as a segment of its path: `.` and `..` are taken for steps in the
 * hierarchy, percent-encoded or not (RFC 3986, section 5.2.4), and would reach another resource; half a
 * surrogate pair has no encoding.
 *
 * @param name what the id is called, e.g. `loginId`
 * @throws {GatewayError} `BadInput`
 */
export function requirePathId(name: string, id: string): void {
  if (id === '.' || id === '..' || LONE_SURROGATE.test(id)) throw badInput(`${name} cannot be used as an identifier`);
}

const LONE_SURROGATE = /\p{Surrogate}/u;
