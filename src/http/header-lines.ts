import type { IncomingMessage } from 'node:http';

/**
 * Counts the lines of a header in a request. Node joins the values of some headers and drops all but the first of
 * others, so parsed headers hide the number.
 *
 * @param name in lower case
 */
export function timesGiven({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index];
    if (given?.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times;
}
