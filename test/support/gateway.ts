import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VariableName } from '../../src/base/config/variables.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import type { SigningKey } from '../../src/sandbox/access-tokens.js';
import { loadProduct } from './built-programs.js';
import { freePorts } from './child-program.js';
import { expectReplyToMatch } from './openapi-contract.js';
import { reasonsIn } from './published-errors.js';
import { scrape, type Scrape } from './scraped-metrics.js';
import { Journal, journaled, startJournaled, type TestSandbox, type TokenOverrides } from './test-sandbox.js';

/** A reply whose body was read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  /** The body parsed, when it is JSON; undefined otherwise. */
  readonly body: unknown;
}

/** An error as the GraphQL interface shows it. */
export interface ShownError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly reason?: string;
    readonly status: number;
    readonly path: readonly (string | number)[];
    readonly fields?: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  };
}

/** Result of a GraphQL request. */
export interface GraphQLReply extends Reply {
  readonly data: Record<string, unknown> | null | undefined;
  readonly errors: readonly ShownError[] | undefined;
}

/** A running gateway on a free port, with a sandbox and a data directory of its own. */
export interface TestGateway {
  readonly url: string;
  readonly sandbox: TestSandbox;
  readonly dataDir: string;
  readonly logged: () => string;
  /** Where its metrics are; only with `METRICS_PORT`. */
  readonly metricsUrl: () => string;
  /** Reads its metrics. @param accept the format, that of Prometheus by default */
  scrape(): Promise<Scrape>;
  /** A REST request; its reply is checked against openapi/gateway.yaml. */
  rest(method: string, path: string, init?: RequestInit): Promise<Reply>;
  /** A callback with the right key, unless `headers` says otherwise. */
  callback(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  graphql(query: string, variables?: object, authorization?: string): Promise<GraphQLReply>;
  /** `Authorization` header for a token of this user, or with these overrides. */
  bearer(overrides?: TokenOverrides): Promise<string>;
  /** Stops the gateway and fails if it called a backend in a way that its OpenAPI file does not allow. */
  close(): Promise<void>;
}

type Environment = Partial<Record<VariableName, string>>;

/** How a test gateway differs from one started with the development defaults. */
export interface TestGatewayOptions {
  /** A data directory of an earlier gateway, to go on with. */
  readonly dataDir?: string;
  /** Backends of an earlier gateway, to go on with; they outlive this gateway. */
  readonly sandbox?: TestSandbox;
  /** Start with production settings, the sandbox standing in for real backends. */
  readonly production?: boolean;
  /** Share key set and readiness as a gateway does. As a rule they are not, because tests change what is behind them. */
  readonly sharesAnswers?: boolean;
  /** Wait for others as long as a gateway does. As a rule it waits longer, because the machine may be busy. */
  readonly waitsAsUsual?: boolean;
}

/** Nothing that is only slow is late. */
const BUSY_MACHINE = { connectTimeoutMs: 60_000, keyFetchTimeoutMs: 60_000, probeTimeoutMs: 5_000 };

/** Keys of sandboxes that are gone: to make a key takes longer than to start the rest of a gateway. */
const freeSigningKeys: SigningKey[] = [];

/** Starts a gateway. `environment` overrides variables. */
export async function startTestGateway(
  environment: Environment = {},
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { createGateway, createLogger, createSigningKey, loadConfig, startSandbox } = await loadProduct();
  // Programs outside of Jest, such as benchmarks, use this file too.
  if (process.env['JEST_WORKER_ID'] !== undefined) await import('./backend-contracts.js');
  const journal = new Journal();
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const signingKey = freeSigningKeys.pop() ?? (await createSigningKey());
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gateway-test-')));
  const separate =
    options.production === true && options.sandbox === undefined
      ? await startJournaled(startSandbox, {
          logger: createLogger({ level: 'silent' }),
          backendApiKey: BACKEND_KEY,
          signingKey,
        })
      : options.sandbox;
  const discard = async (): Promise<void> => {
    freeSigningKeys.push(signingKey);
    if (options.sandbox === undefined) await separate?.close();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  const start = async () => {
    const [port] = await freePorts(1);
    const config = loadConfig({
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'debug',
      // Tests of outages are patient; all others should learn of a fault soon.
      JOB_PATIENCE_SECONDS: '1',
      // Nor does one fail because the machine is busy.
      MAX_EVENT_LOOP_DELAY_MS: '60000',
      REQUEST_TIMEOUT_SECONDS: '240',
      KEEP_ALIVE_SECONDS: '3600',
      ...(separate && backendEnvironment(separate)),
      ...(options.production && PRODUCTION_ENVIRONMENT),
      ...environment,
    });
    const logger = createLogger({ level: config.logLevel, destination });
    const gateway = await createGateway({
      config,
      logger,
      version: '0.0.0-test',
      sandboxOptions: { signingKey, onRequest: journal.onRequest, onEffect: journal.onEffect },
      ...(options.sharesAnswers !== true && { sharedAnswerMs: 0 }),
      ...(options.waitsAsUsual !== true && { waits: BUSY_MACHINE }),
    });
    const url = await gateway.listen();
    return { config, gateway, url };
  };
  const { config, gateway, url } = await start().catch(async (error: unknown) => {
    await discard();
    throw error;
  });
  const sandbox = separate ?? (gateway.sandbox && journaled(gateway.sandbox, journal));
  if (sandbox === undefined) throw new Error('These tests run against the sandbox.');

  const rest = async (method: string, path: string, init: RequestInit = {}): Promise<Reply> => {
    const reply = await read(await fetch(`${url}${path}`, { method, redirect: 'manual', ...init }));
    const contractBody = reply.body ?? (reply.text === '' ? undefined : reply.text);
    expectReplyToMatch('gateway', method, path, { status: reply.status, headers: reply.headers, body: contractBody });
    return reply;
  };

  const metricsUrl = (): string => {
    const [, found] = /"url":"([^"]+)","event":"metrics\.listening"/.exec(lines.join('')) ?? [];
    if (found === undefined) throw new Error('The gateway of this test has no METRICS_PORT.');
    return found;
  };

