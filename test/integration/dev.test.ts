/** `npm run dev`: the gateway is restarted when its sources change, and goes on when they cannot be compiled. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startDevelopment } from '../support/development.js';
import { DRIVING_REPORT, reportOf } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

const dev = forAllTests(startDevelopment);
beforeAll(async () => {
  await dev.listeningWith('GraphQL');
});

/** Waits for the process that will be the next gateway. @returns its pid */
async function waitingGateway(): Promise<number> {
  return waitFor('a process that waits', async () => (await dev.gateways('waiting'))[0]);
}

describe('npm run dev', () => {
  it('restarts into a process that waited, draws reports as ever, and says that the changed types are not sound', async () => {
    const waiting = await waitingGateway();
    await dev.write(`${dev.welcoming('Renamed')}\nexport const wrong: string = 1;\n`);
    const url = await dev.listeningWith('Renamed');
    expect(await dev.program.output()).toMatch(/\[dev\] src\/main\.ts changed\.\n\[dev\] Restarting/);
    expect(await dev.gateways('running')).toEqual([waiting]);
    const response = await fetch(`${url}${DRIVING_REPORT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-org-id': 'acme', 'x-api-key': 'development-callback-key' },
      body: JSON.stringify(reportOf(1)),
    });
    expect(await response.json()).toMatchObject({ key: expect.stringMatching(/\.pdf$/) });
    await dev.said(/its types are not sound:\n[\s\S]*src\/main\.ts.*TS2322/);
  });

  it('leaves the gateway as it runs while a file cannot be compiled, and says where', async () => {
    const before = await dev.gateways('running');
    await dev.write(`${dev.source}\nconst unfinished = ;\n`);
    await dev.said(/The gateway goes on as it was:\n.*src\/main\.ts.*TS1109/);
    expect(await dev.gateways('running')).toEqual(before);
  });

  it('ends together with its gateway and with what waits', async () => {
    await waitingGateway();
    await dev.program.stop();
    expect(dev.program.exitCode()).toBe(0);
    expect([...(await dev.gateways('running')), ...(await dev.gateways('waiting'))]).toEqual([]);
  });
});
