/** The deployment files: what they set, run and copy exists, and the image holds what the programs need. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig } from '../../src/base/config/load-config.js';
import { VARIABLES } from '../../src/base/config/variables.js';
import { createLogger } from '../../src/base/logging/logger.js';
import { checkRedis } from '../../src/jobs/engines/redis/check.js';
import { RedisConnection } from '../../src/jobs/engines/redis/connection.js';
import { EXIT } from '../../src/programs/process/supported-node.js';
import { BuiltPrograms, buildPrograms, ROOT } from '../support/built-programs.js';
import { freePorts, startProgram } from '../support/child-program.js';
import { readComposeFile, variablesOf } from '../support/compose-file.js';
import { backendEnvironment, callBack, productionAt } from '../support/gateway.js';
import { DRIVING_REPORT, reportOf } from '../support/job-requests.js';
import { closeAfterTest, forAllTests, temporaryDirectory } from '../support/resources.js';
import { START_COMMAND, startCommandOf } from '../support/start-command.js';
import { startBackends } from '../support/successive-gateways.js';
import { describeWith } from '../support/system-tools.js';

/** One instruction of a Dockerfile, its continued lines joined. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions between one `FROM` and the next. */
interface Stage {
  readonly name: string | undefined;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

interface Copy {
  /** Name of another stage; undefined: from the directory that is built. */
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

/** Reads a Dockerfile as far as ours goes: no here-documents, no `ARG` in front of `FROM`. */
function parseDockerfile(text: string): readonly Stage[] {
  const instructions = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): Instruction => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name: name.toUpperCase(), text: rest.trim() };
    });
  const starts = instructions.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []));
  return starts.map((start, index) => {
    const [, image = '', name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(instructions[start]?.text ?? '') ?? [];
    return { name, image, instructions: instructions.slice(start + 1, starts[index + 1]) };
  });
}

function copiesOf({ instructions }: Stage): readonly Copy[] {
  return instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(/\s+/);
      const from = words[0]?.startsWith('--from=') === true ? words.shift()?.slice('--from='.length) : undefined;
      return { from, sources: words.slice(0, -1), target: words.at(-1) ?? '' };
    });
}

/** The text of the only instruction with this name. */
function only({ instructions }: Stage, name: string): string {
  const [found, ...others] = instructions.filter((instruction) => instruction.name === name);
  if (found === undefined || others.length > 0) throw new Error(`There is not exactly one ${name}.`);
  return found.text;
}

/** Arguments in the JSON form of `CMD`, wherever they stand in the text. */
function argumentsIn(text: string): readonly string[] {
  const list: unknown = JSON.parse(text.slice(text.indexOf('[')));
  if (!Array.isArray(list)) throw new Error(`No list of arguments: ${text}`);
  return list.map(String);
}

/** Variables that others than the gateway read in its process. */
const ENGINE_VARIABLES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

const SETTINGS = {
  S3_HOST: 'files.example.com',
  REDIS_PASSWORD_FILE: './redis-password',
  TASK_CALLBACK_API_KEY: 'callback-key-of-the-tests',
  S3_ACCESS_KEY_ID: 'access-key',
  S3_SECRET_ACCESS_KEY: 'secret-key',
  JOB_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64url'),
  BACKEND_API_URL: 'https://backend.example.com',
  BACKEND_API_KEY: 'backend-key',
  GEO_API_URL: 'https://geo.example.com',
  VOIP_API_URL: 'https://voip.example.com',
  TOKEN_ISSUSERS: 'https://issuer.example.com',
};

function readManifest(): { readonly version: string; readonly scripts: object; readonly dependencies: object } {
  return JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as ReturnType<typeof readManifest>; // npm reads it too
}

const REDIS_PASSWORD = 'redis password: of/the@tests';
/** Where the secrets of the compose file lie for these tests. */
const passwordFile = path.join(mkdtempSync(path.join(tmpdir(), 'gateway-secrets-')), 'redis-password');
writeFileSync(passwordFile, `${REDIS_PASSWORD}\n`);
afterAll(() => rm(path.dirname(passwordFile), { recursive: true }));

