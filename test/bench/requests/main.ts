import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../support/built-programs.js';
import { measureBulk } from './bulk.js';
import { cellsOf } from './cells.js';
import { sectionOf } from './compare.js';
import { runInterleaved } from './interleaved.js';
import { describeRun } from './machine.js';
import { isWhole, readOptions, type BenchOptions } from './options.js';
import { prepare } from './prepare.js';
import { markdownOf, type Section } from './section.js';
import { Stage } from './stage.js';

/** `npm run bench`: measures requests, prints the tables and writes them to `test/bench/results/`. */
const RESULTS = path.join(ROOT, 'test/bench/results');

const options = readOrRefuse(process.argv.slice(2));
if (options !== undefined) await measure(options);

function readOrRefuse(args: readonly string[]): BenchOptions | undefined {
  try {
    return readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)} See npm run bench -- --help\n`);
    process.exitCode = 2;
    return undefined;
  }
}

async function measure(chosen: BenchOptions): Promise<void> {
  await prepare();
  const stage = await Stage.open();
  try {
    const sections = await runBench(stage, chosen);
    const name = isWhole(chosen) ? 'requests' : 'partial';
    const page = markdownOf(sections, describeRun(stage, chosen));
    await mkdir(RESULTS, { recursive: true });
    await writeFile(path.join(RESULTS, `${name}.md`), page);
    process.stdout.write(`${page}\nWritten to test/bench/results/${name}.md\n`);
  } finally {
    await stage.close();
  }
}

async function runBench(stage: Stage, options: BenchOptions): Promise<Section[]> {
  const workloads = options.parts.filter((name) => name !== 'bulk');
  const samples = await runInterleaved(cellsOf(workloads), stage, { ...options, startsAnew: !options.quick });
  const sections = workloads.map((workload) => sectionOf(workload, samples));
  if (options.parts.includes('bulk')) sections.push(await measureBulk(stage, options));
  return sections;
}
