import path from 'node:path';
import ts from 'typescript';

/**
 * The result of a compilation.
 * @typedef {object} Compilation
 * @property {Map<string, string>} texts the files that were compiled anew, by path
 * @property {string[]} outputs paths of everything that the sources compile to
 * @property {string} buildInfo the notes of this compilation for the next one
 * @property {string} faults the errors as text for people; empty without any
 */

const BUNDLER = ts.ModuleResolutionKind.Bundler;

/** Relative, with forward slashes, as the paths of sources are. @param {string} file */
function relative(file) {
  return path.relative('.', file).split(path.sep).join('/');
}

/** @returns {ts.ParsedCommandLine} `tsconfig.json` @throws {Error} when it cannot be read */
export function readSettings() {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (fault) => {
      throw new Error(described([fault]));
    },
  };
  const settings = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    { incremental: true, tsBuildInfoFile: BUILD_INFO },
    host,
  );
  if (settings === undefined) throw new Error('There is no tsconfig.json.');
  return settings;
}

/**
 * Written nowhere: the state of the build holds it. The compiler wants a name for it, and takes another spelling of it
 * for another setting, after which everything is compiled anew.
 */
const BUILD_INFO = path.resolve('.cache/build.tsbuildinfo').split(path.sep).join('/');

/**
 * Checks all sources and compiles those that are affected by changes, into memory.
 *
 * @param {string | undefined} buildInfo of the last compilation; everything is compiled without one
 * @returns {Compilation}
 */
export function compile(buildInfo) {
  const { fileNames, options, errors } = readSettings();
  const host = ts.createIncrementalCompilerHost(options);
  const texts = new Map();
  let nextBuildInfo = buildInfo ?? '';
  const isBuildInfo = (file) => path.resolve(file) === path.resolve(BUILD_INFO);
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => (isBuildInfo(file) ? buildInfo : readFile(file));
  host.writeFile = (file, text) => {
    if (isBuildInfo(file)) nextBuildInfo = text;
    else texts.set(relative(file), text);
  };
  const program = ts.createIncrementalProgram({
    rootNames: fileNames,
    options,
    host,
    configFileParsingDiagnostics: errors,
  });
  const faults = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSemanticDiagnostics(),
  ];
  if (faults.length === 0) program.emit();
  const settings = { fileNames, options, errors };
  const outputs = fileNames
    .filter((file) => !file.endsWith('.d.ts'))
    .flatMap((file) => ts.getOutputFileNames(settings, file, !ts.sys.useCaseSensitiveFileNames).map(relative));
  return { texts, outputs, buildInfo: nextBuildInfo, faults: described(ts.sortAndDeduplicateDiagnostics(faults)) };
}

/**
 * Compiles one file by itself, which `isolatedModules` allows; its types are not checked.
 *
 * @param {string} file path of a source
 * @param {string} text of it
 * @param {ts.ParsedCommandLine} settings
 * @returns {{ texts: Map<string, string>, faults: string }} texts by path, and what is wrong with the syntax
 */
export function compileAlone(file, text, settings) {
  const fileName = path.resolve(file);
  // Without `package.json` at hand the compiler would take every file for CommonJS.
  const compilerOptions = { ...settings.options, module: ts.ModuleKind.ESNext, moduleResolution: BUNDLER };
  const [script = '', map = ''] = ts
    .getOutputFileNames({ ...settings, fileNames: [fileName] }, fileName, !ts.sys.useCaseSensitiveFileNames)
    .map(relative)
    .toSorted((one, other) => one.length - other.length);
  const options = { compilerOptions, fileName, reportDiagnostics: true };
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(text, options);
  const texts = new Map([[script, outputText], ...(sourceMapText === undefined ? [] : [[map, sourceMapText]])]);
  return { texts, faults: described(diagnostics ?? []) };
}

/** @param {readonly ts.Diagnostic[]} faults */
function described(faults) {
  const host = {
    getCurrentDirectory: () => process.cwd(),
    getCanonicalFileName: (file) => file,
    getNewLine: () => '\n',
  };
  return process.stderr.isTTY
    ? ts.formatDiagnosticsWithColorAndContext(faults, host)
    : ts.formatDiagnostics(faults, host);
}
