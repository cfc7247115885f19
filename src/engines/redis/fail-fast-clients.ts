import { Redis, Cluster, type Command } from 'ioredis';

/**
 * Client of one server, for submitting jobs of any size. It writes the commands of one turn of the event loop together,
 * as one text: for a small command the system call costs as much as the rest, and passing several texts to one call
 * costs as much again.
 */
export class FailFastRedis extends Redis {
  #turn: Turn | undefined;

  override sendCommand(...[command, pipeline]: Parameters<Redis['sendCommand']>): unknown {
    encodeLargeArguments(command);
    // A pipeline writes its commands itself. Commands must be written in the order in which they were sent.
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

/** Data sent over a connection in one turn of the event loop. ioredis treats it as a pipeline. */
class Turn {
  readonly isPipeline = true;
  readonly destination: { readonly redis: { readonly stream: Redis['stream'] } };
  /** Commands of one turn of the event loop. */
  #text = '';

  constructor(stream: Redis['stream']) {
    this.destination = { redis: { stream } };
  }

  /** Collects texts. Bytes are large and are written directly. */
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
 * Client of a Cluster whose commands fail at once while no node is known to serve. With the option of ioredis for that
 * (`enableOfflineQueue`), the first command to each slot would fail as well, because its node is still connecting.
 */
export class FailFastCluster extends Cluster {
  override sendCommand(...[command, ...rest]: Parameters<Cluster['sendCommand']>): unknown {
    // The client uses this command to query the nodes for their state.
    if (this.status !== 'ready' && command.name !== 'cluster') return failed(command);
    encodeLargeArguments(command);
    return super.sendCommand(command, ...rest);
  }
}

function failed(command: Command): Promise<unknown> {
  command.reject(new Error('Connection is closed.'));
  return command.promise;
}

/** Number of characters from which each pass over an argument takes noticeable time. */
const LARGE = 64 * 1024;

const UTF_8 = new TextEncoder();

/**
 * Converts large texts among the arguments of a command to bytes. The client passes over a text several times, to
 * measure and to copy it, but copies bytes once.
 */
export function encodeLargeArguments(command: Command): void {
  if (!command.args.some(isLarge)) return;
  command.args = command.args.map((argument) => (isLarge(argument) ? bytesOf(argument) : argument));
  // This makes the client detect the bytes.
  command.stringifyArguments();
}

function isLarge(argument: Command['args'][number]): argument is string {
  return typeof argument === 'string' && argument.length >= LARGE;
}

/** Converts a text. Large arguments are encrypted and ASCII, so that the number of characters is that of bytes. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  const { read } = UTF_8.encodeInto(text, bytes);
  return read === text.length ? bytes : Buffer.from(text);
}
