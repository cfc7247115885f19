import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { describeError } from '../errors.js';
import { createLogger } from '../logging/logger.js';
import { readArguments, UsageError } from '../process/read-arguments.js';
import type { CommandContext } from '../process/run-command.js';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.js';
import { readVersion } from '../config/version.js';
import type { VariableName } from '../config/config.js';

/** Default port of the first of the three backends. */
const PORT = 8081;

const HELP = `Starts the simulated backends alone, and prints what a gateway in production
needs to use them, as lines for a shell. They forget everything when they end.

Usage: npm run --silent sandbox [-- --port PORT]

  npm run --silent sandbox > sandbox.env   # in one terminal
  . ./sandbox.env && node dist/main.js     # in another one

Options:
  --port PORT   backend-api listens there, geo-api and voip-api on the next two;
                ${PORT} by default, 0 takes any that are free
  --help        this text
  --version     the version

Exit codes: 0 ended by SIGINT or SIGTERM; 1 a port is not free; 64 wrong usage.`;

/** Exit codes; that of wrong usage is `EX_USAGE` of sysexits. */
const EXIT = { done: 0, failed: 1, usage: 64 } as const;

/** Runs the simulated backends until a signal arrives. @returns the exit code */
export async function runSandbox({ args, print, complain, signal }: CommandContext): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.text !== undefined) {
      print(options.text);
      return EXIT.done;
    }
    // Standard output is for a shell, so logs go to standard error.
    const destination = { write: (line: string) => complain(line.trimEnd()) };
    const logger = createLogger({ level: 'info', pretty: false, destination });
    const { port } = options;
    const next = (offset: number): number => (port === 0 ? 0 : port + offset);
    const ports = { backendApi: next(0), geoApi: next(1), voipApi: next(2) };
    const backendApiKey = newSecret();
    const sandbox = await startSandbox({ logger, backendApiKey, ports });
    const logins = sandbox.accounts.map(({ loginId, password, org, otp }) => {
      return `#   ${loginId} / ${password} (${org}${otp ? ', needs the one-time password that is logged here' : ''})`;
    });
    print(
      [
        '# The simulated backends run. Keys, and the directory of jobs and reports, are new at each start.',
        exportLines(productionSettings(sandbox, backendApiKey, join(tmpdir(), `gateway-${Date.now()}`))),
        '# Logins:',
        ...logins,
      ].join('\n'),
    );
    if (!signal.aborted) await once(signal, 'abort');
    await sandbox.close();
    return EXIT.done;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    complain(isUsage ? `${error.message} --help says what there is.` : startFault(error));
    return isUsage ? EXIT.usage : EXIT.failed;
  }
}

interface SandboxOptions {
  /** Help or version, printed instead of starting a sandbox. */
  readonly text?: string;
  readonly port: number;
}

/** @throws {UsageError} */
function readOptions(args: readonly string[]): SandboxOptions {
  const { values, positionals } = readArguments(args, {
    port: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  });
  const [surplus] = positionals;
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
  const { port = String(PORT) } = values;
  if (values.help || values.version) return { text: values.help ? HELP : readVersion(), port: 0 };
  if (!/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT) {
    throw new UsageError(`--port must be a whole number from 0 to ${MAX_PORT}, and is "${port}".`);
  }
  return { port: Number(port) };
}

/** The two ports after it must be valid too. */
const MAX_PORT = 65_533;

function startFault(error: unknown): string {
  return `The simulated backends cannot be started: ${describeError(error)}. Choose other ports with --port.`;
}

type Settings = Readonly<Partial<Record<VariableName, string>>>;

/** Generates a random secret as text. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the settings of a gateway in production with simulated backends, on this machine, with embedded jobs and
 * files. Every secret is new.
 *
 * @param backendApiKey key of service calls to the sandbox
 * @param dataDir folder of jobs and reports
 */
function productionSettings(sandbox: Sandbox, backendApiKey: string, dataDir: string): Settings {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    BACKEND_API_URL: sandbox.backendApiUrl,
    GEO_API_URL: sandbox.geoApiUrl,
    VOIP_API_URL: sandbox.voipApiUrl,
    BACKEND_API_KEY: backendApiKey,
    TOKEN_ISSUSERS: sandbox.issuer,
    TASK_CALLBACK_API_KEY: newSecret(),
    JOB_ENCRYPTION_KEY: newSecret(),
    DATA_DIR: dataDir,
  };
}

/** Formats settings as lines for a shell (POSIX, "export"). */
function exportLines(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`)
    .join('\n');
}
