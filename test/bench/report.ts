import { existsSync } from 'node:fs';
import { runBuilt, runChild } from './report-child.js';
import { runGatewayPart, type Latency } from './report-gateway.js';
import { measureWholeJob } from './report-job.js';
import { median } from './requests/section.js';

/**
 * Measures driving reports: `npm run bench:report`. Every number is a median or a peak of this run, and every
 * comparison is made within it, so that only ratios between machines differ little.
 */
const CONTENDERS = ['floor', 'ours', 'ours-tagged', 'pdfmake', 'chromium'] as const;
const NAMES: Readonly<Record<string, string>> = {
  floor: 'by hand (floor)   ',
  ours: 'our report        ',
  'ours-tagged': 'the same, tagged  ',
  pdfmake: 'pdfmake           ',
  chromium: 'Chromium print    ',
};
/**
 * Of each contender, one after the other. What the just-in-time compiler makes of the same code differs from process to
 * process by a third.
 */
const PROCESSES = 3;
/** As `tsc` builds it: a transpiler on the fly adds code of its own, which takes time. */
const PAGES_CHILD = 'dist/bench/test/bench/report-pages-child.js';
/** A quiet gateway that takes longer than this for a trivial query shares its processors. */
const BUSY_MILLISECONDS = 10;
const CHROMIUM = '/usr/bin/chromium';

await measure();

async function measure(): Promise<void> {
  const present = CONTENDERS.filter((contender) => contender !== 'chromium' || existsSync(CHROMIUM));
  const samples = new Map<string, number[]>(present.map((contender) => [contender, []]));
  for (let process = 0; process < PROCESSES; process += 1) {
    for (const contender of present) samples.get(contender)?.push(Number(await runBuilt(PAGES_CHILD, contender)));
  }
  const times = new Map([...samples].map(([contender, ofProcesses]) => [contender, median(ofProcesses)]));
  const timeOf = (contender: (typeof CONTENDERS)[number]): number => times.get(contender) ?? NaN;
  const ours = timeOf('ours');
  say(
    'A page with 20 trips and a chart of 200 points, processor time after 800 pages, 200 pages a report, ' +
      `median of ${PROCESSES} processes:`,
  );
  for (const [name, time] of times) {
    say(`  ${NAMES[name] ?? name} ${time.toFixed(2)} ms   ${(time / ours).toFixed(2)} times ours`);
  }
  if (!times.has('chromium')) say(`  Chromium print     not measured: ${CHROMIUM} is not installed`);
  verdict('at most 3 times the floor', ours <= 3 * timeOf('floor'));
  verdict('at least 5 times faster than pdfmake', timeOf('pdfmake') >= 5 * ours);
  if (times.has('chromium')) verdict('at least 20 times faster than Chromium', timeOf('chromium') >= 20 * ours);

  // One after the other, so that whatever else the machine does meets both alike.
  const drawing = Number(await runBuilt(PAGES_CHILD, 'ours-like-jobs'));
  const job = await measureWholeJob();
  say(
    `A driver of a job of 1,000, backends answering at once, from callback to stored object: ${job.toFixed(2)} ms of the ` +
      `gateway's processor time, ${(job / drawing).toFixed(2)} times the drawing alone of as many, ${drawing.toFixed(2)} ms`,
  );
  verdict('at most 3 times the drawing alone', job <= 3 * drawing);

  const [thousand, tenThousand] = [await peakMemory(1_000), await peakMemory(10_000)];
  say(`Peak resident memory: ${thousand.toFixed(0)} MiB for 1,000 drivers, ${tenThousand.toFixed(0)} MiB for 10,000`);
  verdict('at most 350 MiB for 10,000 drivers', tenThousand <= 350);
  verdict('at most 1.6 times that of 1,000', tenThousand <= 1.6 * thousand);

  const { quiet, rendering, callback } = await runGatewayPart();
  say(
    `GraphQL, median round of five, while nothing is drawn: ${described(quiet)}; while 1,000-driver reports are drawn: ${described(rendering)}`,
  );
  const isJudgeable = quiet.p50 <= BUSY_MILLISECONDS;
  if (!isJudgeable)
    say('  The machine is busy with other work: even a quiet gateway answers late, so nothing is shown.');
  verdict('p99 at most twice that without, plus 5 ms', isJudgeable && rendering.p99 <= 2 * quiet.p99 + 5);
  say(`One-driver report from callback to stored object, warm: ${callback.toFixed(1)} ms median`);
  verdict('at most 60 ms', callback <= 60);
}

/** Peak resident memory in MiB of a process of its own that draws a report of that many drivers. */
async function peakMemory(drivers: number): Promise<number> {
  return Number(await runChild('./report-memory-child.ts', String(drivers)));
}

function described({ p50, p99, requests }: Latency): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${requests} requests`;
}

function verdict(what: string, isMet: boolean): void {
  say(`  ${isMet ? 'met    ' : 'NOT MET'} ${what}`);
  if (!isMet) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
