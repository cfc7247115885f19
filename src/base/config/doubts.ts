import { closestMatch } from 'leven';

/** Length from which names are compared; many shorter names of other programs are similar to ours. */
const MIN_NAME = 7;

/** Largest number of characters omitted, added or changed in a misspelt name. */
const MAX_EDIT_DISTANCE = 2;

const QUOTED = /^(["']).*\1$/s;

/**
 * Finds settings that are valid but probably unintended.
 *
 * @param known names of our variables
 * @returns one line per doubt, without values
 */
export function findDoubts(
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] {
  const names = Object.keys(environment).filter((name) => environment[name]?.trim());
  const quoted = names
    .filter((name) => known.includes(name) && QUOTED.test(environment[name]?.trim() ?? ''))
    .map((name) => `${name} stands in quotes, which are part of its value. Remove them, unless they are meant.`);
  const misspelt = names
    .filter((name) => name.length >= MIN_NAME && !known.includes(name))
    .flatMap((name) => {
      const meant = closestMatch(name.toUpperCase(), known, { maxDistance: MAX_EDIT_DISTANCE });
      return meant === undefined ? [] : [`${name} is not read. Did you mean ${meant}?`];
    });
  const unsafe =
    environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? [
          `NODE_TLS_REJECT_UNAUTHORIZED is 0: certificates are not checked. Trust yours with NODE_EXTRA_CA_CERTS instead.`,
        ]
      : [];
  return [...quoted, ...misspelt, ...unsafe];
}
