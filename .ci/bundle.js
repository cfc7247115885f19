import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';

/** Source file of each program. */
export const PROGRAMS = {
  main: 'src/programs/main.ts',
  'queue-function': 'src/programs/queue-function.ts',
  'jobs-cli': 'src/programs/jobs-cli.ts',
  backup: 'src/programs/backup.ts',
  demo: 'src/programs/demo/main.ts',
  sandbox: 'src/programs/demo/sandbox-main.ts',
};
const FOR_DEVELOPMENT = ['demo', 'sandbox'];

const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8'));

/** Packages that are native, read files of their own, or start threads from them. */
const FONTS = Object.keys(MANIFEST.dependencies).filter((name) => name.startsWith('@expo-google-fonts/'));
const OUTSIDE = ['libsql', 'pdfkit', 'fontkit', 'pino-pretty', 'piscina', ...FONTS];
const OUTSIDE_FOR_DEVELOPMENT = ['@graphql-yoga/render-graphiql', 'tsx'];

/** A chunk stays for so long after the build that made it outdated, for programs that run and may load it. */
const KEPT_MS = 7 * 24 * 3_600_000;
const CHUNK = /-[A-Z0-9]{8}\.js(\.map)?$/;

/**
 * @typedef {object} Options
 * @property {string} [directory] takes the bundle; as deep in the package as `dist`, which it is by default
 * @property {boolean} [image] true if the bundle is for production alone
 * @property {Record<string, string>} [others] further source files by name
 */

/** Creates the settings of the bundler. @param {Options} options */
export function settings({ directory = 'dist', image = false, others = {} }) {
  const programs = Object.entries(PROGRAMS).filter(([name]) => !image || !FOR_DEVELOPMENT.includes(name));
  return {
    entryPoints: { ...Object.fromEntries(programs), ...others },
    outdir: directory,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: /** @type {const} */ ('esm'),
    platform: /** @type {const} */ ('node'),
    target: 'node20.19',
    mainFields: ['module', 'main'],
    // Without `keepNames`: it names each closure when that is made, which takes a seventh of a small operation.
    sourcemap: /** @type {const} */ ('linked'),
    sourcesContent: false,
    metafile: /** @type {const} */ (true),
    write: /** @type {const} */ (false),
    external: [...OUTSIDE, ...OUTSIDE_FOR_DEVELOPMENT, ...(image ? ['*/sandbox/sandbox.js'] : [])],
    // Bundled CommonJS requires modules of Node.js.
    banner: {
      js: `import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);`,
    },
    plugins: [oneGraphql, onlyUsedParts, mapsOfOurs],
  };
}

/** GraphQL refuses objects of another copy of itself, and packages ask for its ES modules as well as for CommonJS. */
export const oneGraphql = {
  name: 'one-graphql',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^graphql\/./ }, async ({ path: name, pluginData, ...from }) => {
      if (pluginData === oneGraphql) return undefined;
      const found = await resolve(name, { ...from, pluginData: oneGraphql });
      return found.errors.length > 0 ? found : { path: found.path.replace(/\.js$/, '.mjs') };
    });
  },
};

/** Index files that load far more than is used here, which took 70 ms of each start, and the parts of them that are. */
const USED_PARTS = {
  'undici/index.js': `
    exports.Agent = require('./lib/dispatcher/agent');
    exports.errors = require('./lib/core/errors');
    Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));`,
  // BullMQ parses schedules with it, of which there are none.
  'cron-parser/dist/index.js': 'exports.CronExpressionParser = undefined;',
};

const onlyUsedParts = {
  name: 'only-used-parts',
  setup({ onLoad }) {
    for (const [file, contents] of Object.entries(USED_PARTS))
      onLoad({ filter: new RegExp(`/node_modules/${file}$`) }, () => ({ contents: contents + NO_MAP }));
  },
};

/** Maps column 2^24 of the first line, and so nothing; esbuild ignores a map without a mapping. */
const NOTHING = Buffer.from('{"version":3,"sources":[""],"mappings":"gggggBAAA"}').toString('base64');
const NO_MAP = `\n//# sourceMappingURL=data:application/json;base64,${NOTHING}`;

