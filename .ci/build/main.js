/**
 * Makes `dist/` of `src/`: `npm run build`.
 *
 * Types are checked and what is affected by changes is compiled, into memory; only when all of it is sound are files of
 * `dist/` written, those whose text is another one, each in one step, and then files of removed sources deleted. So
 * programs may start and run out of `dist/` while any number of builds go on. It says nothing when nothing is to do.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { changesBetween, digest, digestOfFile, digestsOfInputs, filesOf } from './digests.js';
import { CACHE, putInPlace } from './put-in-place.js';

const STATE = `${CACHE}/build.json`;
const OUTPUT = 'dist';

/**
 * The inputs and outputs of the last build; one file, because its parts must be of one build.
 * @typedef {object} State
 * @property {import('./digests.js').Digests} inputs
 * @property {import('./digests.js').Digests} outputs
 * @property {string} buildInfo
 */

/** @returns {State | undefined} undefined when there was none, or one of another kind */
function readState() {
  try {
    const state = JSON.parse(readFileSync(STATE, 'utf8'));
    return state.inputs && state.outputs && typeof state.buildInfo === 'string' ? state : undefined;
  } catch {
    return undefined;
  }
}

// Not standard output: what programs print there is often wanted alone.
const say = (text) => process.stderr.write(`${text}\n`);

/** Whether the files are as the build that wrote them left them. */
const areIntact = (outputs, files) => files.every((file) => digestOfFile(file) === outputs[file]);

const begun = performance.now();
const last = readState();
const inputs = digestsOfInputs();
const changes = changesBetween(last?.inputs ?? {}, inputs);
if (last === undefined || changes.length > 0 || !areIntact(last.outputs, Object.keys(last.outputs))) await build();
// Programs tell it in their logs. Another commit alone compiles nothing.
if (process.exitCode === undefined) putInPlace(new Map([[`${OUTPUT}/commit`, `${commit()}\n`]]));

async function build() {
  say(`Building ${OUTPUT}/ ${last === undefined ? 'for the first time' : `after ${reason()}`} ...`);
  // Only now: nothing of it is needed when nothing is to do.
  const { compile } = await import('./compiler.js');
  let { texts, outputs, buildInfo, faults } = compile(last?.buildInfo);
  // The files of earlier builds must still be there unchanged.
  const kept = outputs.filter((file) => !texts.has(file));
  if (faults === '' && kept.length > 0 && !areIntact(last?.outputs ?? {}, kept))
    ({ texts, outputs, buildInfo } = compile());
  if (faults !== '') {
    say(`${faults.trimEnd()}\n${OUTPUT}/ stays as it was.`);
    process.exitCode = 1;
    return;
  }
  const written = putInPlace(texts);
  const digests = Object.fromEntries(
    outputs.map((file) => [file, texts.has(file) ? digest(texts.get(file)) : last?.outputs[file]]),
  );
  // Without a record of the last build nobody knows what else in there is of today.
  const before = last === undefined ? filesOf(OUTPUT) : Object.keys(last.outputs);
  const removed = before.filter((file) => digests[file] === undefined);
  for (const file of removed) rmSync(file, { force: true });
  putInPlace(new Map([[STATE, JSON.stringify({ inputs, outputs: digests, buildInfo })]]));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const compiled = [...texts.keys()].filter((file) => file.endsWith('.js')).length;
  say(
    `Built in ${seconds} s: ${counted(compiled, 'file')} compiled, ${written} written` +
      `${removed.length > 0 ? `, ${removed.length} removed` : ''}.`,
  );
}

/** Returns the commit in `COMMIT`, or else that of the work tree, with `-dirty` behind it if that has changes. */
function commit() {
  const { COMMIT } = process.env;
  if (COMMIT) return COMMIT;
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'], {
    encoding: 'utf8',
  });
  return stdout?.trim() || 'unknown';
}

function reason() {
  if (changes.length === 0) return `somebody else changed it`;
  const [first] = changes;
  return changes.length === 1 ? `a change of ${first}` : `changes of ${counted(changes.length, 'file')}`;
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
