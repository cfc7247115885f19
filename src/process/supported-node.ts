/*
 * This file, and the first lines of every program, run on any Node.js that knows modules. What they import later does
 * not: an old Node.js fails over it with a stack, before any of it runs.
 */

/** The oldest Node.js that these programs run on, as `engines` in `package.json` has it. */
const OLDEST = [20, 19];

/** Exit code of a program that could not start. */
const EXIT_FAILURE = 1;

/**
 * Runs a program, unless this Node.js is too old for it: that is said in one sentence.
 *
 * @param run imports what the program is made of, and runs it
 */
export function onSupportedNode(run: () => Promise<void>): Promise<void> {
  const version = process.versions.node;
  if (isSupported(version)) return run();
  process.stderr.write(
    `Node.js ${OLDEST.join('.')} or newer is needed, and this is ${version}: install one, or put it first in PATH.\n`,
  );
  process.exitCode = EXIT_FAILURE;
  return Promise.resolve();
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
