/** A process that uses `runProgram`, seen from outside. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { startProgram, type ChildProgram } from '../support/child-program.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const programs = forAllTests(() => BuiltPrograms.open());
const directory = forAllTests(temporaryDirectory);
let file: string;

beforeAll(async () => {
  file = path.join(directory.path, 'command.mjs');
  const module = pathToFileURL(path.join(programs.directory, 'dist/run-program.js')).href;
  await writeFile(
    file,
    `import { runProgram } from '${module}';
    await runProgram(async ({ args, print, progress, signal }) => {
      print('started');
      if (args[0] === 'progress') {
        for (const done of [1, 2, 3]) progress(\`\${done} of 3\`);
        print('all done');
        return 3;
      }
      const timer = setTimeout(() => {}, 60_000);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      print('in order');
      if (args[0] === 'wait') await new Promise(() => {});
      if (args[0] === 'take time') await new Promise((resolve) => setTimeout(resolve, 100));
      clearTimeout(timer);
      return 4;
    });`,
  );
});

async function start(what: string): Promise<ChildProgram> {
  const logFile = path.join(directory.path, `${what}.log`);
  const program = await startProgram(process.execPath, { args: [file, what], logFile, env: { NODE_OPTIONS: '' } });
  await waitFor('its start', async () => (await program.output()).includes('started\n'));
  return program;
}
const ended = (program: ChildProgram) => waitFor('its end', () => !program.isRunning());

describe('A program run as a command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('can put things in order after a %s', async (signal) => {
    const program = await start(`go on after ${signal}`);
    program.signal(signal);
    await ended(program);
    expect(program.exitCode()).toBe(4);
    expect(await program.output()).toMatch(/in order\n$/);
  });

  it('takes a signal that comes twice at once, as npm sends it, for one', async () => {
    const program = await start('take time');
    program.signal('SIGINT');
    await waitFor('the first signal', async () => (await program.output()).includes('in order'));
    program.signal('SIGINT');
    await ended(program);
    expect(program.exitCode()).toBe(4);
  });

  it('ends by a second signal, whatever it is doing', async () => {
    const program = await start('wait');
    program.signal('SIGINT');
    await waitFor('the first signal', async () => (await program.output()).includes('in order'));
    await waitFor('its end', () => {
      program.signal('SIGTERM');
      return !program.isRunning();
    });
    expect(program.endedBy()).toBe('SIGTERM');
  });
});

describeWith(['script'], 'A program run as a command on a terminal', () => {
  it('shows progress in place, and what comes next below it', async () => {
    const { stdout } = await promisify(execFile)(
      'script',
      ['-qc', `${process.execPath} ${file} progress`, '/dev/null'],
      { env: { ...process.env, NODE_OPTIONS: '', TERM: 'xterm' } },
    );
    const erased = '\r\u001b[2K';
    expect(stdout.endsWith(`\n1 of 3${erased}2 of 3${erased}3 of 3\r\nall done\r\n`)).toBe(true);
  });
});
