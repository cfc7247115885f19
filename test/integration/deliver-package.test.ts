/** The package of `deliver`, installed by itself, under plain Node.js, and the examples for queue functions of one's own. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { KeyRing } from '../../src/base/config/key-ring.js';
import { sealPayload } from '../../src/jobs/record/payload-encryption.js';
import * as entry from '../../src/jobs/queue-function/serverless.js';
import type { Deliver, DeliveryOutcome, JobMessage } from '../../src/jobs/queue-function/serverless.js';
import { carryOver, createHandler, type Envelope, type Platform } from '../examples/queue-function/push-handler.js';
import { ROOT } from '../support/built-programs.js';
import { startCallbackProxy, type CallbackProxy } from '../support/callback-proxy.js';
import { startProgram } from '../support/child-program.js';
import { PRODUCTION_ENVIRONMENT, startTestGateway } from '../support/gateway.js';
import { startRedis } from '../support/redis-server.js';
import { forAllTests, gatewayForAllTests } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { describeWith } from '../support/system-tools.js';
import { waitFor } from '../support/wait-for.js';

const run = promisify(execFile);

/** The dependencies of the package and theirs in turn; installed from here, because tests ask no registry. */
const NEEDED = ['openapi-fetch', 'openapi-typescript-helpers', 'undici', 'uuid'];

const TYPES = path.join(ROOT, 'node_modules/@types');

/** A project of another team, which contains nothing of the gateway but the installed package. */
type ConsumerProject = Awaited<ReturnType<typeof installDeliverPackage>>;

/** Packs `deliver` and installs it into a project that was empty before. */
async function installDeliverPackage() {
  const directory = await mkdtemp(path.join(tmpdir(), 'deliver-consumer-'));
  const script = path.join(ROOT, 'deploy/deliver-package/pack.ts');
  const packed = await run(process.execPath, ['--import', 'tsx', script, directory], { cwd: ROOT });
  await writeFile(path.join(directory, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const needed = NEEDED.map((name) => path.join(ROOT, 'node_modules', name));
  const quietly = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quietly, path.resolve(ROOT, packed.stdout.trim()), ...needed], { cwd: directory });
  return {
    directory,
    /**
     * Compiles files of the project. @returns what the compiler complains about
     *
     * @param onNode whether they use the declarations of Node.js; those of libraries are not checked then
     */
    async compile(files: readonly string[], { onNode = false } = {}): Promise<string> {
      const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      const settings = ['--module', 'node16', '--moduleResolution', 'node16', '--target', 'es2022', '--strict'];
      const types = onNode ? ['--types', 'node', '--typeRoots', TYPES, '--skipLibCheck'] : ['--skipDefaultLibCheck'];
      const checks = ['--exactOptionalPropertyTypes', ...types];
      const args = [compiler, ...settings, ...checks, ...files];
      return new Promise((resolve) => {
        execFile(process.execPath, args, { cwd: directory }, (_error, stdout) => resolve(stdout));
      });
    },
    close: () => rm(directory, { recursive: true }),
  };
}

