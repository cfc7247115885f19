import { readFileSync } from 'node:fs';

/** Reads the words of a command. @throws {Error} it does not run Node.js */
export function startCommandOf([program, ...words]: readonly string[]) {
  const at = words.findIndex((word) => !word.startsWith('-'));
  const file = words[at];
  if (program !== 'node' || file === undefined) throw new Error(`It runs no program with Node.js: ${words.join(' ')}`);
  // The file as seen from where the package lies.
  return { nodeOptions: words.slice(0, at), file, args: words.slice(at + 1) };
}

/** Reads how `npm start` of a checkout runs the gateway. */
export function startCommandIn(checkout: URL) {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', checkout), 'utf8')) as {
    readonly scripts: { readonly start: string }; // npm reads it too
  };
  return startCommandOf(scripts.start.replace(/^exec /, '').split(' '));
}

export const START_COMMAND = startCommandIn(new URL('../../', import.meta.url));
