/** `npm run dev`: the gateway is restarted when its sources change, and goes on when they cannot be compiled. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startDevelopment } from '../support/development.js';
import { DRIVING_REPORT } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';
import { waitFor } from '../support/wait-for.js';

const dev = forAllTests(startDevelopment);
beforeAll(async () => {
  await dev.listeningWith('GraphQL');
});

/** Changes the welcome and returns when the gateway that shows it listens. @returns where */
async function restartedWith(word: string): Promise<string> {
  await dev.write(dev.welcoming(word));
  return dev.listeningWith(word);
}

/** @returns the pid of the process that is to be the next gateway */
async function somebodyWaits(): Promise<number> {
  return waitFor('a process that waits', async () => (await dev.gateways('waiting'))[0]);
}

describe('npm run dev', () => {
  it('restarts the gateway with what changed, says so, and draws reports as ever', async () => {
    const url = await restartedWith('Renamed');
    expect(await dev.program.output()).toMatch(/\[dev\] src\/main\.ts changed\.\n\[dev\] Restarting/);
    const response = await fetch(`${url}${DRIVING_REPORT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-org-id': 'acme', 'x-api-key': 'development-callback-key' },
      body: JSON.stringify({
        date: '2026-11-19T00:00:00+09:00',
        drivers: [{ mobileId: '1', employeeCode: 'E-1', employeeName: '佐藤 健一' }],
      }),
    });
    expect(await response.json()).toMatchObject({ key: expect.stringMatching(/\.pdf$/) });
  });

  it('leaves the gateway as it runs while a file cannot be compiled, and says where', async () => {
    const url = await restartedWith('Before');
    await dev.write(`${dev.source}\nconst unfinished = ;\n`);
    await dev.said(/The gateway goes on as it was:\n.*src\/main\.ts.*TS1109/);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await restartedWith('After');
  });

  it('runs what is not sound, and says that it is not', async () => {
    await dev.write(`${dev.welcoming('Unsound')}\nexport const wrong: string = 1;\n`);
    await dev.listeningWith('Unsound');
    await dev.said(/its types are not sound:\n[\s\S]*src\/main\.ts.*TS2322/);
  });

  it('restarts into a process that waited for that', async () => {
    await restartedWith('First');
    const waiting = await somebodyWaits();
    await restartedWith('Second');
    expect(await dev.gateways('running')).toEqual([waiting]);
  });

  it('ends together with its gateway and with what waits', async () => {
    const url = await restartedWith('Last');
    await somebodyWaits();
    await dev.program.stop();
    expect(dev.program.exitCode()).toBe(0);
    expect([...(await dev.gateways('running')), ...(await dev.gateways('waiting'))]).toEqual([]);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });
});
