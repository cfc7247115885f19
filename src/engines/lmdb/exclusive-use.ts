import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LmdbDatabase } from './database.js';
import { DamagedEntryError, Table } from './table.js';

/** The right to use a directory alone. */
export interface ExclusiveUse {
  /** Lets go of it; the database must still be open. */
  end(): Promise<void>;
}

/**
 * Takes a directory for this process alone, for as long as it lives: it listens on a Unix socket in the directory, and
 * the database says on which. Whoever comes later connects to it. A socket that nobody listens on any more belongs to a
 * process that died, and the place is taken over in one transaction, so that of several that come at once one gets it.
 *
 * @param database of the directory, which other programs may go on using
 * @throws {Error} when another process has it; the message says what to do
 */
export async function takeExclusiveUse(directory: string, database: LmdbDatabase): Promise<ExclusiveUse> {
  const place = new Place(database);
  const sockets = await SocketDirectory.open(directory);
  const own = `gateway-${randomUUID()}.sock`;
  const server = createServer((socket) => socket.destroy()).unref();
  // Whoever asks whether somebody is there has the answer by then.
  server.on('error', () => undefined);
  const close = async (): Promise<void> => {
    server.close();
    await sockets.close(own);
  };
  try {
    server.listen(sockets.addressOf(own));
    await once(server, 'listening');
    let dead: string | undefined;
    for (let holder = await place.take(own, dead); holder !== own; holder = await place.take(own, dead)) {
      if (await answers(sockets.addressOf(holder))) throw inUse(directory);
      dead = holder;
    }
    if (dead !== undefined) await sockets.remove(dead);
  } catch (error) {
    await close();
    throw error;
  }
  let ended = false;
  return {
    async end() {
      if (ended) return;
      ended = true;
      // Should the database fail, the next one finds the socket dead.
      await place.leave(own).catch(() => undefined);
      await close();
    },
  };
}

/** Who has the directory: the name of a socket, in the database, where it changes in one transaction. */
class Place {
  static readonly #key = 'gateway';
  readonly #database: LmdbDatabase;
  readonly #holders: Table<string, string>;

  constructor(database: LmdbDatabase) {
    this.#database = database;
    this.#holders = new Table(database, 'exclusive-use', parseSocketName);
  }

  /** Takes the place if it is free, or still that of a holder who is dead. @returns whose it is now */
  take(own: string, dead: string | undefined): Promise<string> {
    return this.#database.transact(() => {
      const holder = this.#holder();
      if (holder !== undefined && holder !== dead) return holder;
      this.#holders.put(Place.#key, own);
      return own;
    });
  }

  leave(own: string): Promise<void> {
    return this.#database.transact(() => {
      if (this.#holder() === own) this.#holders.remove(Place.#key);
    });
  }

  /** What cannot be read names nobody: whoever listened there is not found, as if it had died. */
  #holder(): string | undefined {
    try {
      return this.#holders.get(Place.#key);
    } catch (error) {
      if (error instanceof DamagedEntryError) return undefined;
      throw error;
    }
  }
}

const SOCKET_NAME = /^gateway-[0-9a-f-]{36}\.sock$/;

function parseSocketName(stored: unknown): string {
  if (typeof stored === 'string' && SOCKET_NAME.test(stored)) return stored;
  throw new Error('The name of the socket is damaged.');
}

function inUse(directory: string): Error {
  return new Error(
    `Another gateway uses ${directory}. There can be one with embedded jobs: stop that one, give this one a DATA_DIR ` +
      'of its own, or keep jobs in Redis (REDIS_URL).',
  );
}

/** Longest address of a Unix socket, in bytes: 108 with the NUL behind it on Linux, 104 elsewhere. */
const MAX_ADDRESS_BYTES = 103;

/** Addresses of the sockets of a directory, however long its path is. */
class SocketDirectory {
  readonly #addressOfDirectory: string;
  readonly #closeDirectory: () => Promise<void>;

  private constructor(address: string, close: () => Promise<void>) {
    this.#addressOfDirectory = address;
    this.#closeDirectory = close;
  }

  static async open(directory: string): Promise<SocketDirectory> {
    const nothing = (): Promise<void> => Promise.resolve();
    const bytes = Buffer.byteLength(join(directory, `gateway-${randomUUID()}.sock`));
    if (bytes <= MAX_ADDRESS_BYTES) return new SocketDirectory(directory, nothing);
    // The names hold for the whole machine, and the database says which of them belongs to this directory.
    if (platform() !== 'linux') return new SocketDirectory(tmpdir(), nothing);
    const handle = await open(directory, 'r');
    return new SocketDirectory(`/proc/self/fd/${handle.fd}`, () => handle.close());
  }

  addressOf(name: string): string {
    return join(this.#addressOfDirectory, name);
  }

  async remove(name: string): Promise<void> {
    await rm(this.addressOf(name), { force: true });
  }

  /** Removes the own socket and lets go of the directory. */
  async close(name: string): Promise<void> {
    await this.remove(name);
    await this.#closeDirectory();
  }
}

/** Whether somebody listens. What cannot be told counts as somebody. */
async function answers(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    return code !== 'ECONNREFUSED' && code !== 'ENOENT';
  } finally {
    socket.destroy();
  }
}
