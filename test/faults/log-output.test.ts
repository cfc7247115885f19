/** Logs on a disk without space, and into pipes that nobody reads: no program stops or ends because of them. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hasCode } from '../../src/base/errors.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { entriesOf } from '../support/captured-log.js';
import { freePorts, startProgram, type ChildProgram } from '../support/child-program.js';
import { productionAt } from '../support/gateway.js';
import { closeAfterTest, forAllTests, forEachTest, temporaryDirectory } from '../support/resources.js';
import { scrape } from '../support/scraped-metrics.js';
import { describeOnSmallDisk, makeSmallDisk } from '../support/small-disk.js';
import { startBackends } from '../support/successive-gateways.js';
import { succeeds, waitFor } from '../support/wait-for.js';

/** Requests whose lines are 6 KB each: more than a pipe takes and a program keeps. */
const REQUESTS = 400;
const AT_A_TIME = 20;
const LONG_PATH = `/${'x'.repeat(6_000)}`;

const programs = forAllTests(() => BuiltPrograms.open());
const backends = forAllTests(startBackends);
const files = forEachTest(temporaryDirectory);

/** File of a program's output, and the descriptor of its standard output if that is another. */
interface Output {
  readonly logFile: string;
  readonly stdout?: number;
}

/** Starts a program in production, and waits for its metrics. */
async function start(name: 'main' | 'queue-function', output: Output, environment: NodeJS.ProcessEnv) {
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const program = await startProgram(process.execPath, {
    args: [path.join(programs.directory, `dist/${name}.js`)],
    ...output,
    env: {
      NODE_OPTIONS: '',
      ...productionAt(backends),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...environment,
    },
  });
  const metrics = () => scrape(`http://127.0.0.1:${metricsPort}/metrics`);
  await waitFor('its metrics', () => succeeds(metrics()));
  return { program: closeAfterTest(program), url: `http://127.0.0.1:${port}`, metrics };
}

async function startGateway(output: Output, environment: NodeJS.ProcessEnv = {}) {
  const gateway = await start('main', output, { DATA_DIR: path.join(files.path, 'data'), ...environment });
  await waitFor('the gateway', () => succeeds(fetch(`${gateway.url}/health/live`)));
  return { ...gateway, lostLines: async () => (await gateway.metrics()).value('gateway_log_lines_lost_total') };
}

/** Starts a command whose results are larger than a piece of a pipe. */
const startCommand = (output: Output): Promise<ChildProgram> =>
  startProgram(process.execPath, {
    args: [path.join(programs.directory, 'dist/jobs-cli.js'), '--help'],
    ...output,
    env: { NODE_OPTIONS: '' },
  });

const endOf = (program: ChildProgram): Promise<boolean> => waitFor('its end', () => !program.isRunning());

async function logMuch(url: string): Promise<number> {
  let answered = 0;
  for (let sent = 0; sent < REQUESTS; sent += AT_A_TIME) {
    const replies = await Promise.all(Array.from({ length: AT_A_TIME }, () => fetch(`${url}${LONG_PATH}`)));
    answered += replies.filter(({ status }) => status === 404).length;
    await Promise.all(replies.map((reply) => reply.text()));
  }
  return answered;
}

const lossesOf = (text: string): number | undefined =>
  text.includes('log.lines_lost') ? Number(entriesOf(text, 'log.lines_lost')[0]?.['lines']) : undefined;

/** Size of a piece of a pipe, which holds sixteen. */
const PAGE = 4_096;

/** Opens a pipe with a name: nobody reads it until the test does. */
function openPipe() {
  const file = path.join(files.path, 'pipe');
  spawnSync('mkfifo', [file]);
  const open = (flags: number): number => openSync(file, flags | constants.O_NONBLOCK);
  let readable = open(constants.O_RDONLY);
  const writable = openSync(file, 'w');
  const page = Buffer.alloc(PAGE);
  let text = '';
  const untilRefused = (transfer: () => number): void => {
    try {
      while (transfer() > 0);
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error;
    }
  };
  return {
    /** Starts a program that writes to the pipe, and is the only one then. */
    async startOn<T>(start: (output: Output) => Promise<T>): Promise<T> {
      const started = await start({ logFile: path.join(files.path, 'errors'), stdout: writable });
      closeSync(writable);
      return started;
    },
    /** Leaves no room in it. */
    fill() {
      const filling = open(constants.O_WRONLY);
      untilRefused(() => writeSync(filling, Buffer.alloc(PAGE, '\n')));
      closeSync(filling);
    },
    /** Reads what there is. @returns all that was ever read by it */
    text() {
      untilRefused(() => {
        const length = readSync(readable, page);
        text += page.toString('utf8', 0, length);
        return length;
      });
      return text;
    },
    /** Lets the reader leave. @returns a function that lets another one come */
    leave: () => {
      closeSync(readable);
      return () => (readable = open(constants.O_RDONLY));
    },
    close: () => closeSync(readable),
  };
}

