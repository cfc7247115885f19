/*
 * This file and the static imports of every program run on any Node.js with modules. An old Node.js fails with a stack
 * trace when it loads the other modules, so these are imported later.
 */

/** Oldest supported Node.js, as in `engines` of `package.json`. */
const OLDEST = [20, 19];

/** Exit codes of all programs; those above 63 are from sysexits. After `again`, the same start may succeed later. */
export const EXIT = { done: 0, failed: 1, usage: 64, unavailable: 69, unwritten: 74, again: 75, config: 78 } as const;

/** Runs a program, or prints one sentence if this Node.js is too old. @param run imports the program and runs it */
export function onSupportedNode(run: () => Promise<void>): Promise<void> {
  // Before anything is loaded or read: SIGUSR1 would open the inspector, and SIGUSR2 would end the program.
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => undefined);
  const version = process.versions.node;
  if (isSupported(version)) return runWithSources(run);
  process.stderr.write(
    `Node.js ${OLDEST.join('.')} or newer is needed, and this is ${version}: install one, or put it first in PATH.\n`,
  );
  process.exitCode = EXIT.failed;
  return Promise.resolve();
}

/** Runs a program whose last stack trace, if an error ends it, names our sources. */
async function runWithSources(run: () => Promise<void>): Promise<void> {
  const { inSources } = await import('../../base/logging/source-positions.js');
  process.on('uncaughtExceptionMonitor', (error: unknown) => {
    if (error instanceof Error && error.stack !== undefined) error.stack = inSources(error.stack);
  });
  await run();
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
