/** The programs as the image starts them, within the memory that deploy/compose.yaml gives them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { buildPrograms, ROOT } from '../support/built-programs.js';
import { startProgram } from '../support/child-program.js';
import { graphqlAt, PRODUCTION_ENVIRONMENT, productionAt } from '../support/gateway.js';
import { DRIVING_REPORT, jobHeaders, reportOf } from '../support/job-requests.js';
import { openMemoryGroup } from '../support/memory-group.js';
import { closeAfterTest, temporaryDirectory } from '../support/resources.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';
import { IN_TIME } from './site.js';

jest.setTimeout(IN_TIME);

const DRIVERS = 1_000;
const PAGES_OF_MOBILES = 400;

/** Flags of Node.js in the image. */
function imageFlags(): readonly string[] {
  const [, command = '[]'] =
    /^CMD (\[.*"dist\/main\.js"\])$/m.exec(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  return (JSON.parse(command) as readonly string[]).filter((part) => part.startsWith('--')); // as Docker has it
}

/** Memory that compose gives a gateway, in bytes. */
function limitOfCompose(): number {
  const { services } = parse(readFileSync(path.join(ROOT, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly mem_limit?: string }>>; // as its own test holds
  };
  const [, number = '', unit = ''] = /^(\d+)([mg])$/.exec(services['gateway']?.mem_limit ?? '') ?? [];
  return Number(number) * 1024 ** (unit === 'g' ? 3 : 2);
}

/** Node.js of the image where it is installed, otherwise that of the tests. */
function imageNode(): string {
  const packages = path.join(ROOT, '.ci/node24/node_modules');
  const names = existsSync(packages) ? readdirSync(packages).filter((name) => name.startsWith('node-')) : [];
  return names.map((name) => path.join(packages, name, 'bin/node')).find(existsSync) ?? process.execPath;
}

it('a gateway serves pages and draws a large report within its limit', async () => {
  const limit = limitOfCompose();
  const group = await openMemoryGroup(limit);
  if (group) closeAfterTest(group);
  const sandbox = closeAfterTest(await startBackends());
  const { path: directory } = closeAfterTest(await temporaryDirectory());
  const command = [imageNode(), ...imageFlags(), path.join(await buildPrograms(), 'dist/main.js')] as const;
  const [file, args] = group ? (['sh', group.command(...command)] as const) : ([command[0], command.slice(1)] as const);
  const program = await startProgram(file, {
    args,
    logFile: path.join(directory, 'gateway.log'),
    env: {
      NODE_OPTIONS: '',
      MAX_EVENT_LOOP_DELAY_MS: '60000',
      ...productionAt(sandbox),
      PORT: '0',
      DATA_DIR: path.join(directory, 'data'),
    },
  });
  closeAfterTest({ close: () => program.stop() });
  const url = await waitFor(
    'the gateway',
    async () => /"url":"([^"]+)"[^\n]*gateway.listening/.exec(await program.output())?.[1],
  );
  const graphql = graphqlAt(url);
  const bearer = `Bearer ${await sandbox.mintToken()}`;
  const query = '{ mobiles(first: 50) { edges { node { id name position { address } voice { online } } } } }';
  const report = fetch(`${url}${DRIVING_REPORT}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': PRODUCTION_ENVIRONMENT.TASK_CALLBACK_API_KEY ?? '',
      ...jobHeaders('large'),
    },
    body: JSON.stringify(reportOf(...Array.from({ length: DRIVERS }, (_, index) => 1 + (index % 40)))),
  });
  for (let page = 0; page < PAGES_OF_MOBILES; page += 1) {
    expect((await graphql(query, undefined, bearer)).errors).toBeUndefined();
  }
  expect((await report).status).toBe(200);
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
  const resident = 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
  expect(resident).toBeLessThan(limit);
  expect((await group?.peak()) ?? 0).toBeLessThanOrEqual(limit);
  expect(program.isRunning()).toBe(true);
});
