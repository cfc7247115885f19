import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { describeError } from '../errors.js';
import { createLogger } from '../logging/logger.js';
import { runWithArguments, UsageError } from '../process/read-arguments.js';
import type { CommandContext } from '../process/run-command.js';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.js';
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

/** The two ports after it must be valid too. */
const MAX_PORT = 65_533;

/** Runs the simulated backends until a signal arrives. @returns the exit code */
export function runSandbox(context: CommandContext): Promise<number> {
  return runWithArguments(context, { help: HELP }, { port: { type: 'string' } }, async ({ values }) => {
    const { port = String(PORT) } = values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT) {
      throw new UsageError(`--port must be a whole number from 0 to ${MAX_PORT}, and is "${port}".`);
    }
    try {
      await serveUntilSignal(Number(port), context);
      return 0;
    } catch (error) {
      context.complain(
        `The simulated backends cannot be started: ${describeError(error)}. Choose other ports with --port.`,
      );
      return 1;
    }
  });
}

/** @param port of backend-api; 0 takes any free ports */
async function serveUntilSignal(port: number, { print, complain, signal }: CommandContext): Promise<void> {
  // Standard output is for a shell, so logs go to standard error.
  const destination = { write: (line: string) => complain(line.trimEnd()) };
  const logger = createLogger({ level: 'info', destination });
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