describe('an end of the program', () => {
  it.each([
    ['by a warning and kill -9', `console.warn('last words'); process.kill(process.pid, 'SIGKILL')`, true],
    ['by exit, as after a second signal', 'process.exit(3)', true],
    ['by an uncaught error', `throw new Error('uncaught')`, true],
    ['by kill -9', `process.kill(process.pid, 'SIGKILL')`, false],
  ])('%s, which runs %s, writes the lines of the same moment: %s', async (_how, end, isWritten) => {
    // Nothing but microtasks between the first signal, whose line is information, and the end.
    const crash = `process.on('SIGUSR2', async () => {
      process.emit('SIGTERM', 'SIGTERM');
      for (let turn = 0; turn < 50; turn += 1) await undefined;
      ${end};
    })`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(crash)}`;
    const { program } = await startGateway({ logFile: path.join(files.path, 'log') }, { NODE_OPTIONS });
    program.signal('SIGUSR2');
    await endOf(program);
    const events = entriesOf(await program.output()).map(({ event }) => event);
    const last = ['program.stopping', ...(end.includes('warn') ? ['process.warned'] : [])];
    expect(events.includes('program.stopping')).toBe(isWritten);
    if (isWritten) expect(events.filter((event) => last.includes(event))).toEqual(last);
  });
});

describe('a reader of the log that stands still', () => {
  const pipe = forEachTest(openPipe);

  it('holds up no request and no health check, and is told how many lines are missing', async () => {
    const { program, url, lostLines } = await pipe.startOn(startGateway);
    expect(await logMuch(url)).toBe(REQUESTS);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(await lostLines()).toBeGreaterThan(0);

    const told = await waitFor('the number of lost lines', () => pipe.text().endsWith('\n') && lossesOf(pipe.text()));
    expect(await lostLines()).toBe(told);
    program.signal('SIGTERM');
    await endOf(program);
    expect(program.exitCode()).toBe(0);
    expect(entriesOf(pipe.text()).map(({ event }) => event)).toContain('program.stopped');
  });

  it('holds up no exit, not even with lines that wait for it', async () => {
    const { program } = await pipe.startOn(startGateway);
    pipe.fill();
    program.signal('SIGTERM');
    await endOf(program);
    expect(program.exitCode()).toBe(0);
  });

  it('may leave, and a reader that comes later gets the lines', async () => {
    const { url } = await pipe.startOn(startGateway);
    const comeBack = pipe.leave();
    expect((await fetch(`${url}/while-nobody-reads`)).status).toBe(404);
    comeBack();
    await waitFor('the line', () => pipe.text().includes('/while-nobody-reads'));
  });

  it('holds up a command until its results are read', async () => {
    pipe.fill();
    const command = await pipe.startOn(startCommand);
    // It rests with its results at hand: a command that did not wait for the reader would have ended.
    let [worked, rests] = ['', 0];
    await waitFor('it to wait for the reader', () => {
      const before = worked;
      worked = readFileSync(`/proc/${command.pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
      rests = worked === before && worked !== '0 0' ? rests + 1 : 0;
      return rests === 20;
    });
    expect(command.isRunning()).toBe(true);
    await waitFor('its end', () => pipe.text() !== '' && !command.isRunning());
    expect(command.exitCode()).toBe(0);
    expect(pipe.text()).toContain('78 wrong settings.\n');
  });

  it('may leave a command, which fails then and says nothing', async () => {
    const comeBack = pipe.leave();
    const command = await pipe.startOn(startCommand);
    await endOf(command);
    comeBack();
    expect([command.exitCode(), await command.output()]).toEqual([1, '']);
  });
});

describeOnSmallDisk('a disk of the log without space', () => {
  const disk = forEachTest(() => makeSmallDisk(8));

  it('holds up no request, and the missing lines are counted once there is space again', async () => {
    const logFile = path.join(disk.directory, 'log');
    // A start on a full disk is as good as any other.
    await disk.fill();
    const { program, url, lostLines } = await startGateway({ logFile });
    expect(await logMuch(url)).toBe(REQUESTS);
    expect(await lostLines()).toBeGreaterThan(0);
    await disk.makeRoom();
    const told = await waitFor('the number of lost lines', () => lossesOf(readFileSync(logFile, 'utf8')));
    expect(await lostLines()).toBe(told);
    await program.stop();
    expect(program.exitCode()).toBe(0);
  });

  it('ends a command whose results it does not take as a failure', async () => {
    await disk.fill();
    const stdout = openSync(path.join(disk.directory, 'results'), 'w');
    const command = await startCommand({ logFile: path.join(files.path, 'errors'), stdout });
    await endOf(command);
    expect(command.exitCode()).toBe(1);
    expect(await command.output()).toContain('Standard output cannot be written: ');
  });
});
