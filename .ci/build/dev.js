/**
 * Runs the gateway and restarts it when its sources change: `npm run dev`.
 *
 * A changed file is compiled by itself and the gateway restarted at once; types are checked beside that, with what
 * `npm run build` does. A change of a contract makes `generated/` anew first. A file with a fault in its syntax, or a
 * contract that nothing can be made of, leaves the gateway as it runs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { compileAlone, readSettings } from './compiler.js';
import { changesBetween, digestsOf, filesOf } from './digests.js';
import { Gateways } from './gateways.js';
import { putInPlace } from './put-in-place.js';

const CONTRACTS = ['schema', 'openapi'];
const WATCHED = ['src', ...CONTRACTS];
/** Editors write a file in several steps. */
const QUIET_MS = 40;
/** Half as much of the processor as others get: with less, types would never be checked where others are busy. */
const BEHIND = 3;

const say = (text) => process.stderr.write(`[dev] ${text}\n`);
const settings = readSettings();

const gateways = new Gateways(process.argv.slice(2), (code) =>
  say(`The gateway ended with ${code ?? 'a signal'}. It is started again at the next change.`),
);
void gateways.start();

const watched = new Set();
let seen = look();
/** Files that changed since the gateway was last compiled without a fault. */
const pending = new Set();
let timer;
let rounds = Promise.resolve();
let check;
let isStopping = false;
say(`Watching ${WATCHED.map((name) => `${name}/`).join(', ')}; Ctrl+C ends.`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stopAll());
process.on('exit', () => gateways.kill());

/** Digests of the files there are now; new directories are watched from here on. */
function look() {
  const files = WATCHED.flatMap(filesOf);
  for (const directory of new Set([...WATCHED, ...files.map((file) => path.dirname(file))])) {
    if (watched.has(directory)) continue;
    watched.add(directory);
    const watcher = watch(directory, () => {
      clearTimeout(timer);
      timer = setTimeout(() => (rounds = rounds.then(round)), QUIET_MS);
    });
    watcher.on('error', () => watched.delete(directory)); // it was removed
  }
  return digestsOf(files);
}

async function round() {
  const now = look();
  const changes = changesBetween(seen, now);
  if (changes.length === 0 || isStopping) return;
  seen = now;
  // Its answer is of no use any more.
  check?.kill('SIGTERM');
  check = undefined;
  for (const name of changes) pending.add(name);
  say(`${changes.length === 1 ? changes[0] : `${changes.length} files`} changed.`);
  if ([...pending].some((name) => !name.startsWith('src/')) && !(await generate())) return;
  const sources = [...pending].filter((name) => name in now && /^src\/.*(?<!\.d)\.ts$/.test(name));
  const compiled = sources.map((file) => compileAlone(file, readFileSync(file, 'utf8'), settings));
  const faults = compiled.map((each) => each.faults).join('');
  if (faults !== '') {
    say(`The gateway goes on as it was:\n${faults.trimEnd()}`);
    return;
  }
  pending.clear();
  putInPlace(new Map(compiled.flatMap(({ texts }) => [...texts])));
  say('Restarting the gateway; types are checked meanwhile.');
  await gateways.start();
  if (!isStopping) void checkTypes();
}

/** @returns {Promise<boolean>} whether `generated/` is made of the contracts as they are */
async function generate() {
  say('Generating code from the contracts ...');
  const codegen = spawn('npm run --silent codegen', { stdio: ['ignore', 2, 2], shell: true });
  const [code] = await once(codegen, 'exit');
  if (code !== 0) say('The gateway goes on as it was.');
  return code === 0;
}

async function checkTypes() {
  const build = (check = spawn(process.execPath, ['.ci/build/main.js'], { stdio: ['ignore', 'ignore', 'pipe'] }));
  // The gateway comes first where both want the processor.
  if (build.pid !== undefined) setPriority(build.pid, BEHIND);
  let output = '';
  build.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(build, 'close');
  if (build !== check || isStopping) return;
  say(code === 0 ? 'Types are sound.' : `The gateway runs, but its types are not sound:\n${output.trimEnd()}`);
}

async function stopAll() {
  if (isStopping) return;
  isStopping = true;
  check?.kill('SIGTERM');
  await gateways.close();
  process.exit(0);
}
