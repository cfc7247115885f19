/** Runs a step under its title. @throws {Error} naming the step, if it fails */
export type DemoStep = <T>(title: string, run: () => Promise<T>) => Promise<T>;

/** Numbers the steps and prints their titles. */
export function numberedSteps(print: (line: string) => void): DemoStep {
  let number = 0;
  return async (title, run) => {
    number += 1;
    print(`\n${number}. ${title}`);
    try {
      return await run();
    } catch (cause) {
      throw new Error(`Step ${number}, "${title}", failed: ${describeRootCause(cause)}`, { cause });
    }
  };
}

/** Checks an expectation of the demo. @throws {Error} with the message, if it does not hold */
export function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

/** Returns the reason of an error; `fetch` and timers hide it in the cause, and name look-ups in a code. */
export function describeRootCause(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('cause' in error && error.cause !== undefined) return describeRootCause(error.cause);
  const message = 'message' in error ? String(error.message) : '';
  return message === '' && 'code' in error ? String(error.code) : message;
}
