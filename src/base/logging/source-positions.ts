import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** Position in a module, as V8 writes it into stack traces. */
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

/** Folder of the bundled modules. Texts of errors, which stack traces begin with, may name any other file. */
const BUNDLE = new URL('.', import.meta.url).href;

/** Source maps of the bundled modules that stack traces have named. */
const maps = new Map<string, SourceMap>();

/**
 * Replaces the positions in bundled modules by those in our sources, such as `src/programs/app.ts:10:3`. It reads
 * the source maps that this needs, which would take memory if they were loaded with the modules. Positions in packages
 * stay.
 *
 * @param stack of an error
 */
export function inSources(stack: string): string {
  return stack.replaceAll(POSITION, (position, module: string, line: string, column: string) => {
    if (module.slice(0, module.lastIndexOf('/') + 1) !== BUNDLE) return position;
    const entry = (maps.get(module) ?? readMap(module))?.findEntry(Number(line) - 1, Number(column) - 1);
    // The nearest mapping, which is one of an earlier line where a package is not mapped.
    if (entry === undefined || !('originalSource' in entry) || entry.generatedLine !== Number(line) - 1)
      return position;
    const { originalSource, originalLine, originalColumn } = entry;
    return `${originalSource.replace(/^(\.\.\/)+/, '')}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

function readMap(module: string): SourceMap | undefined {
  try {
    const map = JSON.parse(readFileSync(new URL(`${module}.map`), 'utf8')) as SourceMap['payload']; // of the build
    const read = new SourceMap(map);
    maps.set(module, read);
    return read;
  } catch {
    return undefined;
  }
}
