import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** Position in a module, as V8 writes it into stack traces. */
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

/** Source maps of the modules that stack traces have named; undefined for modules without one. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Replaces the positions in bundled modules by those in our sources, such as `src/app.ts:10:3`. It reads the source
 * maps that this needs, which would take memory if they were loaded with the modules. Positions in packages stay.
 *
 * @param stack of an error
 */
export function inSources(stack: string): string {
  return stack.replaceAll(POSITION, (position, module: string, line: string, column: string) => {
    if (!maps.has(module)) maps.set(module, readMap(module));
    const entry = maps.get(module)?.findEntry(Number(line) - 1, Number(column) - 1);
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
    return new SourceMap(map);
  } catch {
    return undefined;
  }
}
