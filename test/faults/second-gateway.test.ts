/** A second gateway on the data directory of another one, beside it or after it, as processes of their own. */
import { describe, expect, it } from '@jest/globals';
import { BuiltPrograms } from '../support/built-programs.js';
import { backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { createAccounts } from '../support/job-requests.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { deliverAccounts, deliverUntilHandled } from './replicas.js';

/** Puts the clock of a process 9 hours ahead, before anything else is loaded. */
const CLOCK_AHEAD = 'const now = Date.now; Date.now = () => now() + 9 * 3_600_000;';

describe('A second gateway on the same DATA_DIR', () => {
  const programs = forAllTests(() => BuiltPrograms.open());
  const directory = forAllTests(temporaryDirectory);
  const sandbox = forAllTests(startBackends);
  const environment = forAllTests(() => ({
    ...PRODUCTION_ENVIRONMENT,
    ...backendEnvironment(sandbox),
    DATA_DIR: directory.path,
    PORT: '0',
    JOB_LEASE_SECONDS: '1',
  }));

  it('is refused while the first one runs, and goes on at once with its job after a kill, though its clock was 9 hours ahead', async () => {
    const preload = `--import=data:text/javascript,${encodeURIComponent(CLOCK_AHEAD)}`;
    const first = await programs.startGateway({ ...environment, NODE_OPTIONS: preload });
    const accounts = createAccounts('ahead', 1);
    const hold = sandbox.faults.hold({ operation: 'createUserAccount', loginId: 'ahead-0', stage: 'request' });
    const cut = deliverAccounts(first.url, 'ahead', accounts);
    await hold.held();

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
    hold.release();
    expect(await cut).toBeUndefined();
    const next = await programs.startGateway(environment);
    const reply = await deliverUntilHandled(() => Promise.resolve(next), 'ahead', accounts);
    expect(JSON.parse(reply.text)).toMatchObject({ status: 'Success' });
    await next.stop(10_000);
    expect(next.exitCode()).toBe(0);
  });
});
