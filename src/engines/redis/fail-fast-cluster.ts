import { Cluster, type Command } from 'ioredis';
import { encodeLargeArguments } from './large-arguments.js';

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
