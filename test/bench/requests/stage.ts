import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/built-programs.js';
import { freePorts } from '../../support/child-program.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';
import { START_COMMAND, startCommandIn } from '../../support/start-command.js';
import { LoadProcess } from './load-process.js';
import { findCores, isInstalled, pin, type Cores } from './processors.js';
import { startNode, type Program } from './program.js';
import { SERVERS, type Server, type ServerName } from './servers.js';
import { createCredentials, type Credentials } from './credentials.js';

export interface RunningServer extends Program {
  readonly name: ServerName;
  readonly origin: string;
}

/** Everything around what is measured: cores, stub backends, Redis, the load, and the servers that were started. */
export class Stage {
  readonly #running = new Map<ServerName, Promise<RunningServer>>();
  readonly #closers: readonly (() => Promise<unknown>)[];

  private constructor(
    readonly cores: Cores | undefined,
    readonly load: LoadProcess,
    readonly credentials: Credentials,
    readonly redis: RedisServer | undefined,
    readonly stubUrl: string,
    readonly directory: string,
    readonly settings: Readonly<Record<string, string>>,
    readonly otherCheckout: string | undefined,
    closers: readonly (() => Promise<unknown>)[],
  ) {
    this.#closers = closers;
  }

  /**
   * Starts what every measurement needs.
   *
   * @param settings of every server, beside what production requires
   * @param otherCheckout directory of the checkout that `gateway-of-other-checkout` is built in
   */
  static async open(settings: Readonly<Record<string, string>> = {}, otherCheckout?: string): Promise<Stage> {
    const closers: (() => Promise<unknown>)[] = [];
    try {
      const cores = findCores();
      await pin(process.pid, cores?.load);
      const credentials = await createCredentials();
      const directory = await mkdtemp(path.join(tmpdir(), 'gateway-bench-'));
      closers.push(() => rm(directory, { recursive: true, force: true }));
      // As the README asks for it in production: every write is on the disk before it is acknowledged.
      const redis = isInstalled('redis-server') ? await startRedis({ appendOnly: true }) : undefined;
      closers.push(async () => redis?.stop());
      if (redis !== undefined) await pin(redis.pid, cores?.load);
      const [port = 0] = await freePorts(1);
      const env = { PORT: String(port), PUBLIC_KEY: credentials.publicKey, KEY_ID: credentials.keyId };
      const stub = await startNode({ args: [builtProgram('stub-backends')], env, core: cores?.load, port });
      closers.push(stub.stop);
      const load = await LoadProcess.start(builtProgram('load'), cores?.load);
      closers.push(() => load.stop());
      const stubUrl = `http://127.0.0.1:${port}`;
      return new Stage(cores, load, credentials, redis, stubUrl, directory, settings, otherCheckout, closers);
    } catch (error) {
      await closeAll(closers);
      throw error;
    }
  }

  /** The server of that name; started when it is asked for first, and left running. */
  server(name: ServerName): Promise<RunningServer> {
    const running = this.#running.get(name) ?? this.#start(name);
    this.#running.set(name, running);
    return running;
  }

  /** Starts a gateway as `npm start` of its checkout does, and another server with the options of this checkout. */
  async #start(name: ServerName): Promise<RunningServer> {
    const server = SERVERS[name];
    const [port = 0] = await freePorts(1);
    const program = await startNode({
      args: this.#argumentsOf(server),
      env: { ...(await this.#environment(server)), ...server.env, PORT: String(port) },
      core: this.cores?.servers,
      port,
    });
    return { ...program, name, origin: `http://127.0.0.1:${port}` };
  }

  #argumentsOf({ program, isOfOtherCheckout = false }: Server): readonly string[] {
    if (program !== 'gateway') return [...START_COMMAND.nodeOptions, builtProgram(program)];
    const checkout = isOfOtherCheckout ? this.otherCheckout : ROOT;
    if (checkout === undefined) throw new Error('This run has no other checkout.');
    const { nodeOptions, file } = startCommandIn(pathToFileURL(`${checkout}/`));
    return [...nodeOptions, path.join(checkout, file)];
  }

  /** Calls back as a queue function does, for a job of its own. @returns the body @throws {Error} the server refuses it */
  async callback({ origin, name }: RunningServer, route: string, jobId: string, body: unknown): Promise<string> {
    const headers = { 'content-type': 'application/json', ...callbackHeaders(this.credentials, jobId) };
    const reply = await fetch(`${origin}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${name} answered ${route} with ${reply.status}: ${text}`);
    return text;
  }

  /** Ends the servers, so that others of their names are started when they are asked for. */
  async stopServers(): Promise<void> {
    for (const server of this.#running.values()) await (await server).stop();
    this.#running.clear();
  }

  async close(): Promise<void> {
    await closeAll([...this.#closers, () => this.stopServers()]);
  }

  /** Production configuration; the peers read of it what they know. */
  async #environment({ embedded = false, isOfOtherCheckout = false }: Server): Promise<Record<string, string>> {
    return {
      ...this.credentials.environment,
      HOST: '127.0.0.1',
      STUB_URL: this.stubUrl,
      BACKEND_API_URL: this.stubUrl,
      GEO_API_URL: this.stubUrl,
      VOIP_API_URL: this.stubUrl,
      DATA_DIR: await mkdtemp(path.join(this.directory, 'data-')),
      SHUTDOWN_DELAY_SECONDS: '0',
      ...UNLIMITED,
      ...this.settings,
      ...(this.redis !== undefined &&
        !embedded && {
          // Records of another release may not be readable.
          REDIS_URL: `${this.redis.url}/${isOfOtherCheckout ? 1 : 0}`,
        }),
    };
  }
}

/** Orders that no queue function takes, from one organisation. */
const UNLIMITED = {
  JOBS_MAX_OPEN_PER_ORG: '10000000',
  JOBS_MAX_OPEN_BYTES_PER_ORG: '100000000000',
  JOBS_MAX_KEPT_BYTES_PER_ORG: '100000000000',
  ITEMS_MAX_PER_MINUTE_PER_ORG: '1000000000',
};

/** Headers of a queue function, for a job of its own. */
export function callbackHeaders({ callbackKey }: Credentials, jobId: string): Readonly<Record<string, string>> {
  return { 'x-api-key': callbackKey, 'x-job-id': jobId, 'x-org-id': 'acme' };
}

async function closeAll(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers.toReversed()) await close();
}

function builtProgram(name: string): string {
  return path.join(ROOT, 'test/bench/dist', `${name}.js`);
}
