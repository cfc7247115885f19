/** `npm run dev`: the gateway is restarted when its sources change, and goes on when they cannot be compiled. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startDevelopment } from './development.js';
import { postJson } from '../support/gateway.js';
import { DRIVING_REPORT, reportOf } from '../support/job-requests.js';
import { forAllTests } from '../support/resources.js';

const dev = forAllTests(startDevelopment);
beforeAll(async () => {
  await dev.listeningWith('GraphQL');
});

describe('npm run dev', () => {
  it('restarts the gateway, which draws reports as ever, and says that the changed types are not sound', async () => {
    const before = await dev.gateways();
    await dev.write(`${dev.welcoming('Renamed')}\nexport const wrong: string = 1;\n`);
    const url = await dev.listeningWith('Renamed');
    expect(await dev.program.output()).toContain('[dev] src/main.ts changed.\n');
    expect(before).toHaveLength(1);
    expect(await dev.gateways()).toEqual([expect.any(Number)]);
    expect(await dev.gateways()).not.toEqual(before);
    const headers = { 'x-org-id': 'acme', 'x-api-key': 'development-callback-key' };
    const response = await postJson(`${url}${DRIVING_REPORT}`, reportOf(1), headers);
    expect(await response.json()).toMatchObject({ key: expect.stringMatching(/\.pdf$/) });
    await dev.said(/src\/main\.ts.*TS2322/);
  });

  it('leaves the gateway as it runs while a file cannot be compiled, and says where', async () => {
    const before = await dev.gateways();
    await dev.write(`${dev.source}\nconst unfinished = ;\n`);
    await dev.said(/src\/main\.ts:\d+:19:[\s\S]*The gateway goes on as it was\./);
    expect(await dev.gateways()).toEqual(before);
  });

  it('ends together with its gateway', async () => {
    await dev.program.stop();
    expect(dev.program.exitCode()).toBe(0);
    expect(await dev.gateways()).toEqual([]);
  });
});
