/** Logs on a disk without space, and into pipes that nobody reads: no program stops or ends because of them. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hasCode } from '../../src/errors.js';
import { BuiltPrograms } from '../support/built-programs.js';
import { entriesOf } from '../support/captured-log.js';
import { freePorts, startProgram } from '../support/child-program.js';
import { PRODUCTION_ENVIRONMENT, productionAt } from '../support/gateway.js';
import { startRedis } from '../support/redis-server.js';
import { closeAfterTest, forAllTests, forEachTest, temporaryDirectory } from '../support/resources.js';
import { scrape } from '../support/scraped-metrics.js';
import { describeOnSmallDisk, makeSmallDisk } from '../support/small-disk.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';
import { succeeds, waitFor } from '../support/wait-for.js';

/** Requests whose lines are 6 KB each: more than a pipe takes and a program keeps. */
const REQUESTS = 400;
const AT_A_TIME = 20;
const LONG_PATH = `/${'x'.repeat(6_000)}`;

const programs = forAllTests(() => BuiltPrograms.open());
const backends = forAllTests(startBackends);
const files = forEachTest(temporaryDirectory);

/** Starts a gateway in production and waits until it is alive. @param output its file, or descriptor of its output */
async function startGateway(output: { readonly logFile: string; readonly stdout?: number }) {
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const started = startProgram(process.execPath, {
    args: [path.join(programs.directory, 'dist/main.js')],
    ...output,
    env: {
      NODE_OPTIONS: '',
      ...productionAt(backends),
      DATA_DIR: path.join(files.path, 'data'),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    },
  });
  const program = closeAfterTest(await started);
  const url = `http://127.0.0.1:${port}`;
  await waitFor('the gateway', () => succeeds(fetch(`${url}/health/live`)));
  const metrics = () => scrape(`http://127.0.0.1:${metricsPort}/metrics`);
  return { program, url, lostLines: async () => (await metrics()).value('gateway_log_lines_lost_total') };
}

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

describe('a reader of the log that stands still', () => {
  /** A pipe with a name: nobody reads it until the test does. */
  const pipe = forEachTest(() => {
    const file = path.join(files.path, 'pipe');
    spawnSync('mkfifo', [file]);
    const open = (): number => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    let readable = open();
    return Promise.resolve({
      readable: () => readable,
      writable: openSync(file, 'w'),
      /** Lets the reader leave. @returns a function that lets another one come */
      leave: () => {
        closeSync(readable);
        return () => (readable = open());
      },
      close: () => closeSync(readable),
    });
  });

  async function startOnPipe() {
    const gateway = await startGateway({ logFile: path.join(files.path, 'errors'), stdout: pipe.writable });
    closeSync(pipe.writable);
    return gateway;
  }

  function readPipe(descriptor: number): string {
    const bytes = Buffer.alloc(4_000_000);
    let length = 0;
    for (;;) {
      try {
        const read = readSync(descriptor, bytes, length, bytes.length - length, null);
        if (read === 0) break;
        length += read;
      } catch (error) {
        if (hasCode(error, 'EAGAIN')) break;
        throw error;
      }
    }
    return bytes.toString('utf8', 0, length);
  }

  it('holds up no request and no health check, and is told how many lines are missing', async () => {
    const { program, url, lostLines } = await startOnPipe();
    expect(await logMuch(url)).toBe(REQUESTS);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(await lostLines()).toBeGreaterThan(0);

    let text = '';
    const told = await waitFor('the number of lost lines', () => {
      text += readPipe(pipe.readable());
      return text.endsWith('\n') && lossesOf(text);
    });
    expect(await lostLines()).toBe(told);
    program.signal('SIGTERM');
    await waitFor('its end', () => !program.isRunning());
    expect(program.exitCode()).toBe(0);
    expect(entriesOf(text + readPipe(pipe.readable())).map(({ event }) => event)).toContain('program.stopped');
  });

  it('holds up no exit, not even with lines that wait for it', async () => {
    const { program, url } = await startOnPipe();
    await logMuch(url);
    program.signal('SIGTERM');
    await waitFor('its end', () => !program.isRunning());
    expect(program.exitCode()).toBe(0);
  });

  it('may leave, and a reader that comes later gets the lines', async () => {
    const { url } = await startOnPipe();
    const comeBack = pipe.leave();
    expect((await fetch(`${url}/while-nobody-reads`)).status).toBe(404);
    comeBack();
    let text = '';
    await waitFor('the line', () => {
      text += readPipe(pipe.readable());
      return text.includes('/while-nobody-reads');
    });
  });
});

describeOnSmallDisk('a disk of the log without space', () => {
  const disk = forEachTest(() => makeSmallDisk(8));

  it('holds up no request, and the missing lines are counted once there is space again', async () => {
    const logFile = path.join(disk.directory, 'log');
    const { program, url, lostLines } = await startGateway({ logFile });
    await disk.fill();
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
    const command = await startProgram(process.execPath, {
      args: [path.join(programs.directory, 'dist/jobs-cli.js'), '--help'],
      logFile: path.join(files.path, 'errors'),
      stdout: openSync(path.join(disk.directory, 'results'), 'w'),
      env: { NODE_OPTIONS: '' },
    });
    await waitFor('its end', () => !command.isRunning());
    expect(command.exitCode()).toBe(1);
    expect(await command.output()).toContain('Standard output cannot be written: ');
  });
});

describeWith(['redis-server'], 'a queue function', () => {
  const redis = forAllTests(() => startRedis());

  describeOnSmallDisk('whose log has no space', () => {
    const disk = forEachTest(() => makeSmallDisk(8));

    it('goes on, writes its lines when there is space again, and stops in order', async () => {
      const logFile = path.join(disk.directory, 'log');
      const [metricsPort = 0] = await freePorts(1);
      const program = await startProgram(process.execPath, {
        args: [path.join(programs.directory, 'dist/queue-function.js')],
        logFile,
        env: {
          NODE_OPTIONS: '',
          ...PRODUCTION_ENVIRONMENT,
          REDIS_URL: redis.url,
          GATEWAY_URL: 'http://127.0.0.1:9',
          METRICS_PORT: String(metricsPort),
        },
      });
      await waitFor('its start', async () => (await program.output()).includes('queue_function.consuming'));
      await disk.fill();
      await redis.kill();
      const failed = { event: 'dependency.failed', level: 'error' };
      await waitFor('the outage', async () => {
        const metrics = await scrape(`http://127.0.0.1:${metricsPort}/metrics`);
        return (metrics.value('gateway_log_events_total', failed) ?? 0) > 0;
      });
      await disk.makeRoom();
      await waitFor('the outage in the log', async () => (await program.output()).includes(failed.event));
      program.signal('SIGTERM');
      await waitFor('its end', () => !program.isRunning());
      expect(program.endedBy()).toBeNull();
    });
  });
});
