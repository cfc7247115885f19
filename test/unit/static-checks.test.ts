/** `npm run check`: several scripts side by side, each with its output apart. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { beforeAll, expect, it } from '@jest/globals';
import { forAllTests, temporaryDirectory } from '../support/resources.js';

const SCRIPT = fileURLToPath(new URL('../support/static-checks.ts', import.meta.url));
const LOADER = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** They take turns in writing, so that their outputs would mix. */
const talkative = (word: string, code: number): string =>
  `node -e "for (let i = 0; i < 3; i += 1) console.log('${word}', i); process.exit(${code})"`;

const directory = forAllTests(temporaryDirectory);
beforeAll(async () => {
  const scripts = { good: talkative('fine', 0), bad: talkative('bad news', 1), worse: talkative('worse news', 2) };
  await writeFile(path.join(directory.path, 'package.json'), JSON.stringify({ scripts }));
});

async function check(...names: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', LOADER, SCRIPT, ...names],
      { cwd: directory.path },
      (_error, stdout) => {
        resolve({ code: child.exitCode ?? -1, stdout });
      },
    );
  });
}

it('goes on after a failure, shows what each failed one said in one piece, and names them at the end', async () => {
  const { code, stdout } = await check('bad', 'good', 'worse');
  expect(code).toBe(1);
  for (const word of ['bad news', 'worse news']) expect(stdout).toContain(`\n${word} 0\n${word} 1\n${word} 2\n`);
  // Nothing of what those that pass have to say.
  expect(stdout).toMatch(/^passed {2}good {2}[\d.]+ s\n/m);
  expect(stdout).not.toContain('fine');
  expect(stdout).toMatch(/^FAILED {2}bad/m);
  expect(stdout).toMatch(/\n2 of 3 checks failed: npm run (bad, npm run worse|worse, npm run bad)\n$/);
});
