import { Redis, Cluster, type Command } from 'ioredis';
import { encodeLargeArguments } from './large-arguments.js';

/**
 * A client of one server through which jobs are submitted, large ones too. Commands of one turn of the event loop are
 * written together at its end: for a small one the system call costs as much as everything else.
 */
export class FailFastRedis extends Redis {
  #corked: Redis['stream'] | undefined;

  override sendCommand(...[command, ...rest]: Parameters<Redis['sendCommand']>): unknown {
    encodeLargeArguments(command);
    if (this.status === 'ready') this.#cork(this.stream);
    return super.sendCommand(command, ...rest);
  }

  #cork(stream: Redis['stream']): void {
    if (this.#corked === stream) return;
    this.#corked = stream;
    stream.cork();
    setImmediate(() => {
      if (this.#corked === stream) this.#corked = undefined;
      stream.uncork();
    });
  }
}

/**
 * A client of a Cluster whose commands fail at once while none of its nodes is known to serve. The option of ioredis
 * for that (`enableOfflineQueue`) also fails commands to a node that is just being connected to, which happens whenever
 * a slot is asked for that nobody has asked for before.
 */
export class FailFastCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client itself asks the nodes whether they serve.
    if (this.status !== 'ready' && command.name !== 'cluster') return failed(command);
    encodeLargeArguments(command);
    return super.sendCommand(command, ...rest);
  }
}

function failed(command: Command): Promise<unknown> {
  command.reject(new Error('Connection is closed.'));
  return command.promise;
}
