import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeError } from '../../base/errors.js';
import { versionText } from '../../base/package-file.js';
import { EXIT } from './supported-node.js';

/** Error for invalid arguments of a program; the message is a sentence that names the argument. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Error for a command that cannot be carried out; the message is a sentence that says why. */
export class RefusedCommandError extends Error {
  override readonly name = 'RefusedCommandError';
}

export type ProgramOptions = NonNullable<ParseArgsConfig['options']>;

export interface ReadArguments<Options extends ProgramOptions> {
  readonly values: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
}

/**
 * Parses the arguments of a program.
 *
 * @param max number of arguments that are not options
 * @throws {UsageError} for an unknown option, an option without its value, or one argument too many
 */
export function readArguments<const Options extends ProgramOptions>(
  args: readonly string[],
  options: Options,
  max = Infinity,
): ReadArguments<Options> {
  let given: ReadArguments<Options>;
  try {
    given = parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // The sentences after the first explain arguments that begin with a dash.
    const [sentence = ''] = describeError(error).split('. ');
    throw new UsageError(sentence.replaceAll("'", '"').replace(/\.?$/, '.'), { cause: error });
  }
  const extraArgument = given.positionals[max];
  if (extraArgument !== undefined) throw new UsageError(`"${extraArgument}" is one argument too many.`);
  return given;
}

interface ArgumentsContext {
  readonly args: readonly string[];
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

const SEE_HELP = '--help lists the options.';

/**
 * Runs a command with its arguments, or answers `--help`, `--version` and wrong usage in its place.
 *
 * @param help text of `--help`, and the sentence that refers to it
 * @param max number of arguments that are not options
 * @returns the exit code, of `run` or of the answer
 */
export async function runWithArguments<const Options extends ProgramOptions>(
  { args, print, complain }: ArgumentsContext,
  { help, hint = SEE_HELP, max = 0 }: { readonly help: string; readonly hint?: string; readonly max?: number },
  options: Options,
  run: (given: ReadArguments<Options>) => Promise<number>,
): Promise<number> {
  const common = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
  try {
    const { values } = readArguments<ProgramOptions>(args, { ...options, ...common }, max);
    if (!values['help'] && !values['version']) return await run(readArguments(args, options));
    print(values['help'] ? help : versionText());
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message} ${hint}`);
    return EXIT.usage;
  }
}
