import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { constants, runInThisContext } from 'node:vm';
import type { Metafile } from 'esbuild';
import { freePorts, startProgram, type ChildProgram } from './child-program.js';
import type * as product from './product.js';
import { START_COMMAND } from './start-command.js';
import { waitFor } from './wait-for.js';

const run = promisify(execFile);

/** Where the package lies. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Ignored by every other tool, and close enough to `node_modules` for imports to be found. */
const CACHE = path.join(ROOT, 'node_modules/.cache/gateway-builds');

const OUTDATED_MS = 3_600_000;

/** A program that serves HTTP. */
export interface ServingProgram extends ChildProgram {
  /** Where it listens, base path included. */
  readonly url: string;
}

/** A program that ran to its end. */
export interface EndedProgram {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** No test of anything else fails because the machine was busy. */
const PATIENT_MS = '60000';

/** The programs as they are deployed, and those of them that run. */
export class BuiltPrograms {
  readonly #running: ChildProgram[] = [];
  #started = 0;
  readonly #logs: string;

  private constructor(
    /** Holds `dist` and what lies beside it. */
    readonly directory: string,
    logs: string,
  ) {
    this.#logs = logs;
  }

  /** Builds them. @param directory where they lie already; built when left out */
  static async open(directory?: string): Promise<BuiltPrograms> {
    return new BuiltPrograms(
      directory ?? (await buildPrograms()),
      await mkdtemp(path.join(tmpdir(), 'gateway-programs-')),
    );
  }

  /** Starts a gateway as `npm start` does, on a free port, and waits until it listens. */
  async startGateway(env: NodeJS.ProcessEnv): Promise<ServingProgram> {
    const [port] = await freePorts(1);
    const settings = { PORT: String(port), MAX_EVENT_LOOP_DELAY_MS: PATIENT_MS, ...env };
    const program = await this.start([START_COMMAND.file], settings, { nodeOptions: START_COMMAND.nodeOptions });
    const url = await readLine(program, 'gateway.listening', (line) => /"url":"([^"]+)"/.exec(line)?.[1]);
    return Object.assign(program, { url });
  }

  /** Starts a queue function and waits until it consumes. */
  async startQueueFunction(env: NodeJS.ProcessEnv): Promise<ChildProgram> {
    const program = await this.start(['dist/queue-function.js'], env);
    await readLine(program, 'queue_function.consuming', (line) => line);
    return program;
  }

  /** Starts a program and lets it run. @param cwd where; that of the tests by default */
  async start(
    [file, ...args]: readonly [string, ...string[]],
    env: NodeJS.ProcessEnv,
    { cwd = process.cwd(), nodeOptions = [] }: { readonly cwd?: string; readonly nodeOptions?: readonly string[] } = {},
  ): Promise<ChildProgram> {
    this.#started += 1;
    const program = await startProgram(process.execPath, {
      args: [...nodeOptions, path.join(this.directory, file), ...args],
      logFile: path.join(this.#logs, `${this.#started}.log`),
      env: { ...OWN_ENVIRONMENT, ...env },
      cwd,
    });
    this.#running.push(program);
    return program;
  }

  /** Runs Node.js to its end. @param cwd where; by default the directory that holds `dist` */
  async run(args: readonly string[], env: NodeJS.ProcessEnv, cwd = this.directory): Promise<EndedProgram> {
    return new Promise((resolve) => {
      const options = { cwd, env: { ...process.env, ...OWN_ENVIRONMENT, ...env }, timeout: 120_000 };
      const child = execFile(process.execPath, [...args], options, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, stdout, stderr });
      });
    });
  }

  /** Source files and packages in each file of `dist`, by its name. */
  async contents(): Promise<ReadonlyMap<string, readonly string[]>> {
    const text = await readFile(path.join(this.directory, 'metafile.json'), 'utf8');
    const { outputs } = JSON.parse(text) as Metafile; // as the bundler writes it
    return new Map(Object.entries(outputs).map(([file, { inputs }]) => [path.basename(file), Object.keys(inputs)]));
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((program) => program.kill()));
    await rm(this.#logs, { recursive: true });
  }
}

async function readLine(
  program: ChildProgram,
  text: string,
  read: (line: string) => string | undefined,
): Promise<string> {
  return waitFor(`"${text}"`, async () => {
    const output = await program.output();
    if (!program.isRunning()) throw new Error(`The program ended: ${output}`);
    const line = output.split('\n').find((each) => each.includes(text));
    return line === undefined ? undefined : read(line);
  });
}

/** Without what the test runner put there, and without what the AWS SDK says about Node.js 20. */
const OWN_ENVIRONMENT = { NODE_OPTIONS: '', NODE_ENV: '', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };

/**
 * Bundles the programs as `npm run build` does, into a directory that belongs to this state of the sources. Test files
 * that run at the same time share it.
 *
 * @param options `--image` for those of the image
 */
export async function buildPrograms(...options: readonly '--image'[]): Promise<string> {
  const directory = path.join(CACHE, [await stateOfSources(), ...options].join(''));
  // One that is used is not outdated.
  const isThere = await utimes(directory, new Date(), new Date()).then(
    () => true,
    () => false,
  );
  if (isThere) return directory;
  await mkdir(CACHE, { recursive: true });
  await removeOutdated();
  const draft = await mkdtemp(path.join(CACHE, 'draft-'));
  await run(process.execPath, ['test/support/bundle-programs.js', draft, ...options], { cwd: ROOT });
  await rename(draft, directory).catch(async (error: unknown) => {
    await rm(draft, { recursive: true });
    // Another process may have been first.
    if (!existsSync(directory)) throw error;
  });
  return directory;
}

/** Imports as Node.js does, outside the modules of a suite, so that each worker loads a file once. */
const importOnce = runInThisContext('(file) => import(file)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (file: string) => Promise<unknown>;

/** Loads the parts of the product that a gateway in this process needs. Fake timers and spies do not reach them. */
export async function loadProduct(): Promise<typeof product> {
  const file = path.join(await buildPrograms(), 'dist/product.js');
  return (await importOnce(pathToFileURL(file).href)) as typeof product;
}

async function stateOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const inside = async (folder: string): Promise<string[]> => {
    return (await readdir(path.join(ROOT, folder), { recursive: true })).map((name) => path.join(folder, name));
  };
  const files = ['.ci/bundle.js', 'test/support/bundle-programs.js', 'test/support/product.ts', 'package-lock.json'];
  for (const file of [...files, ...(await inside('generated')), ...(await inside('src'))].toSorted()) {
    const { mtimeMs, size } = await stat(path.join(ROOT, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOutdated(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const directory = path.join(CACHE, name);
    const { mtimeMs } = await stat(directory).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > OUTDATED_MS) await rm(directory, { recursive: true, force: true });
  }
}
