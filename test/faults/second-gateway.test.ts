/** A second gateway on the data directory of another one, as processes of their own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { PRODUCTION_ENVIRONMENT } from '../support/gateway.js';

const IN_TIME = 240_000;

/** Nobody is asked at these addresses. */
const BACKENDS = {
  BACKEND_API_URL: 'http://127.0.0.1:1',
  GEO_API_URL: 'http://127.0.0.1:1',
  VOIP_API_URL: 'http://127.0.0.1:1',
  BACKEND_API_KEY: 'backend-key-of-the-tests',
  TOKEN_ISSUSERS: 'https://issuer.example.com',
};

describe('A second gateway on the same DATA_DIR', () => {
  let programs: BuiltPrograms;
  let directory: string;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    programs = await BuiltPrograms.open();
    directory = await mkdtemp(join(tmpdir(), 'second-gateway-'));
    environment = { ...PRODUCTION_ENVIRONMENT, ...BACKENDS, DATA_DIR: directory, PORT: '0' };
  }, IN_TIME);

  afterAll(async () => {
    await programs.close();
    await rm(directory, { recursive: true });
  }, IN_TIME);

  it(
    'is refused with a sentence, while the jobs command works, and may follow one that was killed',
    async () => {
      const first = await programs.startGateway(environment);
      const second = await programs.run(['dist/main.js'], environment);
      expect(second.code).toBe(1);
      expect(second.stdout).toContain(`Another gateway uses ${directory}. There can be one with embedded`);
      expect(await programs.run(['dist/jobs-cli.js', 'list'], environment)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('There are no dead letters.'),
      });
      expect(await programs.run(['dist/main.js', '--check-config'], environment)).toMatchObject({ code: 0 });
      expect(first.isRunning()).toBe(true);

      await first.kill();
      const next = await programs.startGateway(environment);
      await next.stop(10_000);
      expect(next.exitCode()).toBe(0);
    },
    IN_TIME,
  );
});
