import { Redis, Cluster, type Command } from 'ioredis';

/**
 * Client of one server for submitting jobs, large ones too. Commands of one event loop turn are written together at its
 * end as one text: for a small command the system call costs as much as the rest, and passing several texts to one call
 * costs as much again.
 */
export class FailFastRedis extends Redis {
  #turn: Turn | undefined;

  override sendCommand(...[command, pipeline]: Parameters<Redis['sendCommand']>): unknown {
    encodeLargeArguments(command);
    // A pipeline writes by itself, and replies come in the order of the written commands.
    if (pipeline !== undefined) this.#turn?.end();
    const isDirect = pipeline !== undefined || this.status !== 'ready';
    return super.sendCommand(command, isDirect ? pipeline : this.#turnOf(this.stream));
  }

  override disconnect(reconnect?: boolean): void {
    this.#turn?.end();
    super.disconnect(reconnect);
  }

  #turnOf(stream: Redis['stream']): Turn {
    if (this.#turn?.destination.redis.stream !== stream) this.#turn = new Turn(stream);
    return this.#turn;
  }
}

/** Data sent over a connection in one event loop turn; ioredis treats it as a pipeline. */
class Turn {
  readonly isPipeline = true;
  readonly destination: { readonly redis: { readonly stream: Redis['stream'] } };
  #text = '';

  constructor(stream: Redis['stream']) {
    this.destination = { redis: { stream } };
  }

  /** Texts are collected; bytes are large and written directly. */
  write(data: string | Buffer): void {
    if (typeof data !== 'string') {
      this.end();
      this.destination.redis.stream.write(data);
      return;
    }
    if (this.#text === '') setImmediate(() => this.end());
    this.#text += data;
  }

  /** Writes the collected text; if the connection is gone, the client has reported it. */
  end(): void {
    const { stream } = this.destination.redis;
    const text = this.#text;
    this.#text = '';
    if (text !== '' && stream.writable) stream.write(text);
  }
}

/**
 * Client of a Cluster whose commands fail at once while no node is known to serve. The option of ioredis for that
 * (`enableOfflineQueue`) also fails commands to a node that is just connecting, which happens on the first command to a
 * slot.
 */
export class FailFastCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client itself asks the nodes for their state.
    if (this.status !== 'ready' && command.name !== 'cluster') return failed(command);
    encodeLargeArguments(command);
    return super.sendCommand(command, ...rest);
  }
}

function failed(command: Command): Promise<unknown> {
  command.reject(new Error('Connection is closed.'));
  return command.promise;
}

/** Number of characters from which repeated passes over an argument become noticeable. */
const LARGE = 64 * 1024;

const UTF_8 = new TextEncoder();

/**
 * Converts large texts among the arguments of a command to bytes before it is sent: the client passes over a text
 * several times, to measure and to copy it, but copies bytes once.
 */
export function encodeLargeArguments(command: Command): void {
  if (!command.args.some(isLarge)) return;
  command.args = command.args.map((argument) => (isLarge(argument) ? bytesOf(argument) : argument));
  // It detects the bytes.
  command.stringifyArguments();
}

function isLarge(argument: Command['args'][number]): argument is string {
  return typeof argument === 'string' && argument.length >= LARGE;
}

/** Large arguments are encrypted and ASCII: as many bytes as characters, without counting. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  const { read } = UTF_8.encodeInto(text, bytes);
  return read === text.length ? bytes : Buffer.from(text);
}
