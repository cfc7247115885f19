import type { ServerResponse } from 'node:http';
import { ConnectionShares } from '../../clients/connection-shares.js';
import { networksOf } from '../../base/wire/client-address.js';

/** Least number of bytes that a client has to take in a second while its place is needed. */
const LEAST_RATE = 10_000;

/**
 * Closes the connection of a reply when its client takes less than the least rate while its place is needed.
 *
 * @param everyMs time over which the rate is measured, in milliseconds
 */
export function endIfSlow(response: ServerResponse, everyMs: number, isNeeded: () => boolean): void {
  const { socket } = response;
  // Nothing would end the timer of a reply that has closed already.
  if (socket === null || response.closed) return;
  const least = (LEAST_RATE * everyMs) / 1_000;
  let before = bytesTaken(socket);
  const timer = setInterval(() => {
    const now = bytesTaken(socket);
    if (now - before < least && isNeeded()) socket.destroy();
    before = now;
  }, everyMs).unref();
  response.once('close', () => clearInterval(timer));
}

/** Counts of a stream of libuv: the bytes given to it, and those of them that wait. */
interface SocketHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/**
 * Returns the number of bytes that the operating system has taken. Reads Node's internal state, as Node's own time-out
 * of sockets does: the public counts change only when a whole chunk is taken, and a reply is one.
 */
function bytesTaken(socket: object): number {
  const { _handle: handle } = socket as { _handle?: SocketHandle | null }; // set by Node
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

/** Number and size of the places for replies that wait for their readers: 128 MiB together. */
const PLACES = { connections: 512, maxWaiting: 0, fair: true };
const PLACE_BYTES = 256 * 1024;

/** Time over which the rate of a reply beyond its client's share is measured, in milliseconds. */
const RATE_MS = 5_000;

/**
 * Returns a function that counts a reply that was just sent, if some of it waits, until its client has taken it. Beyond
 * its share, a client has to take the least rate.
 */
export function countWaitingReplies(rateMs = RATE_MS): (response: ServerResponse, address: () => string) => void {
  const shares = new ConnectionShares(PLACES);
  return (response, address) => {
    const waiting = response.socket?.writableLength ?? 0;
    if (waiting === 0) return;
    const networks = networksOf(address());
    const places = Array.from({ length: Math.ceil(waiting / PLACE_BYTES) }, () => shares.take(networks));
    response.once('close', () => places.forEach((giveBack) => giveBack?.()));
    if (places.includes(undefined)) endIfSlow(response, rateMs, () => true);
  };
}
