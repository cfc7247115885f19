import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, verdict } from './requests/section.js';

/**
 * Measures driving reports: `npm run bench:report`. Every number is a median or a peak of this run, and every
 * comparison is made within it, so that only ratios between machines differ little.
 */
const CONTENDERS = { pdfkit: 'pdfkit alone', ours: 'our report', 'ours-tagged': 'the same, tagged' } as const;
/**
 * Each contender, one after the other. The just-in-time compiler makes code whose speed differs from process to
 * process by a third.
 */
const PROCESSES = 3;

await measurePages();
await measureMemory();

async function measurePages(): Promise<void> {
  const names = Object.keys(CONTENDERS) as (keyof typeof CONTENDERS)[]; // of a literal
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (let process = 0; process < PROCESSES; process += 1) {
    for (const [name, times] of samples) times.push(await runBuilt('report-pages-child', name));
  }
  const timeOf = (name: keyof typeof CONTENDERS): number => median(samples.get(name) ?? []);
  const ours = timeOf('ours');
  say(
    'A page with 11 trips and a chart of 200 points, processor time after 800 pages, 200 pages a report, ' +
      `median of ${PROCESSES} processes:`,
  );
  for (const name of names) {
    const time = timeOf(name);
    say(`  ${CONTENDERS[name].padEnd(18)} ${time.toFixed(2)} ms   ${(time / ours).toFixed(2)} times ours`);
  }
  judge('times pdfkit alone', ours / timeOf('pdfkit'), 1);
  judge('times pdfkit alone, tagged', timeOf('ours-tagged') / timeOf('pdfkit'), 2);
}

/** Peak resident memory in MiB of a process of its own that draws a report of so many drivers. */
async function measureMemory(): Promise<void> {
  for (const rules of ['off', 'japan-2024']) {
    const thousand = await runBuilt('report-memory-child', '1000', rules);
    const tenThousand = await runBuilt('report-memory-child', '10000', rules);
    say(`Peak resident memory, rules ${rules}: ${thousand.toFixed(0)} MiB for 1,000 drivers`);
    judge('MiB for 10,000 drivers', tenThousand, 350);
    judge('times the memory of 1,000', tenThousand / thousand, 1.6);
  }
}

/** Runs a script as `tsc` builds it, in a process of its own: a transpiler on the fly takes time. @returns its figure */
async function runBuilt(script: string, ...options: readonly string[]): Promise<number> {
  const file = fileURLToPath(new URL(`../../dist/bench/test/bench/${script}.js`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...options]);
  return Number(stdout);
}

function judge(what: string, figure: number, max: number): void {
  say(`  ${verdict(figure, max).padEnd(7)} ${figure.toFixed(2)} ${what}, at most ${max}`);
  if (figure > max) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
