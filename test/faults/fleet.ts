import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltPrograms, ServingProgram } from '../support/built-programs.js';
import type { ChildProgram } from '../support/child-program.js';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';
import { waitFor } from '../support/wait-for.js';

/** What the programs are started with. */
export interface FleetEnvironment {
  readonly gateway: NodeJS.ProcessEnv;
  /** Without `GATEWAY_URL`, which is that of the round robin. */
  readonly queueFunction: NodeJS.ProcessEnv;
}

const SIZE = 2;

/** How long a program may take to stop in good order; far more than it needs with nothing in hand. */
const STOP_MS = 60_000;

/** Two gateways behind a round robin and two queue functions, each of which can be killed and is started again. */
export class Fleet {
  readonly roundRobin: RoundRobin;
  readonly #gateways: ServingProgram[];
  readonly #gatewayUrls: string[];
  readonly #queueFunctions: ChildProgram[];
  readonly #start: FleetPrograms['start'];
  readonly #killed: ChildProgram[] = [];
  readonly #stopped: ChildProgram[] = [];

  private constructor(roundRobin: RoundRobin, gatewayUrls: string[], programs: FleetPrograms) {
    this.roundRobin = roundRobin;
    this.#gatewayUrls = gatewayUrls;
    this.#gateways = programs.gateways;
    this.#queueFunctions = programs.queueFunctions;
    this.#start = programs.start;
  }

  static async start(programs: BuiltPrograms, environment: FleetEnvironment): Promise<Fleet> {
    const gateway = (): Promise<ServingProgram> => programs.startGateway(environment.gateway);
    const gateways = await Promise.all(Array.from({ length: SIZE }, gateway));
    const urls = gateways.map(({ url }) => url);
    const roundRobin = await startRoundRobin(urls);
    const queueFunction = (): Promise<ChildProgram> =>
      programs.startQueueFunction({ ...environment.queueFunction, GATEWAY_URL: roundRobin.url });
    const queueFunctions = await Promise.all(Array.from({ length: SIZE }, queueFunction));
    return new Fleet(roundRobin, urls, { gateways, queueFunctions, start: { gateway, queueFunction } });
  }

  /** Where the gateways listen now; that of one that was killed stays until it has been started again. */
  get gatewayUrls(): readonly string[] {
    return this.#gatewayUrls;
  }

  /** How many were killed. */
  get kills(): number {
    return this.#killed.length;
  }

  /** Resolves when a gateway has begun another job. */
  async gatewayStartsJob(index: number, timeoutMs: number): Promise<void> {
    const jobsStarted = async (): Promise<number> => {
      const output = await this.#gateways[index]?.output();
      return output?.split('"event":"job.started"').length ?? 0;
    };
    const before = await jobsStarted();
    await waitFor('a gateway to begin a job', async () => (await jobsStarted()) > before, timeoutMs);
  }

  /** Kills a gateway (`kill -9`) and starts it again after a while. */
  async killGateway(index: number, downMs: number): Promise<void> {
    const program = await this.#kill(this.#gateways[index], downMs, this.#start.gateway);
    this.#gateways[index] = program;
    this.#gatewayUrls[index] = program.url;
  }

  /** Stops a gateway in good order and starts another one. @throws {Error} when its end is no good one */
  async replaceGateway(index: number): Promise<void> {
    const program = this.#gateways[index];
    await program?.stop(STOP_MS);
    if (program?.exitCode() !== 0) throw new Error('A gateway that was asked to stop did not end well.');
    this.#stopped.push(program);
    const next = await this.#start.gateway();
    this.#gateways[index] = next;
    this.#gatewayUrls[index] = next.url;
  }

  /** Kills a queue function with whatever it has in hand, and starts it again after a while. */
  async killQueueFunction(index: number, downMs: number): Promise<void> {
    this.#queueFunctions[index] = await this.#kill(this.#queueFunctions[index], downMs, this.#start.queueFunction);
  }

  /** Those that should run and do not. */
  diedByThemselves(): readonly ChildProgram[] {
    return [...this.#gateways, ...this.#queueFunctions].filter((program) => !program.isRunning());
  }

  /** Every line that was logged, also by programs that have ended. */
  async log(): Promise<readonly string[]> {
    return linesOf([...this.#killed, ...this.#stopped, ...this.#gateways, ...this.#queueFunctions]);
  }

  /** What was logged by programs that were killed. */
  async logOfKilled(): Promise<readonly string[]> {
    return linesOf(this.#killed);
  }

  /** Asks all to stop. @returns what they ended with */
  async stop(): Promise<readonly (number | null)[]> {
    const programs = [...this.#queueFunctions, ...this.#gateways];
    await Promise.all(programs.map((program) => program.stop(STOP_MS)));
    return programs.map((program) => program.exitCode());
  }

  async #kill<Program extends ChildProgram>(
    program: Program | undefined,
    downMs: number,
    start: () => Promise<Program>,
  ): Promise<Program> {
    if (program === undefined) throw new Error(`There are ${SIZE} of them.`);
    await program.kill();
    this.#killed.push(program);
    await delay(downMs);
    return start();
  }
}

interface FleetPrograms {
  readonly gateways: ServingProgram[];
  readonly queueFunctions: ChildProgram[];
  readonly start: {
    readonly gateway: () => Promise<ServingProgram>;
    readonly queueFunction: () => Promise<ChildProgram>;
  };
}

async function linesOf(programs: readonly ChildProgram[]): Promise<string[]> {
  const outputs = await Promise.all(programs.map((program) => program.output()));
  return outputs.flatMap((output) => output.split('\n'));
}
