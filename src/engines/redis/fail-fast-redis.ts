import { Redis } from 'ioredis';
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