const DEPLOY = path.join(ROOT, 'deploy');
const composeFile = path.join(DEPLOY, 'compose.yaml');
const { services, secrets, asksFor } = readComposeFile(composeFile, SETTINGS);
const stages = parseDockerfile(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'));
const lastStage = stages.at(-1) as Stage; // its instructions are looked at below
const PROGRAMS = ['gateway', 'queue-function'] as const;
/** First command of the build, which tests have run already. */
const BUILD = 'npm run build -- --image && ';

const defaultCommand = argumentsIn(only(lastStage, 'CMD'));
const healthCheck = argumentsIn(only(lastStage, 'HEALTHCHECK'));
const imageEnvironment = Object.fromEntries([only(lastStage, 'ENV').split('=')]) as Record<string, string>;

/** The environment of a program, its secrets lying elsewhere. */
function environmentOf(name: (typeof PROGRAMS)[number]): NodeJS.ProcessEnv {
  return { ...imageEnvironment, ...services[name]?.environment, REDIS_PASSWORD_FILE: passwordFile };
}

describe('deploy/compose.yaml', () => {
  const [, decided = ''] = /These are decided here[^:]*: ((?:.*\n)+?)\n/.exec(readFileSync(composeFile, 'utf8')) ?? [];
  const decidedHere: readonly string[] = decided.match(/\b[A-Z][A-Z\d_]+\b/g) ?? [];

  it.each(PROGRAMS)('hands the %s every variable that it reads and the file does not decide, and no others', (name) => {
    const set = Object.keys(services[name]?.environment ?? {}).filter((each) => !ENGINE_VARIABLES.includes(each));
    const known = variablesOf(name);
    expect(decidedHere.filter((variable) => !(variable in VARIABLES))).toEqual([]);
    expect(set.filter((variable) => !known.includes(variable))).toEqual([]);
    expect(known.filter((variable) => !set.includes(variable) && !decidedHere.includes(variable))).toEqual([]);
    const values = Object.fromEntries(known.map((variable) => [variable, `${variable} of the operator`]));
    const given = readComposeFile(composeFile, { ...SETTINGS, ...values }).services[name]?.environment ?? {};
    const handed = known.filter((variable) => !decidedHere.includes(variable));
    expect(handed.filter((variable) => given[variable] !== values[variable])).toEqual([]);
  });

  it('has the bucket keep reports as long as REPORT_RETENTION_DAYS says, and mounts the files of settings', () => {
    const daysIn = (values: Readonly<Record<string, string>>): number[] =>
      (
        JSON.parse(
          readComposeFile(composeFile, { ...SETTINGS, ...values }).services['bucket']?.environment?.['LIFECYCLE'] ?? '',
        ) as { Rules: { Expiration: { Days: number } }[] }
      ).Rules.map(({ Expiration: { Days: days } }) => days); // ours
    expect(daysIn({})).toEqual([loadConfig(environmentOf('gateway')).objects.retentionDays]);
    expect(daysIn({ REPORT_RETENTION_DAYS: '366' })).toEqual([366]);
    const page = readFileSync(path.join(DEPLOY, 'README.md'), 'utf8');
    const [, toCopy = ''] = /--lifecycle-configuration '([^']*)'/.exec(page) ?? [];
    expect(JSON.parse(toCopy)).toEqual(JSON.parse(services['bucket']?.environment?.['LIFECYCLE'] ?? ''));
    expect(services['gateway']?.volumes).toEqual(['./settings:/settings:ro']);
    expect(existsSync(path.join(DEPLOY, 'settings/.gitignore'))).toBe(true);
  });

  it.each(PROGRAMS)('gives the %s all that production requires', (name) => {
    const config = loadConfig(environmentOf(name), name);
    expect(config.production).toBe(true);
    expect(decodeURIComponent(config.redisUrl ?? '')).toBe(`redis://:${REDIS_PASSWORD}@redis:6379`);
  });

  it('asks for exactly the variables of deploy/.env.example, and for every secret', () => {
    const example = readFileSync(path.join(DEPLOY, '.env.example'), 'utf8');
    const named = [...example.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    expect(asksFor).toEqual(named.toSorted());
    for (const required of Object.keys(SETTINGS)) {
      expect(() => readComposeFile(composeFile, { ...SETTINGS, [required]: '' })).toThrow(`${required} is required.`);
    }
    const given = Object.entries(services)
      .flatMap(([, { environment = {} }]) => Object.entries(environment))
      .filter(([name, value]) => /KEY|SECRET|PASSWORD|AUTH/.test(name) && !name.endsWith('_FILE') && value);
    expect(given.length).toBeGreaterThan(5);
    for (const [, value] of given) expect(Object.values(SETTINGS)).toContain(value);
  });

  it('hands the password of Redis out as a file, to those who need it and to nobody else', () => {
    const [name = ''] = Object.keys(secrets);
    expect(secrets).toEqual({ [name]: { file: SETTINGS.REDIS_PASSWORD_FILE } });
    const holders = Object.entries(services).filter(([, service]) => service.secrets?.includes(name));
    expect(holders.map(([holder]) => holder).toSorted()).toEqual(['gateway', 'queue-function', 'redis']);
    for (const [, { environment }] of holders)
      expect(environment?.['REDIS_PASSWORD_FILE']).toBe(`/run/secrets/${name}`);
    const ignored = readFileSync(path.join(ROOT, '.gitignore'), 'utf8').split('\n');
    expect(ignored).toContain(path.join('deploy', SETTINGS.REDIS_PASSWORD_FILE));
  });

  it('waits for programs to drain before it kills them', () => {
    for (const name of PROGRAMS) {
      const { shutdown } = loadConfig(environmentOf(name), name);
      const grace = 1000 * Number(/^(\d+)s$/.exec(services[name]?.stop_grace_period ?? '')?.[1]);
      expect(grace).toBeGreaterThan(shutdown.delayMs + shutdown.drainMs);
    }
  });

  it('has every replica of both programs scraped at the port of METRICS_PORT', () => {
    const { scrape_configs: configs } = parse(readFileSync(path.join(DEPLOY, 'prometheus.yaml'), 'utf8')) as {
      scrape_configs: { job_name: string; dns_sd_configs?: { names: string[]; port: number }[] }[];
    };
    const scraped = configs.flatMap(({ job_name: job, dns_sd_configs: found = [] }) =>
      found.map((names) => ({ job, ...names })),
    );
    expect(scraped).toEqual(
      PROGRAMS.map((name) => ({
        job: `vehicle-location-${name}`,
        names: [name],
        type: 'A',
        port: Number(services[name]?.environment?.['METRICS_PORT']),
      })),
    );
    for (const name of PROGRAMS) expect(services[name]?.ports).toBeUndefined();
    expect(services['prometheus']?.ports).toEqual(['127.0.0.1:9090:9090']);
  });
});

