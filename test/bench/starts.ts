/**
 * Measures starts: `npm run bench:starts -- [CHECKOUT …] [--turns N] [--burst] [--idle]`. The programs in `dist/` of this
 * checkout, and of others if named, start in turns, so that other work on the machine affects all of them. Ratios are
 * those within a turn.
 *
 * --turns   number of turns, 5 by default
 * --only    only the programs whose name contains a text
 * --burst   only the gateway on SQLite, and 300 requests as soon as it is ready
 * --idle    only the gateway on SQLite, and its memory after two minutes without a request
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BuiltPrograms, ROOT } from '../support/built-programs.js';
import { freePorts } from '../support/child-program.js';
import { backendEnvironment, PRODUCTION_ENVIRONMENT } from '../support/gateway.js';
import { burst } from '../support/graphql-handlers.js';
import { startRadosgw } from '../support/radosgw.js';
import { startRedis } from '../support/redis-server.js';
import { START_COMMAND } from '../support/start-command.js';
import { startBackends } from '../support/successive-gateways.js';
import { waitFor } from '../support/wait-for.js';
import { processorTimeOfTree, residentMiB } from './processor-time.js';
import { findCores, pin } from './requests/processors.js';
import { prefer } from './requests/program.js';
import { median, ratioInTurns, spread } from './requests/section.js';

const AFTER_MS = 6_000;
const SETTLED_MS = 10_000;
const IDLE_MS = 120_000;
const BURST = 300;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    turns: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    burst: { type: 'boolean' },
    idle: { type: 'boolean' },
  },
});
// The simulated backends answer from here.
prefer(process.pid);
const cores = findCores();
if (given.burst) await pin(process.pid, cores?.load);
const turns = Number(given.turns);
const checkouts = [ROOT, ...positionals.map((name) => path.resolve(name))];

const directory = await mkdtemp(path.join(tmpdir(), 'gateway-starts-'));
const [sandbox, redis, s3] = await Promise.all([startBackends(), startRedis(), startRadosgw('reports')]);
const programs = await Promise.all(checkouts.map((checkout) => BuiltPrograms.open(checkout)));

const common = { ...PRODUCTION_ENVIRONMENT, ...backendEnvironment(sandbox), AWS_EC2_METADATA_DISABLED: 'true' };
const shared = {
  ...common,
  ...s3.environment('reports'),
  ...s3.variables,
  REDIS_URL: redis.url,
  GATEWAY_URL: 'http://127.0.0.1:1',
};
let started = 0;
const embedded = () => ({ ...common, DATA_DIR: path.join(directory, String((started += 1))) });

type Figures = Readonly<Record<string, number>>;

/** Starts a gateway and measures it, in seconds and MiB. */
async function gateway(built: BuiltPrograms, settings: NodeJS.ProcessEnv): Promise<Figures> {
  const [port = 0] = await freePorts(1);
  const env = { ...settings, PORT: String(port), LOGIN_RATE_PER_MINUTE: '100000' };
  const program = await built.start([START_COMMAND.file], env, { nodeOptions: START_COMMAND.nodeOptions });
  prefer(program.pid);
  if (given.burst) await pin(program.pid, cores?.servers);
  const url = `http://127.0.0.1:${port}`;
  let listening = NaN;
  await waitFor('readiness', async () => {
    if (!program.isRunning()) throw new Error(await program.output());
    const text = await fetch(`${url}/health/ready`).then(
      (reply) => reply.text(),
      () => undefined,
    );
    if (text !== undefined && Number.isNaN(listening)) listening = performance.now();
    return text?.includes('"Status":"OK"');
  });
  const processor = (): number => processorTimeOfTree(program.pid) / 1_000;
  const ready = processor();
  const burst = given.burst ? await sendBurst(url) : undefined;
  const answered = processor() - ready;
  if (burst)
    return program
      .stop()
      .then(() => ({ 'processor s until ready': ready, 'processor s of 300 answers': answered, ...burst }));
  await delay(AFTER_MS);
  const after = processor() - ready;
  await delay(SETTLED_MS - (performance.now() - listening));
  const memory = residentMiB(program.pid);
  if (given.idle) await delay(IDLE_MS);
  const idle = given.idle && { 'MiB after two idle minutes': residentMiB(program.pid) };
  await program.stop();
  return {
    'processor s until ready': ready,
    'processor s until 6 s later': ready + after,
    'MiB 10 s after it listens': memory,
    ...idle,
  };
}

/** Sends requests at once, each on a connection of its own. */
async function sendBurst(url: string): Promise<Figures> {
  const replies = await burst(url, BURST, `Bearer ${await sandbox.mintToken()}`);
  return {
    'of 300 requests refused': replies.filter(({ status }) => status !== 200).length,
    'ms of the slowest answer': Math.max(...replies.map(({ ms }) => ms)),
  };
}

/** Runs a queue function until it consumes, and six seconds longer. */
async function queueFunction(built: BuiltPrograms): Promise<Figures> {
  const program = await built.startQueueFunction(shared);
  const ready = processorTimeOfTree(program.pid) / 1_000;
  await delay(AFTER_MS);
  const after = processorTimeOfTree(program.pid) / 1_000;
  await program.stop();
  return { 'processor s until it consumes': ready, 'processor s until 6 s later': after };
}

/** Runs a command to its end, which notes its processor time. */
async function command(built: BuiltPrograms, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Figures> {
  const noted = path.join(directory, 'processor-time');
  const note = `import { writeFileSync } from 'node:fs'; process.on('exit', () => {
    const { user, system } = process.cpuUsage(); writeFileSync(${JSON.stringify(noted)}, String(user + system)); });`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(note)}`;
  const { code, stderr } = await built.run([preload, ...args], env);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return { 'processor s': Number(await readFile(noted, 'utf8')) / 1e6 };
}

const onSqlite = { 'gateway on SQLite': (built: BuiltPrograms) => gateway(built, embedded()) };
const cases: Readonly<Record<string, (built: BuiltPrograms) => Promise<Figures>>> =
  given.burst || given.idle
    ? onSqlite
    : {
        ...onSqlite,
        'gateway on Redis with S3': (built) => gateway(built, shared),
        'queue function': queueFunction,
        '`jobs queue`': (built) => command(built, ['dist/jobs-cli.js', 'queue'], shared),
        '`--check-config`': (built) => command(built, ['dist/main.js', '--check-config'], { ...embedded(), PORT: '0' }),
      };

async function run(): Promise<void> {
  for (const [name, measure] of Object.entries(cases)) {
    if (!name.includes(given.only)) continue;
    const rounds: Figures[][] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const round: Figures[] = [];
      for (const built of programs) round.push(await measure(built));
      rounds.push(round);
    }
    for (const figure of Object.keys(rounds[0]?.[0] ?? {})) {
      const columns = checkouts.map((_, index) => rounds.map((round) => round[index]?.[figure] ?? NaN));
      const [own = [], ...others] = columns;
      const ratios = others.map((other) => `ratio ${ratioInTurns(own, other).toFixed(2)}`);
      const digits = median(own) < 20 ? 2 : 0;
      const row = [name, figure, ...columns.map((values) => spread(values, digits)), ...ratios];
      process.stdout.write(`| ${row.join(' | ')} |\n`);
    }
  }
}

try {
  await run();
} finally {
  await Promise.all(programs.map((built) => built.close()));
  await Promise.all([sandbox.close(), redis.stop(), s3.stop()]);
  await rm(directory, { recursive: true });
}
