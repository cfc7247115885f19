/** Help, version and refusals of every program. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { BuiltPrograms, ROOT, type EndedProgram } from '../support/built-programs.js';
import { graphqlAt } from '../support/gateway.js';
import { forAllTests, temporaryDirectory } from '../support/resources.js';
import { finishedJob, startJob } from '../support/started-jobs.js';
import { waitFor } from '../support/wait-for.js';

/** Every program, with the arguments that it takes. */
const PROGRAMS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['dist/main.js'],
  ['dist/queue-function.js'],
  ['dist/jobs-cli.js', 'queue'],
  ['dist/backup.js', 'copy-that-is-not-made'],
  ['dist/demo.js'],
  ['dist/sandbox.js'],
];
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  engines: { node: string };
}; // our own
/** With which none of the services would start. */
const FAULTY = { NODE_ENV: 'production', PORT: 'none' };

const programs = forAllTests(() => BuiltPrograms.open());
const directory = forAllTests(temporaryDirectory);

it('All programs that there are were built, and are tried here', () => {
  const built = readdirSync(path.join(programs.directory, 'dist'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join('dist', file))
    .filter((file) => readFileSync(path.join(programs.directory, file), 'utf8').includes('void onSupportedNode('));
  expect(built.sort()).toEqual(PROGRAMS.map(([program]) => program).sort());
});

/** A module that pretends another version of Node.js. */
const pretend = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "${version}" } })`;

it('An older Node.js is refused before any program loads what it has not', async () => {
  expect(await programs.run(['--import', pretend('20.18.3'), 'dist/main.js', '--version'], {})).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Node.js 20.19 or newer is needed, and this is 20.18.3: install one, or put it first in PATH.\n',
  });
  expect(manifest.engines.node).toBe('>=20.19');
  const contents = await programs.contents();
  const loadedFirst = (file: string): readonly string[] => {
    const text = readFileSync(path.join(programs.directory, 'dist', file), 'utf8');
    const imports = [...text.matchAll(/^(?:import .*|\} )?from ["'](.+)["'];|^import ["'](.+)["'];/gm)];
    const names = imports.map(([, from, alone]) => from ?? alone ?? '').filter((name) => name !== 'node:module');
    return [...(contents.get(file) ?? []), ...names.flatMap((name) => loadedFirst(path.basename(name)))];
  };
  for (const [program] of PROGRAMS) {
    const [own = '', ...others] = loadedFirst(path.basename(program));
    expect([own, ...others]).toEqual([
      expect.stringMatching(/^src\/.*\.ts$/),
      'src/programs/process/supported-node.ts',
    ]);
  }
});

describe.each(PROGRAMS)('%s', (program, ...args) => {
  it('explains itself and tells its version, whatever its settings are', async () => {
    const help = await programs.run([program, '--help'], FAULTY);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Usage: ?[\s\S]+--version/m) });
    expect(help.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const version = await programs.run(['--import', pretend('20.19.0'), program, '--version'], FAULTY);
    const commit = readFileSync(path.join(programs.directory, 'dist/commit'), 'utf8').trim();
    expect(commit).toMatch(/^([0-9a-f]{12}(-dirty)?|unknown)$/);
    expect(version).toEqual({ code: 0, stderr: '', stdout: `${manifest.version} (commit ${commit})\n` });
  });

  it('refuses an option that it does not have, and surplus arguments, in a sentence', async () => {
    const refused = (stderr: string) => ({ code: 64, stdout: '', stderr: expect.stringMatching(stderr) });
    const unknown = await programs.run([program, '--chek-config'], FAULTY);
    expect(unknown).toEqual(refused('^Unknown option "--chek-config"\\. .*--help.*\\n$'));
    const surplus = await programs.run([program, ...args, 'now'], FAULTY);
    expect(surplus).toEqual(refused('^"now" is one argument too many\\. .*--help.*\\n$'));
  });
});

describe('a directory that cannot be written', () => {
  /** Runs a program that ends by itself, without a stack. @returns its output */
  async function lastWords(program: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<EndedProgram> {
    const ended = await programs.run([program, ...args], env);
    expect(`${ended.stdout}${ended.stderr}`).not.toMatch(/\.js:\d+/);
    return ended;
  }

  // There nothing can be created, and the system says that it does not exist.
  const NOWHERE = '/proc/gateway/data';

  it.each([{}, { JOB_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64url') }])(
    'ends the gateway with a sentence, even where creating it would never end: %j',
    async (keys) => {
      const ended = await lastWords('dist/main.js', { ...keys, DATA_DIR: NOWHERE, PORT: '0' });
      expect(ended).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(/^.* cannot be kept in .*ENOENT.*writable.*\n$/),
      });
      const checked = await lastWords('dist/main.js', { ...keys, DATA_DIR: NOWHERE }, '--check-config');
      expect(checked).toMatchObject({ code: 78, stderr: expect.stringMatching(/cannot be kept in .*writable/) });
    },
  );

  it('ends the command line for jobs with a sentence', async () => {
    const dataDir = path.join(directory.path, 'data');
    await mkdir(path.join(dataDir, 'jobs.db'), { recursive: true });
    const ended = await lastWords('dist/jobs-cli.js', { DATA_DIR: dataDir }, 'list');
    expect(ended).toMatchObject({ code: 78, stdout: '' });
    expect(ended.stderr).toMatch(/^Jobs cannot be kept in .*\. It must be a writable directory on a local disk\.\n$/);
  });
});

describe('npm run sandbox', () => {
  /** Starts a sandbox, and returns it with the settings that it prints. */
  async function startSandbox(...args: readonly string[]) {
    const sandbox = await programs.start(['dist/sandbox.js', '--port', '0', ...args], {});
    const printed = await waitFor('the settings', async () => {
      const output = await sandbox.output();
      return output.includes('# Logins:') && output;
    });
    const lines = [...printed.matchAll(/^export ([A-Z_]+)='(.*)'$/gm)];
    const settings: NodeJS.ProcessEnv = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
    expect(settings).toMatchObject({ NODE_ENV: 'production', DATA_DIR: expect.stringContaining(tmpdir()) });
    const DATA_DIR = path.join(directory.path, path.basename(settings['DATA_DIR'] ?? ''));
    Object.assign(settings, { DATA_DIR, SHUTDOWN_DELAY_SECONDS: '0' });
    return { sandbox, settings };
  }

  const LOGIN = `mutation($loginId: String!, $password: String!) {
    userLogin(loginId: $loginId, password: $password) { session { accessToken } challenge } }`;

  async function logIn(url: string, loginId: string) {
    const { data } = await graphqlAt(url)(LOGIN, { loginId, password: `${loginId}-password` });
    const { userLogin } = data as { userLogin: { session: { accessToken: string } | null; challenge: string } }; // as selected
    return { bearer: `Bearer ${userLogin.session?.accessToken}`, challenge: userLogin.challenge };
  }

  it('prints the settings of a gateway in production, serves it until a signal ends it, and names a port that is taken', async () => {
    const { sandbox, settings } = await startSandbox();
    const checked = await programs.run(['dist/main.js', '--check-config'], settings);
    expect(checked).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining('The configuration is complete') });
    const gateway = await programs.startGateway(settings);
    // A busy machine may answer a probe later than it is waited for.
    const ready = await waitFor('readiness', async () => {
      const reply = await fetch(`${gateway.url}/health/ready?strict=true`);
      const body: unknown = await reply.json();
      return reply.status === 200 && body;
    });
    expect(ready).toMatchObject({ Status: 'OK' });
    const { bearer } = await logIn(gateway.url, 'demo');
    expect((await graphqlAt(gateway.url)('{ me { Org } }', {}, bearer)).data).toEqual({ me: { Org: 'acme' } });
    await gateway.stop();
    expect(gateway.exitCode()).toBe(0);

    const port = new URL(settings['BACKEND_API_URL'] ?? '').port;
    const second = await programs.run(['dist/sandbox.js', '--port', port], {});
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(/^The simulated backends cannot be started: .*EADDRINUSE.*--port\.\n$/);

    sandbox.signal('SIGINT');
    await waitFor('its end', () => !sandbox.isRunning());
    expect(sandbox.exitCode()).toBe(0);
  });

  /** The faults of `--help`. */
  async function faultsInHelp(): Promise<readonly string[]> {
    const { stdout } = await programs.run(['dist/sandbox.js', '--help'], {});
    return [...(/^Faults:\n([^]*?)^\S/m.exec(stdout)?.[1] ?? '').matchAll(/^ {2}(\S+=\S+)/gm)].map(
      ([, fault = '']) => fault,
    );
  }

  it('plays every fault of its help to a front end', async () => {
    const faults = await faultsInHelp();
    expect(faults).toEqual(['voip-api=down', 'geo-api=500', 'backend-api=slow:2000', 'otp=wrong', 'mobile:3=fails']);
    const { sandbox, settings } = await startSandbox(...faults.flatMap((fault) => ['--fault', fault]));
    const gateway = await programs.startGateway(settings);
    const graphql = graphqlAt(gateway.url);

    const before = performance.now();
    const { bearer } = await logIn(gateway.url, 'demo');
    expect(performance.now() - before).toBeGreaterThan(1_999);

    const page = await graphql('{ mobile(id: 3) { position { address } voice { online } } }', {}, bearer);
    expect(page.data).toEqual({ mobile: { position: { address: null }, voice: null } });
    const reasons = page.errors?.map(({ extensions }) => extensions['reason']) ?? [];
    expect(reasons.sort()).toEqual(['AddressesUnavailable', 'VoiceUnavailable']);

    const items = [2, 3].map((id) => ({ id, name: 'renamed' }));
    const job = { graphql, bearer: () => Promise.resolve(bearer) };
    const { jobId } = await startJob(job, 'mobiles', items);
    expect(await finishedJob(job, 'mobiles', jobId)).toMatchObject({
      status: 'Failure',
      errors: [expect.stringMatching(/^\[1\] 3: /)],
    });

    const { challenge } = await logIn(gateway.url, 'otp');
    await graphql('mutation { sendOtp(loginId: "otp") { sentTo } }');
    const code = await waitFor('the code', async () => /"code":"(\d{6})"/.exec(await sandbox.output())?.[1]);
    const verify = `mutation($code: String!, $challenge: String) {
      verifyOtp(loginId: "otp", code: $code, challenge: $challenge) { accessToken } }`;
    const { errors } = await graphql(verify, { code, challenge });
    expect(errors?.map(({ extensions }) => extensions['reason'])).toEqual(['WrongOtp']);
    await gateway.stop();
    await sandbox.stop();
  });

  it('refuses a fault that it does not have, in a sentence, and its page lists those that it has', async () => {
    for (const fault of [
      '',
      'down',
      'voip-api',
      'voip-api=',
      'redis=down',
      'geo-api=fails',
      'otp=200',
      'mobile:0=fails',
    ]) {
      const refused = await programs.run(['dist/sandbox.js', '--fault', fault], {});
      expect(refused).toMatchObject({ code: 64, stdout: '' });
      expect(refused.stderr).toMatch(/^--fault must be .*voip-api=down.*--help.*\n$/);
    }
    const page = readFileSync(path.join(ROOT, 'schema/README.md'), 'utf8');
    for (const fault of await faultsInHelp()) expect(page).toContain(`\`${fault}\``);
  });
});
