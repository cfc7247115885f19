import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FailFastRedis } from '../../../src/engines/redis/fail-fast-clients.js';
import { listenOnLoopback } from '../../support/loopback.js';

let server: Server;
let redis: FailFastRedis;

/** A Redis that says the same to everything. */
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const commands = bytes.toString().match(/^\*/gm) ?? [];
      socket.write('+PONG\r\n'.repeat(commands.length));
    });
  });
  const port = await listenOnLoopback(server);
  redis = new FailFastRedis({ port, host: '127.0.0.1', enableReadyCheck: false, retryStrategy: null });
  await once(redis, 'ready');
});

afterEach(() => {
  redis.disconnect();
  server.close();
});

it('writes commands of one turn of the event loop together, at its end', async () => {
  const replies = [redis.ping(), redis.ping(), redis.ping()];
  const { stream } = redis;
  expect(stream.writableLength).toBeGreaterThan(0);
  expect(await Promise.all(replies)).toEqual(['PONG', 'PONG', 'PONG']);
  expect(stream.writableLength).toBe(0);
  expect(stream.writableCorked).toBe(0);
});

it('writes those of the next turn as well', async () => {
  await redis.ping();
  expect(await redis.ping()).toBe('PONG');
});

it('settles what was sent in the turn in which it is hung up', async () => {
  const reply = redis.ping().catch(String);
  redis.disconnect();
  expect(await reply).toMatch(/PONG|closed/);
});
