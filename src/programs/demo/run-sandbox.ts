import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { describeError } from '../../base/errors.js';
import { createLogger } from '../../base/logging/logger.js';
import { runWithArguments, UsageError } from '../process/read-arguments.js';
import { EXIT } from '../process/supported-node.js';
import type { CommandContext } from '../process/run-program.js';
import {
  startSandbox,
  type SandboxBackend,
  type BackendFault,
  type FaultScope,
  type Sandbox,
} from '../../sandbox/sandbox.js';
import type { VariableName } from '../../base/config/variables.js';

const PORT = 8081;

const HELP = `Starts the simulated backends alone, and prints what a gateway in production
needs to use them, as lines for a shell. They forget everything when they end.

Usage: npm run --silent sandbox [-- [--port PORT] [--fault FAULT]...]

  npm run --silent sandbox > sandbox.env   # in one terminal
  . ./sandbox.env && node dist/main.js     # in another one

Options:
  --port PORT    the port of backend-api, ${PORT} by default; geo-api and voip-api
                 take the next two; 0 takes any that are free
  --fault FAULT  what goes wrong from the start; the last one that fits counts
  --help         this text
  --version      the version

Faults:
  voip-api=down          voip-api cuts every connection
  geo-api=500            geo-api answers every request with 500 (400 to 599)
  backend-api=slow:2000  backend-api answers after 2000 ms; keys and health as
                         usual, because a gateway waits less long for them
  otp=wrong              every one-time password is wrong
  mobile:3=fails         the changes and the report of mobile 3 are refused
Each subject also takes the effects down, slow:MILLISECONDS and a status.

Exit codes: 0 ended by SIGINT or SIGTERM; 1 a port is not free; 64 wrong usage.`;

/** The two ports after it must be valid too. */
const MAX_PORT = 65_533;

/** Runs the simulated backends until a signal arrives. @returns the exit code */
export function runSandbox(context: CommandContext): Promise<number> {
  const options = { port: { type: 'string' }, fault: { type: 'string', multiple: true } } as const;
  return runWithArguments(context, { help: HELP }, options, async ({ values }) => {
    const { port = String(PORT), fault = [] } = values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT) {
      throw new UsageError(`--port must be a whole number from 0 to ${MAX_PORT}, and is "${port}".`);
    }
    const faults = fault.map(readFault);
    try {
      await serveUntilSignal(Number(port), faults, context);
      return EXIT.done;
    } catch (error) {
      context.complain(
        `The simulated backends cannot be started: ${describeError(error)}. Choose other ports with --port.`,
      );
      return EXIT.failed;
    }
  });
}

type ScopedFault = FaultScope & { readonly fault: BackendFault };

const FAULT = /^(?:(?<backend>(?:backend|geo|voip)-api)|(?<otp>otp)|mobile:(?<mobile>[1-9]\d*))=(?<effect>.+)$/;

const IMPATIENT: ReadonlySet<string | undefined> = new Set(['getPublicKeys', 'getHealth']);

/** Reads a fault as `--help` describes it. */
function readFault(text: string): ScopedFault {
  const { backend, otp, mobile, effect = '' } = FAULT.exec(text)?.groups ?? {};
  const scope: FaultScope = {
    ...(backend !== undefined && { backend: backend as SandboxBackend }), // as the pattern says
    ...(otp !== undefined && { operation: 'verifyOtp' }),
    ...(mobile !== undefined && { mobileId: mobile }),
  };
  const slow = /^slow:(\d{1,6})$/.exec(effect)?.[1];
  if (effect === 'down') return { ...scope, fault: { kind: 'down' } };
  if (slow !== undefined) {
    const match: FaultScope['match'] = ({ operation }) => !IMPATIENT.has(operation);
    return { ...scope, match, fault: { kind: 'slow', milliseconds: Number(slow) } };
  }
  if (/^[45]\d\d$/.test(effect)) return { ...scope, fault: { kind: 'status', status: Number(effect) } };
  if (otp !== undefined && effect === 'wrong') return { ...scope, fault: { kind: 'status', status: 401 } };
  if (mobile !== undefined && effect === 'fails') {
    const match: FaultScope['match'] = ({ operation }) => operation !== 'getMobile';
    return { ...scope, match, fault: { kind: 'status', status: 422, message: `mobile ${mobile} is refused` } };
  }
  throw new UsageError(`--fault must be one that --help lists, such as voip-api=down, and is "${text}".`);
}

/** @param port of backend-api; 0 takes any free ports */
async function serveUntilSignal(
  port: number,
  faults: readonly ScopedFault[],
  { print, complain, signal }: CommandContext,
): Promise<void> {
  // Standard output is for a shell, so logs go to standard error.
  const logger = createLogger({ level: 'info', destination: { write: (line: string) => complain(line.trimEnd()) } });
  const next = (offset: number): number => (port === 0 ? 0 : port + offset);
  const ports = { backendApi: next(0), geoApi: next(1), voipApi: next(2) };
  const backendApiKey = newSecret();
  const sandbox = await startSandbox({ logger, backendApiKey, ports });
  for (const fault of faults) sandbox.faults.set(fault);
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

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the settings of a gateway in production with simulated backends and embedded jobs. Every secret is new. */
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
