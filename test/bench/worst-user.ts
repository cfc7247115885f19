/**
 * Measures what one user of an organisation can take from the users of another one: `npm run bench:worst-user`. In
 * turns, the worst user is there and is not; the others ask at a steady rate and log in. Ends with 1 if they are refused
 * anything, are served less than 0.95 of the turns without that user, or wait for long.
 *
 * --seconds  length of the run, 600 by default
 * --lenient  judges refusals alone, for busy machines
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BuiltPrograms } from '../support/built-programs.js';
import { graphqlAt, postJson, productionAt } from '../support/gateway.js';
import { startRedis } from '../support/redis-server.js';
import { startBackends } from '../support/successive-gateways.js';
import { prefer } from './requests/program.js';

const TURNS = 10;
/** Requests a second of the others, and the time between two of their log-ins and two of their orders. */
const RATE = 25;
const LOG_IN_MS = 1_000;
const ORDER_MS = 5_000;
/** More than may be in progress while turns of the event loop are long. */
const AT_ONCE = 40;
const MOST = { medianMs: 50, p99Ms: 250, logInMs: 1_000, share: 0.95 };

const times = <T>(count: number, one: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));
const aliased = (one: string): string => `{ ${times(10, (index) => `a${index}: ${one}`).join(' ')} }`;
const START = `mutation($v: [MobileUpdateInput!]!) { ${times(3, (at) => `a${at}: startBulkUpdateMobile(items: $v) { jobId }`).join(' ')} }`;

/** Bodies of requests that are as dear as the limits allow; the table of dearest operations has their figures. */
function dearBodies(): readonly string[] {
  const items = times(1_000, (index) => ({ id: 1 + (index % 50), tagIds: times(200, (tag) => String(100_000 + tag)) }));
  const asked: readonly (readonly [query: string, variables?: object])[] = [
    [START, { v: items }],
    [START, { v: items.slice(0, 100).map(({ id }) => ({ id, name: 'x'.repeat(256) })) }],
    [
      aliased(
        'jobs(first: 200) { edges { node { jobId errors failures { index message values } warnings { message } } } }',
      ),
    ],
    [
      aliased(
        'mobiles(first: 200) { edges { node { id num name tags { name } position { address } voice { online } } } }',
      ),
    ],
    ['{ me { Org } }', Object.fromEntries(times(100_000, (at) => [`v${at}`, at]))],
    [`{ me { ${times(900, (at) => `x${at}`).join(' ')} } }`],
    ['mutation { sendOtp(loginId: "demo") { expiresIn } }'],
  ];
  return asked.map(([query, variables]) => JSON.stringify({ query, variables }));
}

/** Sends dear requests, so many at once, while it is told to. */
async function attack(url: string, bearer: string): Promise<void> {
  const bodies = dearBodies();
  let isOn = false;
  let sent = 0;
  process.on('disconnect', () => process.exit());
  process.on('message', (on: boolean) => {
    isOn = on;
    if (!on) process.send?.(sent);
  });
  await Promise.all(
    times(AT_ONCE, async (index) => {
      for (let next = index; ; next += 1) {
        while (!isOn) await delay(20);
        sent += 1;
        const headers = { authorization: bearer, 'x-forwarded-for': '198.51.100.7' };
        await postJson(`${url}/graphql`, bodies[next % bodies.length] ?? '', headers).then(
          (reply) => reply.arrayBuffer(),
          () => delay(100),
        );
      }
    }),
  );
}

interface Backends {
  readonly env: NodeJS.ProcessEnv;
  /** Tokens of the worst user, and of the other one. */
  readonly tokens: readonly string[];
}

/** Runs a part of this file in a process of its own, until it is disconnected. */
const forked = (...args: readonly string[]): ChildProcess =>
  fork(fileURLToPath(import.meta.url), args, { execArgv: ['--import', 'tsx'] });

interface Turn {
  readonly waits: number[];
  readonly logIns: number[];
  readonly refused: string[];
}

