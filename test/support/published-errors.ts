import { readFileSync } from 'node:fs';
import type { PublishedError, Reason, Reasoned, ValuesOfReason } from '../../generated/front-end.js';

export const PUBLISHED_ERRORS = JSON.parse(
  readFileSync(new URL('../../generated/errors.json', import.meta.url), 'utf8'),
) as readonly PublishedError[]; // typed by the generator

const VALUES_OF_REASON = new Map(PUBLISHED_ERRORS.map(({ reason, values }) => [reason, values]));

/** Values that may be any text: the words of others, and names that users choose. */
const OF_OTHERS: readonly string[] = ['backendText', 'developerText', 'name', 'ids'];

/**
 * Finds everything in a reply that has a reason.
 *
 * @throws {Error} a reason is not published, or has other values than published, or a value is a phrase
 */
export function reasonsIn(reply: unknown): readonly Reasoned[] {
  if (Array.isArray(reply)) return reply.flatMap(reasonsIn);
  if (typeof reply !== 'object' || reply === null) return [];
  const { reason, values, message, ...others } = reply as Readonly<Record<string, unknown>>; // looked at below
  const inside = Object.values(others).flatMap(reasonsIn);
  if (typeof reason !== 'string' || (values === undefined && message !== undefined)) return inside;
  const given = Object.entries((values ?? {}) as ValuesOfReason[Reason]);
  const named = given.map(([name]) => name).sort();
  const published = VALUES_OF_REASON.get(reason as Reason); // undefined for any other text
  if (JSON.stringify(named) !== JSON.stringify(published && [...published].sort()) || values === undefined) {
    throw new Error(`${reason} has other values than published: ${JSON.stringify(reply)}`);
  }
  for (const [name, value] of given) {
    const texts = [value].flat().filter((each) => typeof each === 'string');
    if (!OF_OTHERS.includes(name) && texts.some((text) => /\s/.test(text))) {
      throw new Error(`${reason} has a phrase among its values: ${JSON.stringify(reply)}`);
    }
  }
  return [{ reason, values } as Reasoned, ...inside];
}
