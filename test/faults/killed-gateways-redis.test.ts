import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '../support/redis-server.js';
import { describeWith } from '../support/system-tools.js';
import { killedGateways } from './killed-gateways.js';

describeWith(['redis-server'], 'Gateways on Redis', () =>
  killedGateways('Redis', 2, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'killed-gateways-'));
    const server = await startRedis({ port: 'tcp', appendOnly: true });
    return {
      environment: { DATA_DIR: directory, REDIS_URL: server.url },
      close: async () => {
        await server.stop();
        await rm(directory, { recursive: true });
      },
    };
  }),
);
