import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Compiles sources with the project's own settings, in memory.
 *
 * @param sources texts by path from the root of the project, in place of what stands on the disk or beside it
 * @param checked paths of the files that are looked at; `sources` by default
 * @returns the errors of each file that is looked at, such as `TS2339: Property …`
 */
export function compileErrors(
  sources: ReadonlyMap<string, string>,
  checked: readonly string[] = [...sources.keys()],
): Map<string, string[]> {
  const files = new Map([...sources].map(([name, text]) => [path.join(ROOT, name), text]));
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const settings: ts.CompilerOptions = { ...options, rootDir: ROOT, noEmit: true };
  const host = ts.createCompilerHost(settings);
  host.fileExists = (file) => files.has(file) || ts.sys.fileExists(file);
  host.readFile = (file) => files.get(file) ?? ts.sys.readFile(file);
  const names = checked.map((name) => path.join(ROOT, name));
  const program = ts.createProgram(names, settings, host);
  return new Map(
    checked.map((name) => {
      const source = program.getSourceFile(path.join(ROOT, name));
      const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
      return [
        name,
        diagnostics.map(({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
      ];
    }),
  );
}