/** Source maps name our own files only, because those of packages would be most of them. */
const mapsOfOurs = {
  name: 'maps-of-ours',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8') + NO_MAP,
    }));
  },
};

/**
 * Bundles the programs. Each is a file, beside the chunks that programs share or load later. A chunk is named after its
 * content, and files are replaced in one step, chunks first. So programs start and run while builds go on, and find the
 * chunks that they load later.
 *
 * @param {Options} options
 * @returns what went into each file
 * @throws {esbuild.BuildFailure} after it has printed why
 */
export async function bundle({ directory = 'dist', ...options } = {}) {
  const begun = new Date();
  const { outputFiles, metafile } = await esbuild.build(settings({ directory, ...options }));
  const manifest = options.image && { 'package.json': manifestOfImage() };
  const texts = Object.entries({ commit: commit(), 'licences.txt': licences(metafile), ...manifest });
  const further = texts.map(([name, contents]) => ({ path: path.join(directory, name), contents }));
  renewCurrent(directory, begun);
  writeBundle(directory, [...further, ...outputFiles], begun);
  removeOutdated(directory, new Date(begun - KEPT_MS));
  return metafile;
}

/**
 * Writes a bundle.
 *
 * @param {string} directory
 * @param {readonly { path: string, contents: string | Uint8Array }[]} files
 * @param {Date} begun becomes the time of each file, also of those that have their content already
 */
export function writeBundle(directory, files, begun) {
  const [programs, chunks] = [false, true].map((isChunk) => files.filter((file) => CHUNK.test(file.path) === isChunk));
  for (const { path: file, contents } of [...chunks, ...programs]) {
    mkdirSync(path.dirname(file), { recursive: true });
    replace(file, Buffer.from(contents), begun);
  }
}

/** Renews the chunks of the build before, as programs may have started with them until this one, and not later. */
function renewCurrent(directory, begun) {
  const last = modifiedAt(path.join(directory, 'main.js'));
  if (last === undefined) return;
  const time = new Date(begun - 1_000);
  for (const file of chunksIn(directory)) if (modifiedAt(file) >= last) utimesSync(file, time, time);
}

/** Removes the chunks that no build since a time has made. @param {string} directory @param {Date} time */
export function removeOutdated(directory, time) {
  for (const file of chunksIn(directory)) if (modifiedAt(file) < time) rmSync(file, { force: true });
}

function chunksIn(directory) {
  return readdirSync(directory)
    .filter((name) => CHUNK.test(name))
    .map((name) => path.join(directory, name));
}

/** Returns when a file was modified, undefined if there is none. */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtime;
}

/** @param {string} file @param {Buffer} content @param {Date} time */
function replace(file, content, time) {
  const isSame =
    statSync(file, { throwIfNoEntry: false })?.size === content.length && readFileSync(file).equals(content);
  const written = isSame ? file : `${file}.${process.pid}`;
  if (!isSame) writeFileSync(written, content);
  utimesSync(written, time, time);
  if (!isSame) renameSync(written, file);
}

/**
 * Returns the commit, which programs tell in their logs: `COMMIT`, or else that of the work tree, with `-dirty` behind
 * it if that has changes.
 */
export function commit() {
  const { COMMIT } = process.env;
  const describe = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'];
  return `${COMMIT || spawnSync('git', describe, { encoding: 'utf8' }).stdout?.trim() || 'unknown'}\n`;
}

/** Creates the manifest of the image, which names only the packages outside the bundle. */
function manifestOfImage() {
  const { name, version, private: isPrivate, license, type, engines, dependencies } = MANIFEST;
  const outside = Object.fromEntries(OUTSIDE.map((each) => [each, dependencies[each]]));
  const manifest = { name, version, private: isPrivate, license, type, engines, dependencies: outside };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Joins the licences of all bundled packages. @param {esbuild.Metafile} metafile */
function licences({ outputs }) {
  const bundled = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = bundled.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
      const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)\b/i.test(file));
      const text = texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
      return `${name} ${version}, licence ${license}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
