import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeError } from '../errors.js';
import { readVersion } from '../config/version.js';
import type { CommandContext } from './run-command.js';

/** Error for invalid arguments of a program; the message is a sentence that names the argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options of a program by name. */
export type ProgramOptions = NonNullable<ParseArgsConfig['options']>;

/** Given options and arguments. */
export interface ReadArguments<Options extends ProgramOptions> {
  readonly values: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
}

/**
 * Parses the arguments of a program.
 *
 * @throws {UsageError} for an unknown option, or one without its value
 */
export function readArguments<const Options extends ProgramOptions>(
  args: readonly string[],
  options: Options,
): ReadArguments<Options> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // The sentences after the first explain arguments that begin with a dash.
    const [sentence = ''] = describeError(error).split('. ');
    throw new UsageError(sentence.replaceAll("'", '"').replace(/\.?$/, '.'), { cause: error });
  }
}

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
    print(values.help ? help : readVersion());
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message} --help says what there is.`);
    return EXIT.usage;
  }
}
