import { Redis, Cluster, type Command } from 'ioredis';

/**
 * A client of one server through which jobs are submitted, large ones too. Commands of one turn of the event loop are
 * written at its end, as one text: for a small one the system call costs as much as everything else, and to hand over
 * several texts for one call costs as much again.
 */
export class FailFastRedis extends Redis {
  #turn: Turn | undefined;

  override sendCommand(...[command, pipeline]: Parameters<Redis['sendCommand']>): unknown {
    encodeLargeArguments(command);
    // A pipeline writes by itself, and replies come in the order in which commands are written.
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

/** What is sent over a connection in one turn of the event loop; a pipeline, as far as ioredis is concerned. */
class Turn {
  readonly isPipeline = true;
  readonly destination: { readonly redis: { readonly stream: Redis['stream'] } };
  #text = '';

  constructor(stream: Redis['stream']) {
    this.destination = { redis: { stream } };
  }

  /** Texts wait for each other; bytes were made because they are many. */
  write(data: string | Buffer): void {
    if (typeof data !== 'string') {
      this.end();
      this.destination.redis.stream.write(data);
      return;
    }
    if (this.#text === '') setImmediate(() => this.end());
    this.#text += data;
  }

  /** Writes what waits; of a connection that is gone the client has told everybody. */
  end(): void {
    const { stream } = this.destination.redis;
    const text = this.#text;
    this.#text = '';
    if (text !== '' && stream.writable) stream.write(text);
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

/** From so many characters on, it is noticed how often an argument is gone through. */
const LARGE = 64 * 1024;

const UTF_8 = new TextEncoder();

/**
 * Turns large texts among the arguments of a command into bytes before it is sent: the client goes through a text
 * several times, to measure it and to copy it, and copies bytes once.
 */
export function encodeLargeArguments(command: Command): void {
  if (!command.args.some(isLarge)) return;
  command.args = command.args.map((argument) => (isLarge(argument) ? bytesOf(argument) : argument));
  // It notices that there are bytes.
  command.stringifyArguments();
}

function isLarge(argument: Command['args'][number]): argument is string {
  return typeof argument === 'string' && argument.length >= LARGE;
}

/** What is large was encrypted, and ASCII: as many bytes as characters, which need not be counted before. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  const { read } = UTF_8.encodeInto(text, bytes);
  return read === text.length ? bytes : Buffer.from(text);
}
