import { Redis, Cluster } from 'ioredis';

/**
 * Client of one server. It writes the commands of one turn of the event loop together, because for a small command the
 * system call costs as much as the rest.
 */
export class FailFastRedis extends Redis {
  override sendCommand(...[command, pipeline]: Parameters<Redis['sendCommand']>): unknown {
    const { stream } = this;
    if (this.status === 'ready' && stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(command, pipeline);
  }
}

/**
 * Client of a Cluster whose commands fail at once while no node is known to serve. With the option of ioredis for that
 * (`enableOfflineQueue`), the first command to each slot would fail as well, because its node is still connecting.
 */
export class FailFastCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client uses this command to query the nodes for their state.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(command, ...rest);
    command.reject(new Error('Connection is closed.'));
    return command.promise;
  }
}
