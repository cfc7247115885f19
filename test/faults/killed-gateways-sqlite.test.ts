import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { killedGateways } from './killed-gateways.js';

describe('Gateways on SQLite', () =>
  killedGateways('SQLite', 1, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'killed-gateways-'));
    return { environment: { DATA_DIR: directory }, close: () => rm(directory, { recursive: true }) };
  }));
