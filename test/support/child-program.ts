import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { runInThisContext } from 'node:vm';

export interface StartOptions {
  readonly args: readonly string[];
  /** File that takes its output. */
  readonly logFile: string;
  /** Descriptor of its standard output, when that is not the file. */
  readonly stdout?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Working directory; that of the tests when left out. */
  readonly cwd?: string;
}

/** Starts a program in the foreground of its own process. */
export async function startProgram(command: string, options: StartOptions): Promise<ChildProgram> {
  const { args, logFile, stdout, env, cwd } = options;
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { stdio: ['ignore', stdout ?? log, log], env: { ...process.env, ...env }, cwd });
  closeSync(log);
  await once(child, 'spawn');
  return new ChildProgram(child, logFile);
}

/** Far more than any program needs to end in good order on a busy machine. */
const GRACE_MS = 60_000;

/** A program that a test started; it is only ever signalled by its own pid. */
export class ChildProgram {
  readonly pid: number;
  readonly #gone: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #logFile: string;

  constructor(child: ChildProcess, logFile: string) {
    this.#child = child;
    this.#logFile = logFile;
    if (child.pid === undefined) throw new Error('The program has no pid.');
    this.pid = child.pid;
    this.#gone = new Promise((resolve) => child.once('exit', resolve));
  }

  isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The exit code when it ended by itself; null while it runs and when it was killed. */
  exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** The signal that ended it; null while it runs and when it ended by itself. */
  endedBy(): NodeJS.Signals | null {
    return this.#child.signalCode;
  }

  signal(name: NodeJS.Signals): void {
    if (this.isRunning()) this.#child.kill(name);
  }

  /**
   * Ends it and resolves when it is gone: asked politely, then, after the grace period, killed. Rejects when it called a
   * built-in sandbox in a way that an OpenAPI file does not allow.
   */
  async stop(): Promise<void> {
    // A stopped program hears nothing but SIGKILL and SIGCONT.
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), GRACE_MS);
    if (this.isRunning()) await this.#gone;
    clearTimeout(timer);
    await this.#assertContractsKept();
  }

  /** Kills it at once and resolves when it is gone. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    if (this.isRunning()) await this.#gone;
  }

  /** Its output so far, for the message of a failure. */
  async output(): Promise<string> {
    return readFile(this.#logFile, 'utf8');
  }

  /** Sandboxes that are built in tell their log alone what a contract does not allow. */
  async #assertContractsKept(): Promise<void> {
    const broken = (await this.output()).split('\n').filter((line) => line.includes('sandbox.contract_broken'));
    if (broken.length > 0) throw new Error(`A backend's contract was broken:\n${broken.join('\n')}`);
  }
}

/**
 * Ports below those that systems hand out by themselves (from 32,768 on Linux): otherwise any connection made before a
 * program listens could have its port. Each worker of Jest takes its own, one after the other: otherwise a port that a
 * suite has closed could soon belong to another one, whose server would get what the first still sends there. `fetch`
 * takes all of them: 10,080 is the last one that it refuses.
 */
const [MIN_PORT, PORTS_OF_EACH, WORKERS] = [10_100, 1_000, 22];

/** State of the worker, which all its suites share. */
const worker = runInThisContext('globalThis') as { portsTaken?: number }; // has any property

function nextPort(): number {
  worker.portsTaken = (worker.portsTaken ?? randomInt(PORTS_OF_EACH)) + 1;
  const share = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;
  return MIN_PORT + share * PORTS_OF_EACH + (worker.portsTaken % PORTS_OF_EACH);
}

/** Ports on the loopback address that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Map<number, net.Server>();
  while (ports.size < count) {
    const port = nextPort();
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    // Kept until all are found, so that they are different.
    if (isFree) ports.set(port, server);
  }
  await Promise.all(
    [...ports.values()].map(async (server) => {
      server.close();
      await once(server, 'close');
    }),
  );
  return [...ports.keys()];
}

/** Whether a program listens on the loopback port or the unix socket. */
export async function accepts(target: number | string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = typeof target === 'number' ? net.connect(target, '127.0.0.1') : net.connect(target);
    const answer = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}