describe('deploy/haproxy.cfg', () => {
  const text = readFileSync(path.join(DEPLOY, 'haproxy.cfg'), 'utf8');
  const { requestTimeoutMs, jobs } = loadConfig(environmentOf('gateway'));

  function numberIn(expression: RegExp): number {
    const found = [...text.matchAll(expression)].map(([, number]) => Number(number));
    expect(found).toHaveLength(1);
    return found[0] ?? Number.NaN;
  }

  it('waits for replies for as long as the gateway and the queue function do', () => {
    expect(1000 * numberIn(/^ {2}timeout server (\d+)s$/gm)).toBeGreaterThan(requestTimeoutMs);
    // The queue function waits for half a minute longer than a job may take.
    expect(1000 * numberIn(/set-timeout server (\d+)s if \{ path_beg \/api\/ \}/g)).toBeGreaterThan(
      jobs.deadlineMs + 30_000,
    );
  });
});

describeWith(['redis-server'], 'Redis as deploy/compose.yaml starts it', () => {
  it('is one the gateway is content with', async () => {
    const { entrypoint: [program = '', ...args] = [], command = [] } = services['redis'] ?? {};
    const [port = 0] = await freePorts(1);
    const { path: directory } = closeAfterTest(await temporaryDirectory());
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
    const started = startProgram(program, {
      args: [...args, ...command, ...place],
      logFile: path.join(directory, 'log'),
      env: { REDIS_PASSWORD_FILE: passwordFile, TMPDIR: directory },
    });
    const server = closeAfterTest(await started, (running) => running.stop());
    const logger = createLogger({ level: 'silent' });
    const url = `redis://:${encodeURIComponent(REDIS_PASSWORD)}@127.0.0.1:${port}`;
    const redis = closeAfterTest(new RedisConnection({ url, logger }));
    await redis.ready();
    const seen =
      readFileSync(`/proc/${server.pid}/cmdline`, 'utf8') + readFileSync(`/proc/${server.pid}/environ`, 'utf8');
    expect(seen).toContain(String(port));
    expect(seen).not.toContain(REDIS_PASSWORD);
    expect(await checkRedis(redis)).toEqual([]);
    expect(await redis.client.config('GET', 'append*')).toEqual(
      expect.arrayContaining(['appendonly', 'yes', 'appendfsync', 'always']),
    );
  });
});

