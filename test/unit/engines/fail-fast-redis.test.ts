import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REDIS_ACL } from '../../../src/jobs/engines/redis/redis-faults.js';
import { ROOT } from '../../support/built-programs.js';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { FailFastRedis } from '../../../src/jobs/engines/redis/clients.js';
import { listenOnLoopback } from '../../support/loopback.js';

let server: Server;
let redis: FailFastRedis;
let arrived: string[] = [];

/** A Redis that knows `ECHO`, and answers everything else with `PONG`. */
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      arrived.push(bytes.toString());
      for (const command of bytes.toString().split(/^\*/m).slice(1)) {
        const [, echoed = 'PONG'] = /\r\necho\r\n\$\d+\r\n(\w+)/.exec(command) ?? [];
        socket.write(`+${echoed}\r\n`);
      }
    });
  });
  const port = await listenOnLoopback(server);
  redis = new FailFastRedis({ port, host: '127.0.0.1', enableReadyCheck: false, retryStrategy: null });
  await once(redis, 'ready');
  arrived = [];
});

afterEach(() => {
  redis.disconnect();
  server.close();
});

it('writes commands of one turn of the event loop at once', async () => {
  expect(await Promise.all([redis.echo('one'), redis.echo('two'), redis.ping()])).toEqual(['one', 'two', 'PONG']);
  expect(arrived).toEqual([expect.stringMatching(/one[^]*two[^]*ping/)]);
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

it('settles what was sent in the turn in which it is hung up', async () => {
  const reply = redis.ping();
  redis.disconnect();
  expect(await reply).toBe('PONG');
});

it('the error of a missing right advises what the page for operators does', async () => {
  const page = await readFile(path.join(ROOT, 'deploy/redis.md'), 'utf8');
  expect(page.replaceAll(/\s+/g, ' ')).toContain(`the user needs ${REDIS_ACL}.`);
});