async function measure(seconds: number, isLenient: boolean): Promise<boolean> {
  // Other work on the machine would be measured, too. Programs that are started from here inherit it.
  prefer(process.pid);
  const backends = forked('backends');
  const [programs, redis, [{ env: ofBackends, tokens }]] = await Promise.all([
    BuiltPrograms.open(),
    startRedis(),
    once(backends, 'message') as Promise<[Backends]>, // as it sends
  ]);
  const [worst = '', other = ''] = tokens.map((token) => `Bearer ${token}`);
  try {
    const env = { ...ofBackends, REDIS_URL: redis.url, DATA_DIR: programs.directory, TRUSTED_PROXIES: '1' };
    const gateway = await programs.startGateway({ ...env, LOGIN_RATE_PER_MINUTE: '1000' });
    await programs.startQueueFunction({ ...env, GATEWAY_URL: gateway.url });
    const attacker = forked(gateway.url, worst);
    const ask = graphqlAt(gateway.url);
    const QUERIES = [
      '{ mobiles(first: 50) { edges { node { id num name position { latitude longitude } } } totalCount } }',
      '{ me { Org } }',
      '{ jobs(first: 10) { edges { node { jobId state progress { done total } } } } }',
      '{ tags { id name } }',
    ];

    async function turn(turnMs: number): Promise<Turn> {
      const found: Turn = { waits: [], logIns: [], refused: [] };
      const asked: Promise<void>[] = [];
      const note = async (waits: number[], query: string, variables?: object, bearer?: string): Promise<void> => {
        const from = performance.now();
        const { errors, status, text } = await ask(query, variables, bearer);
        if (errors === undefined && status === 200) waits.push(performance.now() - from);
        else found.refused.push(`${status} ${text.slice(0, 300)}`);
      };
      const begin = performance.now();
      let [logIns, orders] = [0, 0];
      for (let index = 0; performance.now() - begin < turnMs; index += 1) {
        const at = performance.now() - begin;
        asked.push(note(found.waits, QUERIES[index % QUERIES.length] ?? '', {}, other));
        if (at > logIns * LOG_IN_MS) {
          logIns += 1;
          const logIn =
            'mutation { userLogin(loginId: "globex-admin", password: "globex-password") { session { accessToken } } }';
          asked.push(note(found.logIns, logIn));
        }
        if (at > orders * ORDER_MS) {
          orders += 1;
          const order = 'mutation($v: [MobileUpdateInput!]!) { startBulkUpdateMobile(items: $v) { jobId } }';
          asked.push(note(found.waits, order, { v: [{ id: 1_001, name: `Truck ${index}` }] }, other));
        }
        await delay(Math.max(0, ((index + 1) * 1_000) / RATE - (performance.now() - begin)));
      }
      await Promise.all(asked);
      return found;
    }

    await turn(3_000);
    const turns: Record<'control' | 'beside', Turn[]> = { control: [], beside: [] };
    for (let index = 0; index < TURNS; index += 1) {
      const isBeside = index % 2 === 1;
      if (isBeside) attacker.send(true);
      turns[isBeside ? 'beside' : 'control'].push(await turn((seconds * 1_000) / TURNS));
      if (!isBeside) continue;
      attacker.send(false);
      const [sent] = (await once(attacker, 'message')) as [number]; // as it answers
      process.stdout.write(`turn ${index + 1}: the worst user has sent ${sent} requests\n`);
      await delay(2_000);
    }
    attacker.disconnect();

    const percentile = (waits: readonly number[], part: number): number =>
      waits.toSorted((a, b) => a - b)[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? NaN;
    const figuresOf = (of: readonly Turn[]) => {
      const [waits, logIns] = [of.flatMap((each) => each.waits), of.flatMap((each) => each.logIns)];
      const refused = of.flatMap((each) => each.refused);
      const figures = {
        served: waits.length,
        medianMs: percentile(waits, 0.5),
        p99Ms: percentile(waits, 0.99),
        logIns: logIns.length,
        logInMs: Math.max(...logIns),
      };
      return { refused, figures };
    };
    const [control, beside] = [figuresOf(turns.control), figuresOf(turns.beside)];
    for (const [name, { refused, figures }] of Object.entries({ control, beside })) {
      const texts = Object.entries(figures).map(([figure, value]) => `${figure} ${value.toFixed(0)}`);
      process.stdout.write(`${name}: ${texts.join(', ')}, refused ${refused.length}\n`);
      for (const text of refused.slice(0, 5)) process.stdout.write(`  ${text}\n`);
    }
    const share = beside.figures.served / control.figures.served;
    process.stdout.write(`served ${share.toFixed(3)} of the control\n`);
    if (beside.refused.length > 0 || beside.figures.logIns === 0) return false;
    if (isLenient) return true;
    const { medianMs, p99Ms, logInMs } = beside.figures;
    return share >= MOST.share && medianMs < MOST.medianMs && p99Ms < MOST.p99Ms && logInMs < MOST.logInMs;
  } finally {
    await programs.close();
    backends.disconnect();
    await redis.stop();
  }
}

/** Serves the backends of the site, in a process of their own. */
async function serveBackends(): Promise<void> {
  const sandbox = await startBackends();
  const tokens = ['demo', 'globex-admin'].map((loginId) => sandbox.mintToken({ loginId }));
  process.once('disconnect', () => void sandbox.close().then(() => process.exit()));
  process.send?.({ env: productionAt(sandbox), tokens: await Promise.all(tokens) } satisfies Backends);
}

const [url, bearer] = process.send === undefined ? [] : process.argv.slice(2);
if (bearer !== undefined && url !== undefined) {
  await attack(url, bearer);
} else if (url !== undefined) {
  await serveBackends();
} else {
  const options = {
    seconds: { type: 'string', default: '600' },
    lenient: { type: 'boolean', default: false },
  } as const;
  const { seconds, lenient } = parseArgs({ options }).values;
  process.exitCode = (await measure(Number(seconds), lenient)) ? 0 : 1;
}
