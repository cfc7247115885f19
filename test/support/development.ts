import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BuiltPrograms } from './built-programs.js';
import { startProgram, type ChildProgram } from './child-program.js';
import { scratchPackage } from './scratch-package.js';
import { waitFor } from './wait-for.js';

/** `npm run dev` on a copy of this package, whose sources can be changed. */
export interface Development {
  readonly program: ChildProgram;
  /** The file that prints the welcome, as it is here. */
  readonly source: string;
  /** Writes that file. */
  write(source: string): Promise<void>;
  /** That file with another word in the welcome. */
  welcoming(word: string): string;
  /** Waits for a gateway whose welcome has this word. @returns where it listens */
  listeningWith(word: string): Promise<string>;
  /** Waits for something in the output. */
  said(pattern: RegExp): Promise<unknown>;
  close(): Promise<void>;
}

const SOURCE = 'src/main.ts';
/** A word of the welcome, which is as good as any. */
const WORD = '  GraphQL  ';

/** Starts it; nothing has to be built first. */
export async function startDevelopment(): Promise<Development> {
  const scratch = await scratchPackage(['src', 'schema', 'generated', 'openapi']);
  const built = await BuiltPrograms.open();
  await cp(path.join(built.directory, 'dist'), path.join(scratch.directory, 'dist'), { recursive: true });
  await built.close();
  const data = await mkdtemp(path.join(tmpdir(), 'gateway-dev-'));
  const source = await readFile(path.join(scratch.directory, SOURCE), 'utf8');
  const jobs = { PORT: '0', DATA_DIR: path.join(data, 'jobs'), MAX_EVENT_LOOP_DELAY_MS: '60000' };
  const program = await startProgram(process.execPath, {
    args: ['.ci/build/dev.js'],
    logFile: path.join(data, 'log'),
    cwd: scratch.directory,
    env: { NODE_OPTIONS: '', NODE_ENV: '', ...jobs },
  });
  return {
    program,
    source,
    write: (text) => scratch.write(SOURCE, text),
    welcoming: (word) => source.replace(WORD, `  ${word}  `),
    listeningWith: (word) =>
      waitFor(`a gateway that says ${word}`, async () => {
        const [, url] = new RegExp(`  ${word} +(http\\S+)/graphql`).exec(await program.output()) ?? [];
        return url;
      }),
    said: (pattern) =>
      // Types of everything may take a busy machine minutes.
      waitFor(String(pattern), async () => pattern.test(await program.output()), 230_000),
    async close() {
      await program.stop();
      await Promise.all([scratch.remove(), rm(data, { recursive: true })]);
    },
  };
}
