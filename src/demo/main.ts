/** The demo as a process: environment, signals, output, exit code. */
import { runDemo } from './run-demo.js';

const interruption = new AbortController();
const interrupt = (): void => interruption.abort(new Error('interrupted'));
// The first signal lets the demo put everything back; a second one ends it at once.
process.once('SIGINT', interrupt);
process.once('SIGTERM', interrupt);

const isRight = await runDemo({
  environment: process.env,
  directory: process.cwd(),
  signal: interruption.signal,
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
});
process.exitCode = isRight ? 0 : 1;
