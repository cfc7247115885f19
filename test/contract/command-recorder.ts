import type { Redis } from 'ioredis';
import type { RedisServer } from '../support/redis-server.js';
import { waitFor } from '../support/wait-for.js';

/** A command with its arguments. */
type Command = readonly string[];

/** An atomic step of a server: a command with those of its script, or a transaction. */
export interface Step {
  readonly commands: readonly Command[];
  readonly isScript: boolean;
}

/** A step and what it touched. */
export interface Touch extends Step {
  readonly keys: readonly string[];
  readonly slots: ReadonlySet<number>;
}

const END = 'end-of-the-recording';

/** Hears every command that a server runs, those inside of scripts included (`MONITOR`). */
export class CommandRecorder {
  readonly #server: RedisServer;
  readonly #monitor: Redis;
  readonly #heard: { readonly command: Command; readonly source: string }[] = [];

  private constructor(server: RedisServer, monitor: Redis) {
    this.#server = server;
    this.#monitor = monitor;
    monitor.on('monitor', (_time: string, command: string[], source: string) => {
      this.#heard.push({ command, source });
    });
  }

  static async start(server: RedisServer): Promise<CommandRecorder> {
    const client = server.client();
    const monitor = await client.monitor();
    client.disconnect();
    return new CommandRecorder(server, monitor);
  }

  /** Everything that was done until now. */
  async steps(): Promise<readonly Step[]> {
    const client = this.#server.client();
    await client.echo(END);
    client.disconnect();
    await waitFor('the end of the recording', () => this.#heard.some(({ command }) => command[1] === END));
    const steps: { commands: Command[]; isScript: boolean }[] = [];
    /** By the client that has begun one. */
    const transactions = new Map<string, Command[]>();
    for (const { command, source } of this.#heard) {
      const name = command[0]?.toLowerCase();
      const transaction = transactions.get(source);
      // The commands of a script follow the one that runs it.
      if (source === 'lua') steps.at(-1)?.commands.push(command);
      else if (transaction !== undefined) transaction.push(command);
      else steps.push({ commands: [command], isScript: name?.startsWith('eval') === true });
      if (name === 'multi') transactions.set(source, steps.at(-1)?.commands ?? []);
      if (name === 'exec') transactions.delete(source);
    }
    return steps;
  }

  close(): void {
    this.#monitor.disconnect();
  }
}

/** The keys and slots that steps touched; the slots are those of a node of a Cluster. */
export async function touchesOf(
  steps: readonly Step[],
  server: RedisServer,
  clusterNode: RedisServer,
): Promise<readonly Touch[]> {
  const [client, node] = [server.client(), clusterNode.client()];
  try {
    return await Promise.all(
      steps.map(async (step) => {
        const keys = (await Promise.all(step.commands.map((command) => keysOf(client, command)))).flat();
        const slots = await Promise.all(keys.map(async (key) => Number(await node.call('CLUSTER', 'KEYSLOT', key))));
        return { ...step, keys, slots: new Set(slots) };
      }),
    );
  } finally {
    client.disconnect();
    node.disconnect();
  }
}

async function keysOf(client: Redis, command: Command): Promise<readonly string[]> {
  if (command.length === 1) return [];
  try {
    const keys: unknown = await client.call('COMMAND', 'GETKEYS', ...command);
    return Array.isArray(keys) ? keys.map(String) : [];
  } catch (error) {
    if (error instanceof Error && error.message.includes('no key arguments')) return [];
    throw error;
  }
}
