/** Length from which names are compared; many shorter names of other programs are similar to ours. */
const MIN_NAME = 7;

/** Largest number of characters omitted, added, changed or exchanged in a misspelt name. */
const MAX_SLIPS = 2;

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
      const meant = known.find((other) => slipsBetween(name.toUpperCase(), other) <= MAX_SLIPS);
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

/** Returns the optimal string alignment distance of two texts, or any number above {@link MAX_SLIPS}. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_SLIPS) return MAX_SLIPS + 1;
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const [from, to] = [one[row - 1], other[column - 1]];
      const options = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1];
      options.push((last[column - 1] ?? 0) + (from === to ? 0 : 1));
      if (from === other[column - 2] && to === one[row - 2]) options.push((beforeLast[column - 2] ?? Infinity) + 1);
      current.push(Math.min(...options));
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}