/** Makes a library of the gateway's own be found in a project that uses it as well. */
async function lendLibrary({ directory }: ConsumerProject, name: string): Promise<void> {
  await mkdir(path.join(directory, 'node_modules'), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules', name), path.join(directory, 'node_modules', name));
}

const MASTER_KEY = randomBytes(32);
const API_KEY = 'callback-key-of-the-tests';
const SIGNING_SECRET = `whsec_${randomBytes(32).toString('base64')}`;

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
function message(jobId: string): object {
  const identity = { kind: 'mobiles', org: 'acme', jobId } as const;
  const payload = sealPayload(new KeyRing([MASTER_KEY]), identity, JSON.stringify([{ id: 5, name: jobId }]));
  return { ...identity, payload, described: { total: 1, fingerprint: 'f', retentionMs: 60_000 } };
}

const project = forAllTests(installDeliverPackage);

describe('The package of deliver', () => {
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
  async function delivered(changes: object, job: object): Promise<{ outcome: unknown; logged: string[] }> {
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
    const { stdout } = await run(process.execPath, ['consumer.js', input], environment);
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

  it.each(['openapi/README.md', 'openapi/messages.md', 'deploy/deliver-package/README.md'])(
    'has what %s imports in its code to copy, which is JavaScript',
    async (page) => {
      const text = await readFile(path.join(ROOT, page), 'utf8');
      const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(text) ?? [];
      const file = path.join(project.directory, 'copied.mjs');
      await writeFile(file, code);
      await run(process.execPath, ['--check', file]);
      const [, names = ''] = /import \{ (.+) \} from 'vehicle-location-gateway-deliver'/.exec(code) ?? [];
      expect(Object.keys(entry)).toEqual(expect.arrayContaining(names.split(', ')));
    },
  );

  it('delivers a message to a gateway', async () => {
    expect(await delivered({}, message('job-1'))).toEqual({ outcome: { kind: 'done' }, logged: [] });
    const effects = gateway.sandbox.journal.effects('mobileUpdated');
    expect(effects.filter(({ patch }) => patch.name === 'job-1')).toHaveLength(1);
  });
});

const EXAMPLES = path.join(ROOT, 'test/examples/queue-function');
const JOB = {
  kind: 'mobiles',
  org: 'acme',
  jobId: 'job-1',
  payload: 'sealed',
  described: { total: 1, fingerprint: 'f', retentionMs: 1 },
} as const;

/** Largest message of a platform with small ones, in bytes. */
const SMALL = 48 * 1024;

const DONE: DeliveryOutcome = { kind: 'done' };
const DELAY: DeliveryOutcome = { kind: 'delay', code: 'running', delayMs: 7_000, status: 409, reason: 'it runs' };
const RETRY: DeliveryOutcome = { kind: 'retry', code: 'failed', status: 500, reason: 'broken' };
const FINAL: DeliveryOutcome = { kind: 'final', code: 'message_refused', status: 422, reason: 'another body' };

describe('The handler for platforms that push messages and count throws', () => {
  /** Plays a platform that delivers until nothing is left. */
  async function played(
    outcomes: readonly DeliveryOutcome[],
    payload: string = JOB.payload,
  ): Promise<{ throws: number; delays: number[]; dead: string[]; left: number; stored: number }> {
    const script = [...outcomes];
    const stored = new Map<string, string>();
    const deliver: Deliver = (message) => {
      expect(message.payload).toBe(payload);
      return Promise.resolve(script.shift() ?? DONE);
    };
    const waiting: { readonly envelope: Envelope; delivered: number }[] = [];
    const [delays, dead]: [number[], string[]] = [[], []];
    const platform: Platform = {
      sendLater: (envelope, delayMs) => {
        expect(JSON.stringify(envelope).length).toBeLessThan(SMALL);
        delays.push(delayMs);
        waiting.push({ envelope, delivered: 0 });
        return Promise.resolve();
      },
      sendToDeadLetters: (_envelope, reason) => Promise.resolve(void dead.push(reason)),
      maxMessageBytes: SMALL,
      payloads: {
        put: (key, text) => Promise.resolve(void stored.set(key, text)),
        get: (key) => Promise.resolve(stored.get(key)),
        remove: (key) => Promise.resolve(void stored.delete(key)),
      },
    };
    const handle = createHandler(deliver, platform);
    await carryOver({ ...JOB, payload }, platform);
    delays.pop();
    let throws = 0;
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      message.delivered += 1;
      try {
        await handle(message.envelope, message.delivered);
      } catch {
        throws += 1;
        waiting.push(message);
      }
    }
    return { throws, delays, dead, left: script.length, stored: stored.size };
  }

  it.each<[what: string, outcomes: readonly DeliveryOutcome[], expected: object]>([
    ['done: nothing is left to do', [DONE], { throws: 0, delays: [], dead: [] }],
    [
      'delay: it waits as often as it has to',
      Array(20).fill(DELAY),
      { throws: 0, delays: Array(20).fill(7_000), dead: [] },
    ],
    ['retry: four attempts may fail', Array(4).fill(RETRY), { throws: 4, dead: [] }],
    ['retry: the fifth is the last', Array(5).fill(RETRY), { throws: 4, dead: ['broken'] }],
    [
      'retry and delay: what failed before a delay counts',
      [RETRY, RETRY, DELAY, RETRY, DELAY, RETRY, RETRY],
      { throws: 4, dead: ['broken'] },
    ],
    ['final: it never comes again', [FINAL], { throws: 0, delays: [], dead: ['another body'] }],
  ])('%s', async (_what, outcomes, expected) => expect(await played(outcomes)).toMatchObject({ ...expected, left: 0 }));

  it('keeps a payload that is too large for a message in the store until its job is done', async () => {
    const large = 'sealed'.repeat(20_000);
    expect(await played([DELAY, RETRY, DONE], large)).toMatchObject({ throws: 1, dead: [], stored: 0 });
    expect(await played([FINAL], large)).toMatchObject({ dead: ['another body'], stored: 1 });
  });
});

describeWith(['redis-server'], 'The worker for BullMQ', () => {
  const redis = forAllTests(() => startRedis());
  const client = forAllTests(() => redis.client());
  const proxy = forAllTests(startCallbackProxy);
  // In production the gateway leaves the queue to others.
  const gateway = forAllTests(() =>
    startTestGateway({ ...proxy.environment, REDIS_URL: redis.url }, { production: true }),
  );
  const worker = forAllTests(async () => {
    await lendLibrary(project, 'bullmq');
    await cp(EXAMPLES, project.directory, { recursive: true });
    expect(await project.compile(['bullmq-worker.ts', 'push-handler.ts'], { onNode: true })).toBe('');
    const started = await startProgram(process.execPath, {
      args: ['bullmq-worker.js'],
      cwd: project.directory,
      logFile: path.join(project.directory, 'worker.log'),
      env: {
        ...PRODUCTION_ENVIRONMENT,
        NODE_OPTIONS: '',
        REDIS_URL: redis.url,
        GATEWAY_URL: proxy.environment.GATEWAY_URL,
      },
    });
    await waitFor('the worker to be ready', async () => (await started.output()).includes('ready'));
    return started;
  });

  /** Orders a job whose callback is answered like this, the last answer for good. */
  async function ordered(
    ...answers: Parameters<CallbackProxy['answer']>
  ): Promise<{ jobId: string; calls: () => number }> {
    proxy.answer(...answers);
    const { jobId } = await startJob(gateway, 'mobiles', [{ id: 1, name: 'renamed' }]);
    return { jobId, calls: () => proxy.calls.filter(({ headers }) => headers['x-job-id'] === jobId).length };
  }

  it('waits more often than there are attempts, also after lost replies, and survives a failed one', async () => {
    const busy = { status: 503, headers: { 'Retry-After': '1' } };
    const { jobId, calls } = await ordered(busy, 'cut', { status: 500 }, 'cut', busy, 'cut', busy, 'forward');
    expect(await finishedJob(gateway, 'mobiles', jobId)).toMatchObject({ status: 'Success' });
    expect(calls()).toBe(8);
  });

  it('leaves its message to its successor at a signal', async () => {
    const { jobId } = await ordered('hold');
    await waitFor('the call', () => proxy.calls.some(({ headers }) => headers['x-job-id'] === jobId));
    await worker.stop();
    expect(worker.exitCode()).toBe(0);
    expect(await client.zscore('{gateway}:jobs:delayed', `mobiles.acme.${jobId}`)).not.toBeNull();
  });

  it('uses only fields that openapi/messages.md describes, for workers in other languages', async () => {
    const page = await readFile(path.join(ROOT, 'openapi/messages.md'), 'utf8');
    const { jobId } = await ordered('forward');
    const data = await client.hget(`{gateway}:jobs:mobiles.acme.${jobId}`, 'data');
    const message = JSON.parse(data ?? '') as JobMessage; // as the page says
    const fields = [...Object.keys(message), ...Object.keys(message.described).map((name) => `described.${name}`)];
    for (const field of fields.filter((name) => name !== 'described')) expect(page).toContain(`| \`${field}\` |`);
  });
});
