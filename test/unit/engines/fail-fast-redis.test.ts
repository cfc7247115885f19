import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { FailFastRedis } from '../../../src/engines/redis/fail-fast-clients.js';
import { listenOnLoopback } from '../../support/loopback.js';

let server: Server;
let redis: FailFastRedis;

/** A Redis that knows `ECHO`, and answers everything else with `PONG`. */
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      for (const command of bytes.toString().split(/^\*/m).slice(1)) {
        const [, echoed = 'PONG'] = /\r\necho\r\n\$\d+\r\n(\w+)/.exec(command) ?? [];
        socket.write(`+${echoed}\r\n`);
      }
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

it('writes commands of one turn of the event loop at its end, at once', async () => {
  const write = jest.spyOn(redis.stream, 'write');
  const replies = [redis.echo('one'), redis.echo('two'), redis.ping()];
  expect(write).not.toHaveBeenCalled();
  expect(await Promise.all(replies)).toEqual(['one', 'two', 'PONG']);
  expect(write).toHaveBeenCalledTimes(1);
});

it('gives everybody the reply to his own command, whatever else is sent in that turn', async () => {
  const bytes = Buffer.from('three');
  const before = [redis.echo('one'), redis.echo('two'), redis.echo(bytes), redis.echo('four')];
  const pipeline = redis.pipeline().echo('five').echo('six').exec();
  const after = redis.echo('seven');
  expect(await Promise.all(before)).toEqual(['one', 'two', 'three', 'four']);
  expect(await pipeline).toEqual([
    [null, 'five'],
    [null, 'six'],
  ]);
  expect(await after).toBe('seven');
});

it('writes those of the next turn as well', async () => {
  await redis.ping();
  expect(await redis.ping()).toBe('PONG');
});

it('settles what was sent in the turn in which it is hung up', async () => {
  const reply = redis.ping();
  redis.disconnect();
  expect(await reply).toBe('PONG');
});
