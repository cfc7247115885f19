import { Redis } from 'ioredis';
import { encodeLargeArguments } from './large-arguments.js';

/** A client of one server through which jobs are submitted, large ones too. */
export class FailFastRedis extends Redis {
  override sendCommand(...[command, ...rest]: Parameters<Redis['sendCommand']>): unknown {
    encodeLargeArguments(command);
    return super.sendCommand(command, ...rest);
  }
}