describe('the Dockerfile', () => {
  it('and the compose file name each image of others by an exact version or a digest', () => {
    const bases = stages.map(({ image: base }) => base).filter((base) => !stages.some(({ name }) => name === base));
    const images = [...readFileSync(composeFile, 'utf8').matchAll(/^\s*image: (\S+)$/gm)].map(([, name = '']) => name);
    expect(images.length).toBeGreaterThan(4);
    const vague = [...bases, ...images].filter((it) => !/:v?\d+\.\d+(?:\.\d+)?(?:-|$)|@sha256:[\da-f]{64}$/.test(it));
    // The gateway's own image is built or pulled by the operator, as the pages say.
    expect(vague).toEqual(['vehicle-location-gateway']);
  });

  it('runs scripts that exist, on a Node.js that the package allows, and as an ordinary user', () => {
    const { scripts } = readManifest();
    const run = stages.flatMap(({ instructions }) => instructions).filter(({ name }) => name === 'RUN');
    const used = run.flatMap(({ text }) => [...text.matchAll(/npm run (\S+)/g)]).map(([, script = '']) => script);
    expect(used).toEqual(['build']);
    for (const script of used) expect(scripts).toHaveProperty(script);
    for (const { image: base } of stages) expect(base).toMatch(/^node:24\.\d+\.\d+-/);
    expect(only(lastStage, 'USER')).toBe('node');
    expect(imageEnvironment).toEqual({ NODE_ENV: 'production' });
    expect(only(lastStage, 'LABEL').split(' ')).toEqual([
      `org.opencontainers.image.version=${readManifest().version}`,
      'org.opencontainers.image.revision=$COMMIT',
    ]);
    for (const stage of stages) expect(only(stage, 'ARG')).toBe('COMMIT=unknown');
  });

  it('starts the gateway as npm start and the page on deployment do, with room for new objects whatever it may take', () => {
    expect(startCommandOf(defaultCommand)).toEqual(START_COMMAND);
    expect(readFileSync(path.join(DEPLOY, 'README.md'), 'utf8')).toContain(
      `| gateway | \`${defaultCommand.join(' ')}\` |`,
    );
    expect(START_COMMAND.nodeOptions).toEqual(
      ['min', 'max'].map((name): unknown => expect.stringMatching(new RegExp(`^--${name}-semi-space-size=\\d+$`))),
    );
  });
});