  return {
    url,
    sandbox,
    dataDir,
    rest,
    logged: () => lines.join(''),
    metricsUrl,
    scrape: () => scrape(metricsUrl()),
    callback: (path, body, headers = {}) =>
      rest('POST', path, {
        headers: { 'content-type': 'application/json', 'x-api-key': config.keys.callback[0], ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    graphql: graphqlAt(url),
    bearer: async (overrides) => `Bearer ${await sandbox.mintToken(overrides)}`,
    async close() {
      await gateway.close();
      await discard();
      const violations = sandbox.journal.contractViolations();
      if (violations.length > 0) throw new Error(`backend contract violated: ${JSON.stringify(violations)}`);
    },
  };
}

/** Service key of gateways in tests that do not use the development default. */
export const BACKEND_KEY = 'backend-key-of-the-tests';

/** Variables that point a gateway to backends that run already. */
export function backendEnvironment(sandbox: Sandbox): Environment {
  return {
    BACKEND_API_URL: sandbox.backendApiUrl,
    GEO_API_URL: sandbox.geoApiUrl,
    VOIP_API_URL: sandbox.voipApiUrl,
    BACKEND_API_KEY: BACKEND_KEY,
    TOKEN_ISSUSERS: sandbox.issuer,
  };
}

/** Variables that production requires beyond backends and a data directory. */
export const PRODUCTION_ENVIRONMENT: Environment = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  TASK_CALLBACK_API_KEY: 'callback-key-of-the-tests',
  JOB_ENCRYPTION_KEY: 'u3K0c1ZpQm9YJ2FhN0hkVjR4Q2tTcTl3RzVlTXRCcF8',
  SHUTDOWN_DELAY_SECONDS: '0',
};

/** Variables of a gateway in production that asks these backends; a data directory is still to be named. */
export function productionAt(sandbox: Sandbox): Environment {
  return { ...PRODUCTION_ENVIRONMENT, ...backendEnvironment(sandbox) };
}

export function postJson(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    ...(signal && { signal }),
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Calls back a gateway with the key of {@link PRODUCTION_ENVIRONMENT}, wherever it runs. */
export function callBack(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return postJson(url, body, { 'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '', ...headers });
}

/** Sends GraphQL requests to a gateway, wherever it runs. */
export function graphqlAt(url: string): TestGateway['graphql'] {
  return async (query, variables, authorization) => {
    const headers = { accept: 'application/json', ...(authorization !== undefined && { authorization }) };
    const reply = await read(await postJson(`${url}/graphql`, { query, variables }, headers));
    reasonsIn(reply.body);
    const result = (reply.body ?? {}) as { data?: Record<string, unknown>; errors?: ShownError[] }; // a test's view
    return { ...reply, data: result.data, errors: result.errors };
  };
}

async function read(response: Response): Promise<Reply> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const text = isJson ? await response.text() : Buffer.from(await response.arrayBuffer()).toString('latin1');
  let body: unknown;
  if (isJson && text !== '') body = JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}
