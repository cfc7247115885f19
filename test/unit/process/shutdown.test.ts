import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { runShutdown } from '../../../src/programs/process/shutdown.js';
import { captureLog } from '../../support/captured-log.js';
import { PRODUCTION_ENVIRONMENT } from '../../support/gateway.js';

/** Variables that production requires of a queue function, and that this suite does not use. */
const ELSEWHERE = { REDIS_URL: 'redis://127.0.0.1:1', GATEWAY_URL: 'http://127.0.0.1:1' };

describe('A shutdown', () => {
  it('runs every step, waits for none longer than its time, and names those that did not end well', async () => {
    const log = captureLog();
    const ran: string[] = [];
    const step = (name: string, run: () => Promise<unknown>, maxMs = 5_000) => ({
      name,
      maxMs,
      run: () => {
        ran.push(name);
        return run();
      },
    });
    const unfinished = await runShutdown(
      [
        step('jobs', () => Promise.resolve()),
        step('object store', () => new Promise(() => undefined), 20),
        step('queue', () => Promise.reject(new Error('broken'))),
        step('sandbox', () => Promise.resolve()),
      ],
      log.logger,
    );
    expect(unfinished).toEqual(['object store', 'queue']);
    expect(ran).toEqual(['jobs', 'object store', 'queue', 'sandbox']);
    expect(log.complaints()).toEqual(['shutdown.step_overdue', 'shutdown.step_failed']);
    expect(log.text()).toContain('"step":"object store"');
  });

  it('of a process that names a step ends it with 1, and the log says which, without plain text between its lines', async () => {
    const program = fileURLToPath(new URL('processes/unfinished-program.ts', import.meta.url));
    const env = { PATH: process.env['PATH'], ...PRODUCTION_ENVIRONMENT, ...ELSEWHERE, LOG_LEVEL: 'info' };
    const child = spawn(process.execPath, ['--import', 'tsx', program], { env });
    const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')];
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await ended).toEqual([1, null]);
    expect(await stderr).toBe('');
    const [started, ...lines] = (await stdout).trimEnd().split('\n');
    expect(started).toBe('started');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { event: 'program.stopping', signal: 'SIGTERM' },
      { event: 'program.stopped', unfinished: ['object store'] },
    ]);
  });
});
