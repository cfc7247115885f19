import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../support/built-programs.js';
import { accepts, freePorts } from '../support/child-program.js';
import { SAMPLE_DATE } from '../support/sample-report.js';
import { START_COMMAND } from '../support/start-command.js';
import { waitFor } from '../support/wait-for.js';
import { createCredentials } from './requests/credentials.js';
import { processorTimeOfTree } from './report-processor-time.js';
import { fullDay } from './report-day.js';

const DRIVERS = 1_000;
const WARM_UP_JOBS = 1;
const JOBS = 5;
const BACKENDS = 'dist/bench/test/bench/report-backends-child.js';

/**
 * Has a gateway of its own make reports of 1,000 drivers, embedded engines and backends in another process that answer at
 * once.
 *
 * @param nodeArgs of the gateway, such as a profiler's
 * @returns the gateway's processor time for a driver, median job, in milliseconds
 */
export async function measureWholeJob(nodeArgs: readonly string[] = []): Promise<number> {
  const directory = await mkdtemp(path.join(tmpdir(), 'report-bench-'));
  const children: ChildProcess[] = [];
  try {
    const backends = spawn(process.execPath, [path.join(ROOT, BACKENDS), String(DRIVERS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(backends);
    const backendUrl = `http://127.0.0.1:${await firstLine(backends)}`;
    const [port = 0] = await freePorts(1);
    const { environment, callbackKey } = await createCredentials();
    const dropped = openSync('/dev/null', 'w');
    const program = [...START_COMMAND.nodeOptions, ...nodeArgs, path.join(ROOT, START_COMMAND.file)];
    const gateway = spawn(process.execPath, program, {
      stdio: ['ignore', dropped, 'inherit'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        ...environment,
        HOST: '127.0.0.1',
        PORT: String(port),
        BACKEND_API_URL: backendUrl,
        GEO_API_URL: backendUrl,
        VOIP_API_URL: backendUrl,
        DATA_DIR: directory,
        SHUTDOWN_DELAY_SECONDS: '0',
        MAX_EVENT_LOOP_DELAY_MS: '60000',
      },
    });
    closeSync(dropped);
    children.push(gateway);
    await waitFor('the gateway to listen', () => accepts(port));
    const times: number[] = [];
    for (let job = 0; job < WARM_UP_JOBS + JOBS; job += 1) {
      const before = processorTimeOfTree(gateway.pid ?? 0);
      await runJob(`http://127.0.0.1:${port}`, callbackKey, `bench-${job}`);
      if (job >= WARM_UP_JOBS) times.push((processorTimeOfTree(gateway.pid ?? 0) - before) / DRIVERS);
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
  } finally {
    for (const child of children) await ended(child);
    await rm(directory, { recursive: true, force: true });
  }
}

async function runJob(origin: string, callbackKey: string, jobId: string): Promise<void> {
  const drivers = Array.from({ length: DRIVERS }, (_, index) => fullDay(index).driver);
  const reply = await fetch(`${origin}/api/v1/DrivingReport/GenerateCallback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': callbackKey, 'x-job-id': jobId, 'x-org-id': 'acme' },
    body: JSON.stringify({ date: SAMPLE_DATE, drivers }),
  });
  const text = await reply.text();
  if (reply.status !== 200 || text.includes('"errorList":[')) {
    throw new Error(`The job answered ${reply.status}: ${text.slice(0, 500)}`);
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('Nothing can be read of a process without output.');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`A process of the benchmark ended with code ${child.exitCode}.`);
}

/** Ends one process that was started here, and waits for it. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
