/** A second gateway on the data directory of another one, as processes of their own. */
import { describe, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';

/** Nobody is asked at these addresses. */
const BACKENDS = {
  BACKEND_API_URL: 'http://127.0.0.1:1',
  GEO_API_URL: 'http://127.0.0.1:1',
  VOIP_API_URL: 'http://127.0.0.1:1',
  BACKEND_API_KEY: 'backend-key-of-the-tests',
  TOKEN_ISSUSERS: 'https://issuer.example.com',
};

describe('A second gateway on the same DATA_DIR', () => {
  const programs = forAllTests(() => BuiltPrograms.open());
  const directory = forAllTests(temporaryDirectory);
  const environment = forAllTests(() => ({
    ...PRODUCTION_ENVIRONMENT,
    ...BACKENDS,
    DATA_DIR: directory.path,
    PORT: '0',
  }));

  it('is refused with a sentence, while the jobs command works, and may follow one that was killed', async () => {
    const first = await programs.startGateway(environment);
    const second = await programs.run(['dist/main.js'], environment);
    expect(second.code).toBe(1);
    expect(second.stdout).toContain(`Another gateway uses ${directory.path}. There can be one with embedded`);
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
  });
});
