import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeError } from '../errors.js';
import { UsageError } from './usage-error.js';

/** The options that a program has, by their names. */
export type ProgramOptions = NonNullable<ParseArgsConfig['options']>;

/** Options and arguments as they were given. */
export interface ReadArguments<Options extends ProgramOptions> {
  readonly values: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
}

/**
 * Reads what stands behind the name of a program.
 *
 * @throws {UsageError} for an option that the program does not have, or one that lacks its value
 */
export function readArguments<const Options extends ProgramOptions>(
  args: readonly string[],
  options: Options,
): ReadArguments<Options> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Behind its first sentence it explains how to give an argument that begins with a dash.
    const [sentence = ''] = describeError(error).split('. ');
    throw new UsageError(sentence.replaceAll("'", '"').replace(/\.?$/, '.'), { cause: error });
  }
}
