/** How the gateway is installed and set up: keys that are hard to guess, no scripts of packages, no right more than needed. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig } from '../../src/base/config/load-config.js';
import { findTrivialKeys } from '../../src/base/config/trivial-keys.js';
import { ROOT } from '../support/built-programs.js';
import { readComposeFile } from '../support/compose-file.js';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const MANIFEST = JSON.parse(read('package.json')) as {
  readonly scripts: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
};

const WORKFLOWS = readdirSync(path.join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);

function readWorkflow(file: string) {
  type Jobs = Record<string, { steps: { uses?: string; run?: string }[] }>;
  const { permissions, jobs } = parse(read(file)) as { permissions: unknown; jobs: Jobs };
  return { text: read(file), permissions, steps: Object.values(jobs).flatMap((job) => job.steps) };
}

/** Returns the faults of the keys of an environment. */
function faultsOf(environment: NodeJS.ProcessEnv): string[] {
  const sound = {
    BACKEND_API_KEY: randomBytes(24).toString('hex'),
    TASK_CALLBACK_API_KEY: randomBytes(24).toString('hex'),
    JOB_ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
  };
  return findTrivialKeys(loadConfig({ ...sound, ...environment }).keys, 'gateway');
}

describe('a key that is easy to guess is refused', () => {
  it.each([
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    '0000000000000000',
    '12341234123412341234',
    'abababababababab',
    'changemechangeme',
    'CHANGE-ME-PLEASE-1',
    'please-change-me',
    'qwertyuiopasdfghjkl',
    'password-1234567',
    'my-secret-api-key',
    'your-api-key-here',
    'secretsecretsecret',
    'development-callback-key'.replace('callback', 'default'),
  ])('%s', (key) => {
    const others = ['BACKEND_API_KEY', 'GEO_API_KEY', 'VOIP_API_KEY'];
    for (const name of ['TASK_CALLBACK_API_KEY', 'TASK_CALLBACK_API_KEY_PREVIOUS', ...others]) {
      const faults = faultsOf({ [name]: key });
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} is easy to guess`))]);
      expect(faults.join()).not.toContain(key);
    }
  });

  it.each([
    ['zeros', Buffer.alloc(32)],
    ['one byte', Buffer.alloc(32, 7)],
    ['a piece that is repeated', Buffer.from('8c01fe77'.repeat(8), 'hex')],
    ['a word that was typed', Buffer.from('changeme-changeme-changeme-12345')],
    ['few different bytes', Buffer.from('0102030405060708'.repeat(3) + '0807060504030201', 'hex')],
  ])('of 32 bytes that are %s', (_what, bytes) => {
    const sound = randomBytes(32).toString('base64url');
    for (const keys of [bytes.toString('base64url'), `${sound},${bytes.toString('base64url')}`]) {
      expect(faultsOf({ JOB_ENCRYPTION_KEY: keys })).toEqual([
        expect.stringMatching(/^JOB_ENCRYPTION_KEY is easy to guess/),
      ]);
      const secrets = keys.split(',').map((key) => `whsec_${Buffer.from(key, 'base64url').toString('base64')}`);
      expect(faultsOf({ CALLBACK_SIGNING_SECRET: secrets.join() })).toEqual([
        expect.stringMatching(/^CALLBACK_SIGNING_SECRET is easy to guess/),
      ]);
    }
  });

  it('and no random one', () => {
    for (let round = 0; round < 2_000; round += 1) {
      const key = round % 2 === 0 ? randomBytes(16).toString('hex') : randomBytes(18).toString('base64url');
      expect(faultsOf({ TASK_CALLBACK_API_KEY: key })).toEqual([]);
      const secret = `whsec_${randomBytes(24 + (round % 41)).toString('base64')}`;
      expect(faultsOf({ CALLBACK_SIGNING_SECRET: secret })).toEqual([]);
    }
  });
});

describe('what is installed', () => {
  it('runs no script of any package', () => {
    const files = ['Dockerfile', 'README.md', '.ci/ensure-installed.js', '.ci/install', ...WORKFLOWS].map(read);
    const installs = [...files, ...Object.values(MANIFEST.scripts)].join('\n');
    const commands = installs.match(/npm ci[^\n`|&]*/g) ?? [];
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) expect(command).toContain('--ignore-scripts');
    expect(installs).not.toMatch(/npm install|npm i /);
    expect(Object.values(MANIFEST.allowScripts)).not.toContain(true);
  });

  it('is what the lock file names, with a hash for each package', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { integrity?: string; link?: boolean }>;
    };
    const loose = Object.entries(packages).filter(
      ([name, { integrity }]) => name !== '' && !integrity?.startsWith('sha512-'),
    );
    expect(loose).toEqual([]);
  });
});

describe.each(WORKFLOWS)('%s', (file) => {
  it('runs what it names at one commit, with no right but to read', () => {
    const { text, permissions, steps } = readWorkflow(file);
    expect(permissions).toEqual({ contents: 'read' });
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    expect(text).not.toMatch(/pull_request_target|secrets\.|github\.event/);
  });
});

describe('the bill of materials', () => {
  it('names every package with its hash, and whether it runs or only builds', async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { name: string; scope: string; hashes?: { content: string }[] }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const runs = components.filter(({ scope }) => scope === 'required').map(({ name }) => name);
    expect(runs).toEqual(expect.arrayContaining(Object.keys(MANIFEST.dependencies)));
    const onlyBuild = ['jest', 'typescript', 'oxlint'];
    expect(Object.keys(MANIFEST.devDependencies)).toEqual(expect.arrayContaining(onlyBuild));
    expect(runs.filter((name) => onlyBuild.includes(name))).toEqual([]);
    for (const { hashes } of components) expect(hashes?.length).toBeGreaterThan(0);
  });
});

describe('deploy/compose.yaml', () => {
  const asked = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
  const { services, configs } = readComposeFile(
    path.join(ROOT, 'deploy/compose.yaml'),
    Object.fromEntries(asked.map((name) => [name, 'x'])),
  );

  it.each(Object.entries(services))('gives %s no right it does not need, and bounds', (_name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.cap_add ?? []).not.toContain('NET_ADMIN');
    for (const bound of [service.pids_limit, service.mem_limit, service.cpus]) expect(bound).toBeDefined();
  });

  it('opens ports on this machine alone by default', () => {
    const ports = Object.values(services).flatMap(({ ports: opened = [] }) => opened);
    expect(ports).toHaveLength(4);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('lets the S3 identity do nothing outside its bucket', () => {
    const { identities } = JSON.parse(configs['s3-credentials']?.content ?? '') as {
      identities: { actions: string[] }[];
    };
    const bucket = services['gateway']?.environment?.['S3_BUCKET'] ?? '';
    const actions = identities.flatMap((identity) => identity.actions);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(new RegExp(`:${bucket}$`));
  });
});
