import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The gateway ends in order on one signal, which may wait for requests, and at once on a second one. */
const IN_ORDER_MS = 700;
const AT_ONCE_MS = 2_000;
/** A gateway has started by then, and wants the processor no more. */
const STARTED_MS = 1_000;

/** The gateway that runs what was built last, one after another, and the process that waits to be the next one. */
export class Gateways {
  #args;
  #onEnd;
  #running;
  #waiting;
  /** The end of the gateway before. */
  #ended;
  #timer;

  /**
   * @param {readonly string[]} args of the program
   * @param {(code: number | null) => void} onEnd is told when a gateway ended by itself; null after a signal
   */
  constructor(args, onEnd) {
    this.#args = args;
    this.#onEnd = onEnd;
  }

  /** Ends the gateway that runs, and starts the next one. */
  async start() {
    clearTimeout(this.#timer);
    const next = this.#waiting?.connected ? this.#waiting : this.#spawn();
    this.#waiting = undefined;
    const last = this.#running;
    this.#running = next;
    tell(next, 'load');
    await (this.#ended = stop(last));
    if (this.#running !== next) return; // all of them were ended meanwhile
    tell(next, 'run');
    this.#timer = setTimeout(() => (this.#waiting = this.#spawn()), STARTED_MS);
  }

  /** Ends all of them. */
  async close() {
    clearTimeout(this.#timer);
    const [running, waiting] = [this.#running, this.#waiting];
    this.#running = undefined;
    await Promise.all([this.#ended, stop(running), stop(waiting)]);
  }

  /** Tells the one that runs to end, without waiting for it. */
  kill() {
    this.#running?.kill();
  }

  #spawn() {
    // In a group of its own, so that Ctrl+C in the terminal reaches it once, from here.
    const program = spawn(process.execPath, ['.ci/build/waiting-gateway.js', ...this.#args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    program.once('exit', (code) => {
      if (this.#running === program) this.#onEnd(code);
    });
    return program;
  }
}

/** @param {import('node:child_process').ChildProcess} program @param {'load' | 'run'} step */
function tell(program, step) {
  // Whether it is still there, its exit says.
  program.send(step, () => {});
}

/** @param {import('node:child_process').ChildProcess | undefined} program */
async function stop(program) {
  if (program === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const gone = once(program, 'exit');
  program.kill('SIGTERM');
  const again = setTimeout(() => program.kill('SIGTERM'), IN_ORDER_MS);
  const atLast = setTimeout(() => program.kill('SIGKILL'), AT_ONCE_MS);
  await gone;
  clearTimeout(again);
  clearTimeout(atLast);
}
