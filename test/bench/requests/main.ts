import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../support/built-programs.js';
import { chartOf } from './chart.js';
import { describeRun } from './machine.js';
import { markdownOf } from './markdown.js';
import { terminalTextOf } from './terminal-text.js';
import { isWhole, readOptions, type BenchOptions } from './options.js';
import { prepare } from './prepare.js';
import { runBench } from './run-bench.js';
import { Stage } from './stage.js';

/** `npm run bench`: measures requests, prints the tables and writes them to `test/bench/results/`. */
const RESULTS = path.join(ROOT, 'test/bench/results');
/** Of output that is no terminal, or one that does not know its width. */
const COLUMNS = 80;

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
  const stage = await Stage.open(chosen);
  try {
    const sections = await runBench(stage, chosen);
    const name = isWhole(chosen) ? (chosen.metrics ? 'requests-with-metrics' : 'requests') : 'partial';
    const chart = chartOf(sections);
    const remarks = describeRun(stage, chosen);
    const page = markdownOf(sections, remarks, chart && `${name}.svg`);
    await mkdir(RESULTS, { recursive: true });
    await writeFile(path.join(RESULTS, `${name}.md`), page);
    if (chart !== undefined) await writeFile(path.join(RESULTS, `${name}.svg`), chart);
    const shown = terminalTextOf(sections, remarks, process.stdout.columns || COLUMNS);
    process.stdout.write(`${shown}\nWritten to test/bench/results/${name}.md\n`);
  } finally {
    await stage.close();
  }
}
