import { Cluster, type Command } from 'ioredis';

/**
 * A client of a Cluster whose commands fail at once while none of its nodes is known to serve. The option of ioredis
 * for that (`enableOfflineQueue`) also fails commands to a node that is just being connected to, which happens whenever
 * a slot is asked for that nobody has asked for before.
 */
export class FailFastCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client itself asks the nodes whether they serve.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    return failed(command);
  }
}

function failed(command: Command): Promise<unknown> {
  command.reject(new Error('Connection is closed.'));
  return command.promise;
}
