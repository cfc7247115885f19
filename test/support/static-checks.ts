/**
 * Runs scripts of package.json side by side, two at a time: `npm run check`. The output of each is kept apart; that of
 * failed scripts is shown, and their names come at the end.
 */
import { spawn } from 'node:child_process';

/** Each of them takes a processor for itself. */
const AT_A_TIME = 2;

interface Result {
  readonly name: string;
  readonly hasPassed: boolean;
}

const waiting = process.argv.slice(2);
const results: Result[] = [];

async function runWaiting(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) results.push(await runScript(name));
}

async function runScript(name: string): Promise<Result> {
  const begun = performance.now();
  const chunks: Buffer[] = [];
  const code = await new Promise<number | null>((resolve, reject) => {
    const script = spawn(`npm run --silent ${name}`, { stdio: ['ignore', 'pipe', 'pipe'], shell: true });
    for (const stream of [script.stdout, script.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    script.once('error', reject);
    script.once('close', resolve);
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const hasPassed = code === 0;
  process.stdout.write(`${hasPassed ? 'passed' : 'FAILED'}  ${name}  ${seconds} s\n`);
  if (!hasPassed) process.stdout.write(`\n${Buffer.concat(chunks).toString().trimEnd()}\n\n`);
  return { name, hasPassed };
}

await Promise.all(Array.from({ length: AT_A_TIME }, runWaiting));
const failed = results.filter(({ hasPassed }) => !hasPassed).map(({ name }) => `npm run ${name}`);
if (failed.length > 0) {
  process.stdout.write(`${failed.length} of ${results.length} checks failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