describe('what the image holds', () => {
  const run = promisify(execFile);
  const image = forAllTests(layOutImage);
  const dataDir = forAllTests(temporaryDirectory);
  const programs = forAllTests(() => BuiltPrograms.open(image.path));
  const sandbox = forAllTests(startBackends);
  const gateway = forAllTests(() => programs.startGateway(environment()));

  const environment = (): NodeJS.ProcessEnv => ({
    ...productionAt(sandbox),
    BASE_PATH: '/fleet',
    DATA_DIR: dataDir.path,
    PUBLISH_SCHEMA: 'true',
  });

  /** Does what the two stages do, with the packages that are installed here. */
  async function layOutImage() {
    const directory = await temporaryDirectory();
    const stage = await mkdtemp(path.join(ROOT, 'node_modules/.cache/image-'));
    try {
      const built = await buildPrograms('--image');
      for (const name of productionPackages()) {
        await mkdir(path.dirname(path.join(stage, name)), { recursive: true });
        // Links to files, which are only removed there.
        await run('cp', ['-al', path.join(ROOT, name), path.join(stage, name)]);
      }
      await cp(path.join(built, 'dist'), path.join(stage, 'dist'), { recursive: true });
      await cp(path.join(ROOT, 'package-lock.json'), path.join(stage, 'package-lock.json'));
      const build = stages[0]?.instructions.find(({ text }) => text.startsWith(BUILD));
      const NPM_CONFIG_OFFLINE = 'true';
      const env = { ...process.env, NPM_CONFIG_OFFLINE };
      await run('sh', ['-c', build?.text.slice(BUILD.length) ?? ''], { cwd: stage, env });
      for (const { from, sources, target } of copiesOf(lastStage)) {
        for (const source of sources) {
          const origin = from === undefined ? path.join(ROOT, source) : source.replace(/^\/app/, stage);
          await cp(origin, path.join(directory.path, sources.length > 1 ? source : target), { recursive: true });
        }
      }
    } finally {
      await rm(stage, { recursive: true });
    }
    return directory;
  }

  function productionPackages(): readonly string[] {
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    return Object.entries(lock.packages)
      .filter(([name, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && dev !== true)
      .map(([name]) => name)
      .filter((name) => existsSync(path.join(ROOT, name)));
  }

  it('is enough to serve, and to draw a report in every script', async () => {
    const names = ['佐藤 健一', '张伟', '김민준', 'สมชาย', 'Nguyễn Văn An'];
    const drivers = names.map((employeeName, index) => ({ ...reportOf(index + 1).drivers[0], employeeName }));
    const reply = await callBack(`${gateway.url}${DRIVING_REPORT}`, { ...reportOf(), drivers }, { 'x-org-id': 'acme' });
    expect(await reply.json()).toEqual({ key: expect.stringMatching(/\.pdf$/), errorList: null });
    expect(reply.status).toBe(200);
  });

  it('is enough to publish the contract', async () => {
    const paths = ['/schema.graphql', '/errors.json', '/openapi.json', '/openapi.yaml', '/docs', '/docs/reference.js'];
    const replies = await Promise.all(paths.map((each) => fetch(`${gateway.url}${each}`)));
    await Promise.all(replies.map((reply) => reply.arrayBuffer()));
    expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 200));
  });

  it('is enough for the queue function', async () => {
    const command = services['queue-function']?.command?.slice(1) ?? [];
    const { stderr } = await programs.run([...command, '--check-config'], {
      ...environment(),
      GATEWAY_URL: gateway.url,
    });
    expect(stderr).toContain('REDIS_URL is required');
  });

  it('is enough for the commands of operators', async () => {
    const copy = path.join(image.path, 'copy-of-data');
    for (const command of [
      ['dist/jobs-cli.js', 'queue'],
      ['dist/backup.js', copy],
    ]) {
      expect(await programs.run(command, environment())).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('is found healthy while it serves, and unhealthy otherwise', async () => {
    const [node, ...args] = healthCheck;
    expect(node).toBe('node');
    const { port } = new URL(gateway.url);
    expect((await programs.run(args, { PORT: port, BASE_PATH: '/fleet' })).code).toBe(0);
    expect((await programs.run(args, { PORT: port })).code).toBe(1);
    const [nobody] = await freePorts(1);
    expect((await programs.run(args, { PORT: String(nobody), BASE_PATH: '/fleet' })).code).toBe(1);
  });

  it('holds neither the sandbox nor the demo, and only packages that are not bundled', async () => {
    const names = await readdir(path.join(image.path, 'dist'));
    expect(names).toEqual(expect.arrayContaining(['main.js', 'queue-function.js', 'licences.txt']));
    expect(names.filter((name) => /^(sandbox|demo|openapi-contract)\b/.test(name))).toEqual([]);
    const packages = await readdir(path.join(image.path, 'node_modules'), { recursive: true });
    const banned = ['graphql', 'koa', 'undici', 'zod', '@opentelemetry/semantic-conventions', '@libsql/linux-x64-musl'];
    expect(packages.filter((name) => banned.includes(name))).toEqual([]);
    expect(packages).toEqual(expect.arrayContaining(['libsql', '@libsql', 'pino-pretty', 'pdfkit', 'piscina']));
  });
});

describeWith(['bash', 'curl', 'openssl'], 'deploy/README.md', () => {
  const programs = forAllTests(() => BuiltPrograms.open());
  const backends = forAllTests(startBackends);

  it('leads from nothing to a served request', async () => {
    const [first = ''] = readFileSync(path.join(DEPLOY, 'README.md'), 'utf8').split('## The programs');
    const [port = 0] = await freePorts(1);
    const given: NodeJS.ProcessEnv = { ...backendEnvironment(backends), PORT: String(port) };
    const blocks = [...first.matchAll(/^```sh\n([^`]*)```/gm)].map(([, block = '']) =>
      block
        .replaceAll(/^(\w+)=\S+$/gm, (line, name: string) =>
          given[name] === undefined ? line : `${name}=${given[name]}`,
        )
        .replaceAll(':8080', `:${port}`)
        .replaceAll('dist/main.js', path.join(programs.directory, 'dist/main.js')),
    );
    const [settings = '', start = '', ask = ''] = blocks;
    const { path: cwd } = closeAfterTest(await temporaryDirectory());
    const script = `${settings}${start.trimEnd()} > log & gateway=$!
      until curl -sf http://127.0.0.1:${port}/health/ready > ready; do kill -0 $gateway; sleep 0.1; done
      ${ask} kill $gateway; wait $gateway`;
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd });
    expect(stdout).toMatch(
      /^The configuration is complete.* for production\.\n\{"Status":"OK",.*\}\{"data":\{"serviceVersion":"[^"]+"\}\}$/s,
    );
  });
});

describeWith(['systemd-analyze'], 'deploy/vehicle-location-gateway.service', () => {
  const unit = readFileSync(path.join(DEPLOY, 'vehicle-location-gateway.service'), 'utf8');
  const settingOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  it('is a unit that systemd understands and finds confined', async () => {
    const { path: directory } = closeAfterTest(await temporaryDirectory());
    const file = path.join(directory, 'vehicle-location-gateway.service');
    // The program of this machine, because systemd wants one that exists.
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', file]);
    expect(`${stdout}${stderr}`).toBe('');
    const rated = await promisify(execFile)('systemd-analyze', ['security', '--offline=true', '--no-pager', file]);
    expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(rated.stdout)?.[1])).toBeLessThan(2);
  });

  it('starts the gateway as npm start does, after a reboot too, and lets it drain', () => {
    const [node = '', ...words] = settingOf('ExecStart').split(' ');
    expect(startCommandOf([path.basename(node), ...words])).toEqual(START_COMMAND);
    expect([settingOf('WantedBy'), settingOf('Restart')]).toEqual(['multi-user.target', 'on-failure']);
    expect(settingOf('RestartPreventExitStatus').split(' ').map(Number)).toEqual([EXIT.usage, EXIT.config]);
    const { delayMs, drainMs } = loadConfig(environmentOf('gateway')).shutdown;
    expect(1_000 * Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(delayMs + drainMs);
  });
});
