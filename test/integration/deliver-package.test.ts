/** The package of `deliver`, installed by itself, under plain Node.js. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../src/config/key-ring.js';
import { sealPayload } from '../../src/job-record/payload-encryption.js';
import { freePorts } from '../support/child-program.js';
import { installDeliverPackage } from '../support/deliver-package.js';
import { forAllTests, gatewayForAllTests } from '../support/resources.js';

const MASTER_KEY = randomBytes(32);
const API_KEY = 'callback-key-of-the-tests';
const SIGNING_SECRET = `whsec_${randomBytes(32).toString('base64')}`;

/** Delivers one message and prints its outcome last. */
const CONSUMER = `
import { createDeliver, type Deliver, type DeliveryOutcome, type JobMessage, type LogLine, type ServerlessOptions }
  from 'vehicle-location-gateway-deliver';

declare const process: { readonly argv: readonly string[] };
interface Input { readonly options: ServerlessOptions; readonly message: JobMessage }
const { options, message } = JSON.parse(process.argv[2] ?? '') as Input;
const log = ({ level, event }: LogLine): void => console.log(level, event);
const deliver: Deliver = createDeliver({ ...options, log });
const outcome: DeliveryOutcome = await deliver(message);
const delayMs: number = outcome.kind === 'delay' ? outcome.delayMs : 0;
console.log(JSON.stringify({ ...outcome, ...(outcome.kind === 'delay' && { delayMs }) }));
`;

const MISTAKEN = `
import { createDeliver } from 'vehicle-location-gateway-deliver';
const deliver = createDeliver({ gatewayUrl: 'https://gateway.example.com', jobEncryptionKey: '' });
await deliver({ body: '{}' });
`;

/** As it lies in the queue. */
async function message(jobId: string): Promise<object> {
  const identity = { kind: 'mobiles', org: 'acme', jobId } as const;
  const payload = await sealPayload(new KeyRing([MASTER_KEY]), identity, JSON.stringify([{ id: 5, name: jobId }]));
  return { ...identity, payload, described: { total: 1, fingerprint: 'f', retentionMs: 60_000 } };
}

describe('The package of deliver', () => {
  const project = forAllTests(installDeliverPackage);
  const gateway = gatewayForAllTests({
    JOB_ENCRYPTION_KEY: MASTER_KEY.toString('base64url'),
    TASK_CALLBACK_API_KEY: API_KEY,
    BASE_PATH: '/fleet',
    CALLBACK_SIGNING_SECRET: SIGNING_SECRET,
  });
  let complaints: string;

  beforeAll(async () => {
    await writeFile(path.join(project.directory, 'consumer.ts'), CONSUMER);
    await writeFile(path.join(project.directory, 'mistaken.ts'), MISTAKEN);
    complaints = await project.compile(['consumer.ts', 'mistaken.ts']);
  });

  /** The outcome under plain Node.js, and what was logged before it. */
  async function delivered(
    changes: object,
    job: object,
  ): Promise<{ readonly outcome: unknown; readonly logged: string[] }> {
    const jobEncryptionKey = MASTER_KEY.toString('base64url');
    const options = {
      gatewayUrl: gateway.url,
      apiKey: API_KEY,
      jobEncryptionKey,
      signingSecret: SIGNING_SECRET,
      ...changes,
    };
    const input = JSON.stringify({ options, message: job });
    const environment = { env: { PATH: process.env['PATH'] }, cwd: project.directory };
    const { stdout } = await promisify(execFile)(process.execPath, ['consumer.js', input], environment);
    const lines = stdout.trim().split('\n');
    return { outcome: JSON.parse(lines.at(-1) ?? ''), logged: lines.slice(0, -1) };
  }

  it('brings three libraries along and nothing of the server', async () => {
    const installed = (await readdir(path.join(project.directory, 'node_modules'))).filter(
      (name) => !name.startsWith('.'),
    );
    expect(installed.sort()).toEqual([
      'openapi-fetch',
      'openapi-typescript-helpers',
      'undici',
      'uuid',
      'vehicle-location-gateway-deliver',
    ]);
    const file = path.join(project.directory, 'node_modules/vehicle-location-gateway-deliver/package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { readonly dependencies: object }; // of npm's making
    expect(manifest.dependencies).toEqual({
      'openapi-fetch': expect.any(String),
      undici: expect.any(String),
      uuid: expect.any(String),
    });
  });

  it('has types that are sound by themselves and find mistakes', () => {
    expect(complaints.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith('mistaken.ts'))).toEqual([]);
    expect(complaints).toMatch(/mistaken\.ts\(3,[^]*'apiKey' is missing[^]*mistaken\.ts\(4,[^]*'body' does not exist/);
  });

  it('delivers a message to a gateway', async () => {
    expect(await delivered({}, await message('job-1'))).toEqual({ outcome: { kind: 'done' }, logged: [] });
    const effects = gateway.sandbox.journal.effects('mobileUpdated');
    expect(effects.filter(({ patch }) => patch.name === 'job-1')).toHaveLength(1);
  });

  it('knows a job that has to wait, one that is to be tried again, and one that will never work', async () => {
    const hold = gateway.sandbox.faults.hold({ operation: 'updateMobile' });
    const job = await message('job-2');
    const first = delivered({}, job);
    // Should it never come that far, it fails.
    await Promise.race([hold.held(), first]);
    expect((await delivered({}, job)).outcome).toMatchObject({
      kind: 'delay',
      status: 409,
      delayMs: expect.any(Number),
    });
    hold.release();
    expect((await first).outcome).toEqual({ kind: 'done' });

    const [port = 0] = await freePorts(1);
    expect(await delivered({ gatewayUrl: `http://127.0.0.1:${port}` }, job)).toMatchObject({
      outcome: { kind: 'delay', code: 'not_reached', status: 503, delayMs: 1_000 },
      logged: ['warn delivery.turned_away'],
    });
    expect((await delivered({ apiKey: 'another-callback-key' }, job)).outcome).toMatchObject({
      kind: 'delay',
      code: 'not_authorized',
      status: 401,
    });
    expect((await delivered({}, { ...job, jobId: 'another' })).outcome).toMatchObject({ kind: 'final' });
  });
});
