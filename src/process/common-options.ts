import { versionText } from '../config/version.js';
import { readArguments } from './read-arguments.js';
import type { CommandContext } from './run-command.js';
import { UsageError } from './usage-error.js';

const OPTIONS = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;

/** Exit codes; that of wrong usage is `EX_USAGE` of sysexits. */
const EXIT = { done: 0, usage: 64 } as const;

/**
 * Answers `--help` and `--version` of a command without other options, and refuses everything else.
 *
 * @returns the exit code; undefined if the command should run
 */
export function answerCommonOptions(
  help: string,
  { args, print, complain }: Pick<CommandContext, 'args' | 'print' | 'complain'>,
): number | undefined {
  try {
    const { values, positionals } = readArguments(args, OPTIONS);
    const [surplus] = positionals;
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
    if (!values.help && !values.version) return undefined;
    print(values.help ? help : versionText());
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message} --help says what there is.`);
    return EXIT.usage;
  }
}
