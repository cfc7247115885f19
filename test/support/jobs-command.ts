import type { VariableName } from '../../src/base/config/variables.js';
import { runJobsProgram } from '../../src/programs/jobs-cli/program.js';
import { exitCodeOf } from '../../src/programs/process/run-program.js';
import type { EndedProgram } from './built-programs.js';

/**
 * Does the work of `npm run jobs` in this process: starting one for each command would take most of the time of a test.
 *
 * @param directory what paths of `environment` begin at
 * @param confirm answers the question of a command; without it there is no terminal
 */
export async function runJobsCommand(
  args: readonly string[],
  environment: Partial<Record<VariableName, string>>,
  directory: string,
  confirm?: (question: string) => Promise<boolean>,
): Promise<EndedProgram> {
  const written = { stdout: '', stderr: '' };
  const print = (line: string): void => void (written.stdout += `${line}\n`);
  const code = await exitCodeOf(runJobsProgram, {
    args,
    environment,
    directory,
    columns: 80,
    print,
    progress: print,
    confirm,
    complain: (line) => void (written.stderr += `${line}\n`),
    signal: new AbortController().signal,
  });
  return { code, ...written };
}
