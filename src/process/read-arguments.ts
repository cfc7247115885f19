import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeError } from '../errors.js';
import { UsageError } from './usage-error.js';

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
