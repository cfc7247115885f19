import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/base/config/variables.js';

/** A service of a compose file, as far as tests look at it. */
interface ComposeService {
  readonly image?: string;
  readonly build?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly secrets?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
  readonly deploy?: { readonly replicas?: number };
  readonly depends_on?: unknown;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly user?: string;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
  readonly mem_limit?: string;
  readonly cpus?: number;
}

/** Variables that the queue function reads, too; all others are the gateway's alone. Those of `S3_` it needs for SQS. */
const READ_BY_QUEUE_FUNCTION =
  /^(NODE_ENV|HOST|METRICS_PORT|GATEWAY_URL|REDIS_|SQS_|S3_|TASK_CALLBACK_API_KEY$|CALLBACK_SIGNING_|JOB_(?!PATIENCE)|JOBS_|QUEUE_|LOG_LEVEL|OTEL_|BACKEND_TIMEOUT_|SHUTDOWN_)/;

/** Names of the variables that a program reads. */
export function variablesOf(program: 'gateway' | 'queue-function'): readonly string[] {
  const all = Object.keys(VARIABLES);
  return program === 'gateway' ? all : all.filter((name) => READ_BY_QUEUE_FUNCTION.test(name));
}

/** A compose file. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly configs: Readonly<Record<string, { readonly content?: string }>>;
  readonly secrets: Readonly<Record<string, { readonly file?: string }>>;
  /** Names of the variables it asks for. */
  readonly asksFor: readonly string[];
}

const VARIABLE = /(?<!\$)\$\{(\w+)(?::([?-])([^}]*))?\}/g;

/**
 * Reads a compose file and fills in variables (Compose file reference, "Interpolation").
 *
 * @param values their values
 * @throws {Error} when one that is required has no value
 */
export function readComposeFile(path: string, values: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync(path, 'utf8');
  // Comments ask for nothing.
  const code = text.replaceAll(/^\s*#.*\n/gm, '');
  const filled = code
    .replaceAll(VARIABLE, (_all, name: string, mode: string | undefined, rest = '') => {
      const value = values[name] ?? '';
      if (value === '' && mode === '?') throw new Error(`${name} is required.`);
      return value === '' && mode === '-' ? String(rest) : value;
    })
    .replaceAll('$$', '$');
  // A test's view of our own file.
  const { services, configs, secrets } = parse(filled, { merge: true }) as Omit<ComposeFile, 'asksFor'>;
  return {
    services,
    configs,
    secrets,
    asksFor: [...new Set([...code.matchAll(VARIABLE)].map(([, name = '']) => name))].toSorted(),
  };
}
