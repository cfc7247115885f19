/**
 * Runs the gateway and restarts it when its sources change: `npm run dev`. A change of a contract first makes
 * `generated/` anew. While a file cannot be compiled, or nothing can be generated, the gateway goes on as it is. After
 * each restart the compiler checks the types once, and holds nothing up.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { build, context } from 'esbuild';
import { oneGraphql, PROGRAMS, removeOutdated, settings, writeBundle } from './bundle.js';

/** Apart from `dist/`, so that the chunks of each save need not be kept for other programs. */
const DIRECTORY = '.dev';
const GATEWAY = [`${DIRECTORY}/main.js`, ...process.argv.slice(2)];
/** Once for each save: 4 to 7 s, of which a watching compiler of 5.9 takes ten times as much. */
const TYPES = ['node_modules/typescript-7/bin/tsc', '-b', '.'];
/** Other packages are bundled apart, when an import of them is new: they take two thirds of the time of a bundle. */
const PACKAGES = `${DIRECTORY}/packages`;
const IMPORT = /\bimport\s+([^"']+?)\s+from "\.\/packages\/([^"]+)\.js"/g;
/** Packages that development seldom loads. */
const SELDOM = ['@aws-sdk/*', '@opentelemetry/*', 'bullmq', 'ioredis', 'prom-client', 'sqs-consumer'];
const CONTRACTS = ['schema', 'openapi'];
/** Editors write a file in several steps. */
const QUIET_MS = 40;
/** The gateway ends in order on one signal, which may wait for requests, and at once on a second one. */
const IN_ORDER_MS = 700;
const AT_ONCE_MS = 2_000;
/** Pause between two looks whether the children of a program have ended. */
const CHILDREN_MS = 10;
/** Last of all: the compiler takes as long as the restart, on as many cores. */
const BEHIND = 19;

const say = (text) => process.stderr.write(`[dev] ${text}\n`);

const all = { ...settings({ directory: DIRECTORY }), logLevel: 'error' };
const external = [...all.external, ...SELDOM];
const outside = external.map((name) => new RegExp(`^${name.replace('*', '.*')}(/|$)`));
const bundler = await context({
  ...all,
  entryPoints: { main: PROGRAMS.main },
  external,
  plugins: [
    {
      name: 'packages-apart',
      setup({ onResolve }) {
        onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) => {
          const isUsual = kind === 'entry-point' || name.startsWith('node:') || outside.some((each) => each.test(name));
          return isUsual ? undefined : { path: `./packages/${name}.js`, external: true };
        });
      },
    },
  ],
});
/** Names that our code imports, by package. */
const imported = new Map();
const changed = new Set();
let timer;
let rounds = Promise.resolve();
let gateway;
let types;
let isStopping = false;

for (const folder of ['src', ...CONTRACTS]) {
  watch(folder, { recursive: true }, (_event, file) => {
    changed.add(`${folder}/${file}`);
    clearTimeout(timer);
    timer = setTimeout(() => (rounds = rounds.then(round)), QUIET_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stopAll());
await (rounds = round());
say(`Watching src/, ${CONTRACTS.map((name) => `${name}/`).join(' and ')}; Ctrl+C ends.`);

async function round() {
  const names = [...changed];
  changed.clear();
  if (names.length > 0) say(`${names.length === 1 ? names[0] : `${names.length} files`} changed.`);
  if (names.some((name) => !name.startsWith('src/')) && !(await generate())) return goOn();
  const begun = new Date();
  const result = await bundler.rebuild().catch(() => undefined);
  if (result === undefined || !(await bundlePackages(result.outputFiles, begun))) return goOn();
  writeBundle(DIRECTORY, result.outputFiles, begun);
  if (isStopping) return;
  await restart();
  checkTypes();
  removeOutdated(DIRECTORY, begun);
}

/** Bundles packages anew if a file imports more of them. @returns {Promise<boolean>} false if that is impossible */
async function bundlePackages(files, begun) {
  let isNew = false;
  for (const { text } of files.filter(({ path }) => path.endsWith('.js'))) {
    for (const [, clause, name] of text.matchAll(IMPORT)) {
      const known = imported.get(name) ?? new Set();
      const before = known.size;
      const [, first, named = ''] = /^([\w$]+)?[,\s]*(?:\{([^}]*)\})?$/.exec(clause);
      if (first !== undefined) known.add('default');
      for (const each of named.split(',').filter((word) => word.trim() !== '')) known.add(each.trim().split(' ')[0]);
      imported.set(name, known);
      isNew ||= known.size > before;
    }
  }
  if (!isNew) return true;
  const entries = [...imported].map(([name, exported]) => ({
    path: `${DIRECTORY}/entries/${name}.mjs`,
    contents: `export { ${[...exported].join(', ')} } from '${name}';`,
  }));
  writeBundle(`${DIRECTORY}/entries`, entries, begun);
  const result = await build({
    ...all,
    entryPoints: entries.map(({ path }) => path),
    outbase: `${DIRECTORY}/entries`,
    outdir: PACKAGES,
    external,
    sourcemap: false,
    plugins: [oneGraphql],
  }).catch(() => undefined);
  if (result === undefined) {
    imported.clear();
    return false;
  }
  writeBundle(PACKAGES, result.outputFiles, begun);
  removeOutdated(PACKAGES, begun);
  return true;
}

function goOn() {
  say('The gateway goes on as it was.');
}

/** Makes `generated/` of the contracts. @returns {Promise<boolean>} false if that is impossible */
async function generate() {
  say('Generating code from the contracts ...');
  const codegen = spawn('npm run --silent codegen', { stdio: ['ignore', 2, 2], shell: true });
  const [code] = await once(codegen, 'exit');
  return code === 0;
}

async function restart() {
  await stop(gateway);
  // In a group of its own, so that Ctrl+C in the terminal reaches it once, from here.
  const next = (gateway = spawn(process.execPath, GATEWAY, { stdio: 'inherit', detached: true }));
  next.once('exit', (code) => {
    if (gateway === next && !isStopping)
      say(`The gateway ended with ${code ?? 'a signal'}. It is started again at the next change.`);
  });
}

/** Checks the types of the last save; an earlier check ends, because its source is gone. */
function checkTypes() {
  signal(types, 'SIGTERM');
  // In a group of its own, because the compiler is a child of the script.
  types = spawn(process.execPath, TYPES, { stdio: ['ignore', 2, 2], detached: true });
  setPriority(types.pid, BEHIND);
  types.once('exit', (code) => code === 0 && say('The types are sound.'));
}

/** Sends a signal to a program and its children. @returns {boolean} false if none of them runs */
function signal(program, name) {
  try {
    return program !== undefined && process.kill(-program.pid, name);
  } catch {
    return false;
  }
}

/** Ends a program, if there is one that runs. */
async function stop(program) {
  if (program === undefined || program.exitCode !== null || program.signalCode !== null) return;
  gateway = undefined;
  const gone = once(program, 'exit');
  signal(program, 'SIGTERM');
  const again = setTimeout(() => signal(program, 'SIGTERM'), IN_ORDER_MS);
  const atLast = setTimeout(() => signal(program, 'SIGKILL'), AT_ONCE_MS);
  await gone;
  const until = performance.now() + AT_ONCE_MS;
  while (signal(program, 0) && performance.now() < until) await delay(CHILDREN_MS);
  clearTimeout(again);
  clearTimeout(atLast);
}

async function stopAll() {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([stop(gateway), stop(types)]);
  process.exit(0);
}
